"""Speech for tests, made by the real espeak-ng."""

import subprocess

from serving.speech import audio


def say(text, folder, *, voice="en-gb", name="said.wav"):
    """The recording of a text."""
    path = folder / name
    subprocess.run(["espeak-ng", "-v", voice, "-s", "145", "-w", str(path), text], check=True)
    return path


def samples(text, folder, *, voice="en-gb"):
    return audio.read(say(text, folder, voice=voice))

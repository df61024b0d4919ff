import wave

import numpy as np
import pytest

from serving.errors import BadInputError
from serving.speech import audio
from tests.serving.speech.wave_files import from_wav


def test_any_rate_becomes_ours(tmp_path):
    tone = np.sin(np.arange(48_000) * 2 * np.pi * 440 / 48_000).astype(np.float32) / 2
    path = tmp_path / "tone.wav"
    path.write_bytes(audio.wav(tone, 48_000))
    read = audio.read(path)
    assert read.dtype == np.float32
    assert len(read) == pytest.approx(audio.RATE, rel=0.01)
    assert np.abs(read).max() == pytest.approx(0.5, abs=0.02)
    back, rate = from_wav(path.read_bytes())
    assert rate == 48_000
    assert back == pytest.approx(tone, abs=1e-3)


def test_two_channels_are_averaged(tmp_path):
    path = tmp_path / "two.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(audio.RATE)
        file.writeframes(np.array([[1000, 3000]] * 100, dtype="<i2").tobytes())
    assert audio.read(path) == pytest.approx(np.full(100, 2000 / 32768), abs=1e-4)


@pytest.mark.parametrize("content", [b"", b"not a recording", b"RIFF\x00\x00\x00\x00WAVE"])
def test_what_is_no_recording_is_refused(tmp_path, content):
    path = tmp_path / "broken.wav"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match="cannot be read"):
        audio.read(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadInputError, match=r"nowhere\.wav"):
        audio.read(tmp_path / "nowhere.wav")

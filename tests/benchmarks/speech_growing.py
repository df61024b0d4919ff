"""Recognition while somebody talks, beside recognition once they stopped: a part of ``make speech-bench``.

Each recording is given as the page gives it: its growing beginning every few seconds, the next when the one before is
done and not sooner; then as a whole. Both texts are compared with what was said, and both times with each other: from
Stop to the text.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from interviewer.speech.recognition_prompt import prompt
from knowledge.model import Question, Source
from serving.speech import audio
from serving.speech.audio import RATE
from serving.speech.stt.incremental import NOTHING_YET
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts import espeak, kokoro
from tests.benchmarks.speech import distance, said, tokens
from tests.benchmarks.speech_sentences import TALK

WAYS = {"while talking, Stop at once": 0.0, "while talking, Stop after 1 s": 1.0, "while talking, Stop after 2 s": 2.0}
"""Seconds between the last word and Stop; hands-free waits two."""

EVERY_S = 2.5
"""Seconds after which the page sends what it has, or twice as long as the last time took."""

QUIET_S = 0.6
"""Seconds of silence after which it sends what it has at once."""

SILENCE_S = 4.0
"""Seconds of silence behind the last word."""

USUAL = "once stopped"
PAUSE_S = 0.7
"""Seconds between two sentences."""


def together(pieces):
    """Sentences one after the other, as one who thinks between them says them."""
    pause = np.zeros(round(PAUSE_S * RATE), np.float32)
    silence = np.zeros(round(SILENCE_S * RATE), np.float32)
    return np.concatenate([*[part for piece in pieces for part in (piece, pause)][:-1], silence])


def passes(recognizer, samples, primed):
    """The passes while somebody talks and shortly after: when each began and ended, and what it gave.

    Time passes in the recording as it passes here: a pass of two seconds leaves two seconds of talk to the next.

    Args:
        recognizer: the real one.
        samples: [n], silent for some seconds at the end.
        primed: the prompt.

    """
    talk = len(samples) / RATE - SILENCE_S
    made, heard, ended, free = [], NOTHING_YET, 0.0, EVERY_S
    while not made or made[-1][0] < talk + QUIET_S:
        start = max(ended, min(free, talk + QUIET_S))
        begun = time.perf_counter()
        heard = recognizer.transcribe(samples[: round(start * RATE)], primed, before=heard)
        ended = start + time.perf_counter() - begun
        free = ended + max(EVERY_S, 2 * (ended - start))
        made.append((start, ended, heard))
    return made


def stopped(recognizer, samples, primed, made, after):
    """The text when the person presses Stop so many seconds after the last word, and the seconds from then to it."""
    stop = len(samples) / RATE - SILENCE_S + after
    _, ended, before = ([each for each in made if each[0] < stop] or [(0.0, 0.0, NOTHING_YET)])[-1]
    begun = time.perf_counter()
    heard = recognizer.transcribe(samples[: round(stop * RATE)], primed, before=before)
    # A pass that still goes on when the person stops has to end first.
    return heard, max(0.0, ended - stop) + time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=3, help="How many questions of four sentences.")
    chosen = parser.parse_args()
    recognizer = WhisperRecognizer()
    recognizer.load()
    recognizer.transcribe(np.random.default_rng(0).normal(0, 0.1, RATE).astype(np.float32))
    voices = {
        "Kokoro": (kokoro.Kokoro(), kokoro.Kokoro.sample_rate),
        "espeak-ng": (espeak.Espeak(), espeak.Espeak.sample_rate),
    }
    sums, times, share = defaultdict(lambda: [0, 0, 0]), defaultdict(list), []
    with tempfile.TemporaryDirectory() as temporary:
        for name, (voice, rate) in voices.items():
            for (topic, text), lines in list(TALK.items())[: chosen.groups]:
                asked = prompt(Question(id="b", text=text, spoken=text, topic=topic, source=Source(path="bench")))
                path = Path(temporary) / "said.wav"
                pieces = []
                for line in lines:
                    path.write_bytes(audio.wav(voice.synthesize(said(line)), rate))
                    pieces.append(audio.read(path))
                samples, wanted = together(pieces), tokens(" ".join(lines))
                begun = time.perf_counter()
                whole = recognizer.transcribe(samples, asked)
                results = {USUAL: (whole, time.perf_counter() - begun)}
                made = passes(recognizer, samples, asked)
                share.append(sum(end - start for start, end, _ in made) / (len(samples) / RATE))
                results |= {way: stopped(recognizer, samples, asked, made, after) for way, after in WAYS.items()}
                for way, (heard, took) in results.items():
                    times[way].append(took)
                    row = sums[name, way]
                    row[0] += distance(wanted, tokens(heard.text))
                    row[1] += distance(tokens(whole.text), tokens(heard.text))
                    row[2] += len(wanted)
    print("| recognized | voice | words wrong | words otherwise than once stopped |\n|---|---|---|---|")
    for (name, way), (wrong, other, of) in sums.items():
        print(f"| {way} | {name} | {wrong} of {of}, {100 * wrong / of:.1f} % | {other} |")
    usual = statistics.median(times[USUAL])
    print("\n| recognized | Stop to text, median s | slowest | share of the usual |\n|---|---|---|---|")
    for way, took in times.items():
        print(f"| {way} | {statistics.median(took):.2f} | {max(took):.2f} | {statistics.median(took) / usual:.2f} |")
    print(f"\nAt work for {100 * statistics.median(share):.0f} % of the time in which the person talks.")


if __name__ == "__main__":
    main()

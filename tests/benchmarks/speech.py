"""How well and how fast speech is recognized and made: ``make speech-bench``.

Sixty sentences of interview talk, said by three synthetic voices (two of Kokoro, one of espeak-ng), clean and with
white noise at 20 and 10 dB, recognized without a prompt, as plain Whisper does it, and primed by the question they
answer. Real voices, accents and rooms are worse; what is compared is meant, not the figures alone.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from interviewer.dialogue.utterances import acknowledgment
from interviewer.speech.delivery import delivery
from interviewer.speech.inverse_normalization import inverse_normalize
from interviewer.speech.recognition_prompt import prompt
from interviewer.speech.speakable_text import speakable
from knowledge.model import Question, Source
from serving.speech import audio
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts import espeak, kokoro
from serving.speech.tts.speech_cache import SpeechCache
from tests.benchmarks.speech_sentences import TALK, TERMS

NOISES = {"clean": None, "20 dB": 20.0, "10 dB": 10.0}
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {word: str(value) for value, word in enumerate(DIGITS)}
NUMBERS |= {"twenty": "20", "thirty": "30", "sixteen": "16"}
ALOUD = {
    "nn.": "n n dot ",
    "fp16": "F P sixteen",
    "bf16": "B F sixteen",
    "float32": "float thirty two",
    "int8": "int eight",
    "1e-2": "one e minus two",
    "3e-4": "three e minus four",
    "0.1": "zero point one",
    "KV": "K V",
    "GPU": "G P U",
    "FSDP": "F S D P",
    "DDP": "D D P",
    "NCCL": "N C C L",
    "AdamW": "Adam W",
}
FILLERS = {"um": 1, "uh": 1, "you know": 1, "i mean": 1}
"""What is said in the recording on behavior."""


def said(text):
    """A sentence as a person says it: CamelCase in words, short names letter by letter, small numbers in full."""
    for name, aloud in ALOUD.items():
        text = text.replace(name, aloud)
    return speakable(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))


def tokens(text):
    """Words to be compared: names in their parts, numbers in digits, no marks."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[a-zA-Z])(?=\d)", " ", inverse_normalize(text))
    return [NUMBERS.get(word, word) for word in re.findall(r"[a-z0-9']+", split.lower())]


def distance(wanted, got):
    """Words to insert, delete or replace."""
    row = list(range(len(got) + 1))
    for i, a in enumerate(wanted, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(got, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def terms_of(text):
    """How often each term stands in a text, as written, capitals not counted."""
    return {term: len(re.findall(rf"(?<![\w.]){re.escape(term.lower())}(?!\w)", text.lower())) for term in TERMS}


def noisy(samples, decibels, seed):
    """With white noise at that ratio of signal to noise."""
    if decibels is None:
        return samples
    power = float(np.mean(samples**2)) / 10 ** (decibels / 10)
    return (samples + np.random.default_rng(seed).normal(0, power**0.5, len(samples))).astype(np.float32)


def share(values, place):
    """The value below which that share of them lies."""
    return sorted(values)[min(len(values) - 1, int(place * len(values)))]


def recordings(groups, voices, folder):
    """Every group said by every voice, resampled, and how long making it took for a second of sound."""
    made, factors = {}, defaultdict(list)
    for name, (voice, rate) in voices.items():
        for place, (_, lines) in enumerate(groups):
            begun = time.perf_counter()
            pieces = [voice.synthesize(said(line)) for line in lines]
            factors[name].append((time.perf_counter() - begun) / (sum(map(len, pieces)) / rate))
            path = folder / f"{name}-{place}.wav"
            path.write_bytes(audio.wav(np.concatenate(pieces), rate))
            made[name, place] = audio.read(path)
    return made, factors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=len(TALK), help="How many of the questions; all when left out.")
    parser.add_argument("--noisy-groups", type=int, default=5, help="How many of them with noise too.")
    parser.add_argument("--json", type=Path, help="Where to write every figure.")
    chosen = parser.parse_args()
    groups = list(TALK.items())[: chosen.groups]
    if chosen.groups < len(TALK):
        groups = [*groups, list(TALK.items())[-1]]
    recognizer = WhisperRecognizer()
    recognizer.load()
    voices = {
        "Kokoro af_heart": (kokoro.Kokoro("af_heart"), kokoro.Kokoro.sample_rate),
        "Kokoro am_michael": (kokoro.Kokoro("am_michael"), kokoro.Kokoro.sample_rate),
        "espeak-ng en-gb": (espeak.Espeak(), espeak.Espeak.sample_rate),
    }
    rows, hears, factors = defaultdict(lambda: [0, 0, 0, 0]), [], []
    fillers = {}
    with tempfile.TemporaryDirectory() as temporary:
        made, speaks = recordings(groups, voices, Path(temporary))
        speaker = SpeechCache(Path(temporary) / "sounds")
        for (name, place), samples in made.items():
            (topic, text), lines = groups[place]
            asked = Question(id="b", text=text, spoken=text, topic=topic, source=Source(path="bench"))
            wanted = " ".join(lines)
            for noise, decibels in NOISES.items():
                if decibels is not None and place >= chosen.noisy_groups:
                    continue
                for primed in (False, True):
                    begun = time.perf_counter()
                    heard = recognizer.transcribe(noisy(samples, decibels, place), prompt(asked) if primed else "")
                    took = time.perf_counter() - begun
                    got = inverse_normalize(heard.text) if primed else heard.text
                    row = rows[noise, name, primed]
                    row[0] += distance(tokens(wanted), tokens(heard.text))
                    row[1] += len(tokens(wanted))
                    there, found = terms_of(wanted), terms_of(got)
                    row[2] += sum(max(0, there[term] - found[term]) for term in TERMS)
                    row[3] += sum(there.values())
                    if noise == "clean":
                        factors.append(took / heard.duration)
                        if topic == "behaviour":
                            fillers[name, primed] = delivery(heard).fillers
                    if noise == "clean" and primed:
                        # An acknowledgment was made ahead.
                        first = acknowledgment(0, place)
                        speaker.sound(first)
                        again = time.perf_counter()
                        speaker.sound(first)
                        hears.append(took + time.perf_counter() - again)
    show(rows, factors, speaks, hears, fillers)
    if chosen.json:
        flat = {" | ".join(map(str, key)): value for key, value in rows.items()}
        chosen.json.write_text(json.dumps({"rows": flat, "to first sound": hears, "factors": factors}, indent=1))


def show(rows, factors, speaks, hears, fillers):
    """The tables, as Markdown."""
    print("| noise | voice | plain: words wrong | primed | plain: terms wrong | primed |\n|---|---|---|---|---|---|")
    for noise in NOISES:
        names = sorted({name for where, name, _ in rows if where == noise})
        for name in [*names, "all"]:
            sums = []
            for primed in (False, True):
                of = [rows[noise, each, primed] for each in (names if name == "all" else [name])]
                sums.append([sum(column) for column in zip(*of, strict=True)])
            plain, ours = sums
            wrong = [f"{100 * side[0] / max(1, side[1]):.1f} %" for side in (plain, ours)]
            terms = [f"{side[2]} of {side[3]}" for side in (plain, ours)]
            print(f"| {noise} | {name} | {wrong[0]} | {wrong[1]} | {terms[0]} | {terms[1]} |")
    print(
        f"\nRecognition, seconds a second of sound: {statistics.median(factors):.2f} (p95 {share(factors, 0.95):.2f})"
    )
    for name, values in speaks.items():
        print(f"Speaking, {name}: {statistics.median(values):.2f}")
    print(f"End of speech to first sound: median {statistics.median(hears):.2f} s, p95 {share(hears, 0.95):.2f} s")
    for (name, primed), found in sorted(fillers.items()):
        print(f"Fillers, {name}, {'primed' if primed else 'plain'}: {found} of {FILLERS}")


if __name__ == "__main__":
    main()

"""Text to the phonemes that Kokoro reads: espeak-ng as a program, then Kokoro's own letters.

Kokoro was trained on phonemes of the misaki library, which writes diphthongs and affricates as single letters;
espeak-ng's are rewritten the way misaki's own fall-back does it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable

from serving.errors import ServiceMissingError

PROGRAM = "espeak-ng"
REMEDY = "`apt-get install espeak-ng` (or your system's way)."
TIMEOUT_S = 20.0

_VOICES = {"a": "en-us", "b": "en-gb"}
_MARKS = ".,;:!?…—"
_CLAUSE = re.compile(r"[^.,;:!?…—]+|[.,;:!?…—]+")

# Longest first where one holds another.
_REWRITTEN = (
    ("ʲO", "jO"), ("ʲQ", "jQ"),
    ("a^ɪ", "I"), ("a^ʊ", "W"), ("e^ɪ", "A"), ("ɔ^ɪ", "Y"), ("o^ʊ", "O"), ("ə^ʊ", "Q"),
    ("d^ʒ", "ʤ"), ("t^ʃ", "ʧ"), ("t^s", "ʦ"), ("d^z", "ʣ"),
    ("ʔˌn\u0329", "tn"), ("ʔn\u0329", "tn"), ("ʔn", "tn"), ("ʔ", "t"),
    ("ə^l", "ᵊl"), ("ɚɹ", "əɹ"), ("ɚ", "əɹ"), ("ɬ", "l"), ("r", "ɹ"), ("x", "k"), ("ç", "k"), ("ɐ", "ə"), ("ʲ", ""),
    ("\u0303", ""),
)  # fmt: skip
_AMERICAN = (("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"), ("ː", ""), ("o", "ɔ"))
_BRITISH = (("e^ə", "ɛː"), ("iə", "ɪə"))

Program = Callable[[list[str], str], str]
"""Runs a program with that input and gives what it printed."""


def is_there() -> bool:
    """Whether espeak-ng is installed."""
    return shutil.which(PROGRAM) is not None


def run(command: list[str], text: str) -> str:
    """What a program prints when it reads that text.

    Raises:
        ServiceMissingError: it is not installed, failed or did not finish.

    """
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True, timeout=TIMEOUT_S, encoding="utf-8"
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ServiceMissingError(f"{command[0]} cannot be used: {error}.", hint=REMEDY) from error
    return done.stdout


def phonemes(text: str, voice: str, program: Program = run) -> str:
    """A text as Kokoro reads it, punctuation kept, since it gives the melody.

    Args:
        text: without markup or symbols.
        voice: a voice of Kokoro; its first letter tells American (a) from British (b) English.
        program: runs espeak-ng.

    Raises:
        ServiceMissingError: espeak-ng is not there.

    """
    kind = voice[:1] if voice[:1] in _VOICES else "a"
    command = [PROGRAM, "-q", "--ipa", "--tie=^", "-v", _VOICES[kind]]
    pieces = _CLAUSE.findall(" ".join(text.split()))
    clauses = [piece.strip() for piece in pieces if piece[0] not in _MARKS and piece.strip()]
    # One run for all: starting the program takes longer than the work. It cuts long clauses at places of its own.
    lines = [line.strip() for line in program(command, "\n\n".join(clauses)).splitlines() if line.strip()]
    if len(lines) != len(clauses):
        lines = [" ".join(program(command, clause).split()) for clause in clauses]
    spoken = iter(lines)
    written = ""
    for piece in pieces:
        if piece[0] in _MARKS:
            written += piece[0]
        elif piece.strip():
            written += f"{' ' if written else ''}{rewritten(next(spoken), kind)}"
    return written.strip()


def rewritten(ipa: str, kind: str) -> str:
    """Phonemes of espeak-ng (``--ipa --tie=^``) in Kokoro's letters, American (a) or British (b)."""
    for old, new in (*_REWRITTEN, *(_BRITISH if kind == "b" else _AMERICAN)):
        ipa = ipa.replace(old, new)
    return re.sub(r"(\S)\u0329", r"ᵊ\1", ipa).replace("\u0329", "").replace("^", "")

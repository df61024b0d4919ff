"""What a long sentence takes while it is made: the model's own heap, given back after each one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from serving.speech.models import KOKORO, not_fetched
from serving.speech.tts import phonemes

_SPEAKS = """
from pathlib import Path
from serving.heap import limit_heaps, return_freed_memory
from serving.speech.tts.kokoro import Kokoro

def most():
    told = Path("/proc/self/status").read_text()
    return int(told.split("VmHWM:")[1].split()[0]) // 1024

limit_heaps()
voice = Kokoro()
voice.synthesize("Hello.")
return_freed_memory()
Path("/proc/self/clear_refs").write_text("5")
before = most()
voice.synthesize(" ".join(["The gradient of each weight is summed over the ranks,"] * 4) + ".")
print(most() - before)
"""


@pytest.mark.skipif(bool(not_fetched(KOKORO)) or not phonemes.is_there(), reason="the voice is not on this machine")
def test_a_sentence_of_forty_words_takes_a_few_hundred_megabytes() -> None:
    # With the C library's heap in place of the model's own it was 2,200.
    done = subprocess.run([sys.executable, "-c", _SPEAKS], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout.split()[-1]) < 700

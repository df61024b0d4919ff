import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.errors import ServiceMissingError
from serving.speech import models
from serving.speech.tts import kokoro, phonemes
from serving.speech.tts.sentences import FIRST, sentences
from serving.speech.tts.speech_cache import SpeechCache
from tests.serving.speech.wave_files import from_wav


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Okay. Let us go on. What is a hook?", ["Okay.", "Let us go on.", "What is a hook?"]),
        ("  One   sentence ", ["One sentence"]),
        ("", []),
        ("Version 1.5 is fine. Really?", ["Version 1.5 is fine.", "Really?"]),
    ],
)
def test_a_text_is_said_in_sentences(text, pieces):
    assert sentences(text) == pieces


def test_a_long_first_sentence_is_cut_at_a_comma():
    pieces = sentences("First we look at the loss, " + "and then at the gradient of every single layer " * 4)
    assert len(pieces) == 2
    assert len(pieces[0]) <= FIRST


@given(st.text(alphabet="ab ,.?!", max_size=300))
def test_nothing_is_lost_between_sentences(text):
    assert " ".join(sentences(text)) == " ".join(text.split())


def test_kokoro_speaks_and_says_the_same_again_from_the_disk(tmp_path, monkeypatch):
    models.ensure(models.KOKORO)
    speaker = SpeechCache(tmp_path)
    assert speaker.engine == "kokoro"
    first = speaker.sound("Okay, thank you.")
    samples, rate = from_wav(first)
    assert rate == kokoro.Kokoro.sample_rate
    assert 0.5 < len(samples) / rate < 3
    assert np.abs(samples).max() > 0.05
    monkeypatch.setattr(kokoro.Kokoro, "synthesize", lambda *_: pytest.fail("it was made again"))
    assert speaker.sound("Okay, thank you.") == first
    assert speaker.prepare(["Okay, thank you."]) == 0


def test_the_plain_voice_stands_in_when_the_better_one_breaks(tmp_path, monkeypatch):
    def broken(*_):
        raise ServiceMissingError("broken")

    monkeypatch.setattr(kokoro.Kokoro, "synthesize", broken)
    speaker = SpeechCache(tmp_path)
    samples, rate = from_wav(speaker.sound("Okay, thank you."))
    assert np.abs(samples).max() > 0.05
    assert rate == 22_050
    assert speaker.engine == "espeak-ng"


def test_without_any_voice_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(phonemes, "PROGRAM", "no-such-program")
    speaker = SpeechCache(tmp_path)
    assert speaker.engine == "none"
    assert speaker.prepare(["Okay."]) == 0
    with pytest.raises(ServiceMissingError, match="Nothing can speak"):
        speaker.sound("Okay.")


def test_a_disk_that_refuses_silences_nobody(tmp_path):
    (tmp_path / "file").write_text("")
    assert SpeechCache(tmp_path / "file").sound("Okay, thank you.")[:4] == b"RIFF"

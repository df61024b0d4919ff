import pytest

from serving.errors import ServiceMissingError
from serving.speech.tts import phonemes
from serving.speech.tts.kokoro import LONGEST, numbers, pieces


@pytest.mark.parametrize(
    ("text", "voice", "written"),
    [
        ("Hello there.", "af_heart", "həlˈO ðˈɛɹ."),
        ("Hello there.", "bf_emma", "həlˈQ ðˈɛː."),
        ("the loss, then?", "af_heart", "ðə lˈɔs, ðˈɛn?"),
        ("judge", "am_michael", "ʤˈʌʤ"),
        ("around a corner", "am_michael", "əɹˈWnd ə kˈɔɹnəɹ"),
    ],
)
def test_text_is_written_in_the_models_letters(text, voice, written):
    assert phonemes.phonemes(text, voice) == written


def test_every_letter_of_plain_talk_is_known_to_the_model():
    talk = "The quick brown fox jumps over a lazy dog; she measured thirty usual batches, which changed my choice!"
    for voice in ("af_heart", "bf_emma"):
        written = phonemes.phonemes(talk, voice)
        assert len(numbers(written)) == len(written)


def test_a_missing_program_is_named():
    with pytest.raises(ServiceMissingError, match="no-such-program"):
        phonemes.run(["no-such-program"], "hello")


def test_long_texts_are_cut_between_words():
    written = " ".join(["ɡɹˈAdiənt,", "lˈɔs"] * 200)
    cut = pieces(written)
    assert all(len(piece) <= LONGEST for piece in cut)
    assert " ".join(cut) == written
    assert pieces("a" * 2 * LONGEST) == ["a" * LONGEST]
    assert pieces("") == []

import pytest

from serving.speech.stt.transcript import Transcript, Word, language_name, why_unusable


def heard(language, probability, text="Hallo."):
    return Transcript(text=text, language=language, language_probability=probability, duration=1.0)


@pytest.mark.parametrize(
    ("language", "probability", "usable"), [("en", 0.4, True), ("de", 0.4, True), ("de", 0.9, False)]
)
def test_only_a_language_that_is_sure_is_refused(language, probability, usable):
    assert (why_unusable(heard(language, probability)) == "") is usable


def test_a_rare_language_is_named_by_its_letters():
    assert "yo" in language_name("yo")


def test_doubtful_words_are_those_below_even_odds():
    words = tuple(Word(text=str(p), start=0, end=1, probability=p) for p in (0.2, 0.5, 0.9))
    assert [word.text for word in Transcript(text="x", words=words, duration=1).doubtful] == ["0.2"]

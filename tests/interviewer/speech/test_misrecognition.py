import pytest

from interviewer.speech.misrecognition import MOST, suggestions
from serving.speech.stt.transcript import Word


def words(*pairs):
    return [Word(text=text, start=place, end=place + 0.5, probability=p) for place, (text, p) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("heard", "terms", "meant"),
    [
        ("ottograd", (), "autograd"),
        ("noBrad", (), "no_grad"),
        ("requires Brad", (), "requires_grad"),
        ("state dick", (), "state_dict"),
        ("softmacs", (), "softmax"),
        ("bin memory", ("pin_memory",), "pin_memory"),
        ("Konvolution", ("convolution",), "convolution"),
        ("Konvolution", (), None),
    ],
)
def test_a_doubtful_word_that_sounds_like_a_term_is_proposed(heard, terms, meant):
    said = words(("then", 0.9), *((word, 0.2) for word in heard.split()), ("works", 0.9))
    proposed = [each.meant for each in suggestions(said, terms)]
    assert proposed == ([meant] if meant else [])


@pytest.mark.parametrize(
    "heard", ["the radiant path", "memory", "a matrix", "we float the idea", "soft touch", "graduate"]
)
def test_ordinary_doubtful_words_are_left_alone(heard):
    assert suggestions(words(*((word, 0.2) for word in heard.split())), ("pin_memory",)) == ()


def test_words_that_were_sure_are_never_questioned():
    assert suggestions(words(("softmacs", 0.9), ("requires", 0.8), ("Brad", 0.7))) == ()


def test_there_are_never_many_and_they_never_overlap():
    found = suggestions(words(*[("softmacs", 0.1), ("and", 0.9)] * 20))
    assert len(found) == MOST
    assert [each.start for each in found] == sorted({each.start for each in found})

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


@pytest.mark.parametrize(
    "heard",
    [
        "OK,? so",
        "um,? softmax",
        "in,? um?",
        "no parameters It?",
        "Said? PyTorch",
        "once? we",
        "by? torch.compile",
        "blue? lines",
        "the? sum",
        "hm? autograd works",
        "a? maximum",
        "no? named parameters",
        "requires,? graduation",
    ],
)
def test_nothing_is_proposed_for_words_that_are_no_term(heard):
    """Words that recognition was unsure of have a question mark."""
    said = words(*((word.rstrip("?"), 0.2 if word.endswith("?") else 0.95) for word in heard.split()))
    assert suggestions(said, ("pin_memory",)) == ()


def test_one_is_proposed_at_most_the_likeliest():
    found = suggestions(words(*[("softmacs", 0.1), ("and", 0.9)] * 20, ("autograt", 0.1)))
    assert len(found) == MOST == 1

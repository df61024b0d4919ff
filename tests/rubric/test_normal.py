"""The form in which the same words are equal, and the way back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.normal import find, normal

MIXED = st.text(
    alphabet=st.one_of(
        st.sampled_from("abcXYZ019 ._,-'%=\n\t()\u200b\u202e\u00adéßﬁ½аоΩλ①İ"),
        st.characters(),
    ),
    max_size=60,
)
WORDS = st.lists(
    st.sampled_from(
        [
            "torch",
            "dot",
            "no",
            "grad",
            "underscore",
            "all",
            "reduce",
            "AllReduce",
            "twenty",
            "one",
            "hundred",
            "and",
            "thousand",
            "point",
            "zero",
            "16",
            "1,000",
            "50%",
            "lr=0.1",
        ]
    ),
    max_size=12,
).map(" ".join)


def slices(needle, haystack):
    return [haystack[start:end] for start, end in find(needle, haystack)]


SAME = [
    ("torch no grad", "torch.no_grad"),
    ("Torch dot no underscore grad", "torch.no_grad()"),
    ("dot grad", ".grad"),
    ("all reduce", "all_reduce"),
    ("all reduce", "AllReduce"),
    ("allreduce", "all-reduce"),
    ("data loader", "DataLoader"),
    ("relu", "ReLU"),
    ("nn dot Parameter", "nn.Parameter"),
    ("dunder init", "__init__"),
    ("f p sixteen", "FP16"),
    ("float thirty two", "float32"),
    ("the gpus", "THE GPUs"),
    ("one thousand", "1,000"),
    ("a hundred and twenty eight", "a 128"),
    ("four thousand ninety six", "4096"),
    ("two thousand and seven", "2007"),
    ("zero point one", "0.1"),
    ("fifty percent", "50 %"),
    ("dim equals one", "dim=1"),
    ("don't", "DON’T"),
    ("naive", "naïve"),
    ("file", "ﬁle"),
    ("gradient", "ＧＲＡＤＩＥＮＴ"),
    ("gradient", "gr\u200badi\u00adent"),
    ("gradient", "\u202egrаdiеnt\u202c"),
    ("cope", "соре"),
    ("alpha", "α"),
    ("lambda", "λ"),
]


@pytest.mark.parametrize(("spoken", "written"), SAME)
def test_what_is_spoken_is_found_in_what_is_written_and_the_other_way_round(spoken, written):
    assert find(spoken, written)
    assert find(written, spoken)


@pytest.mark.parametrize(
    ("needle", "haystack"),
    [
        ("grad", "gradient"),
        ("reduce", "reduced"),
        ("6", "16"),
        ("12", "1 2"),
        ("twenty", "twenty one"),
        ("product", "a dotproduct"),
        ("dot product", "product"),
        ("1", "0.15"),
        ("eval", "evaluate"),
        ("", "something"),
        ("...", "something..."),
        ("dot", "x dot grad"),
    ],
)
def test_parts_of_words_and_of_numbers_are_not_found(needle, haystack):
    assert find(needle, haystack) == []


def test_a_match_covers_the_original_from_its_first_word_to_its_last():
    answer = "So, um, you call Loss Dot Backward() first; then optimizer.step, loss.backward again."
    assert slices("loss.backward", answer) == ["Loss Dot Backward", "loss.backward"]
    assert slices("optimizer dot step", answer) == ["optimizer.step"]


def test_a_symbol_and_an_invisible_character_stay_within_their_match():
    assert slices("fifty percent", "about 50% of it") == ["50%"]
    assert slices("no grad", "use no\u200b_gr\u200bad here") == ["no\u200b_gr\u200bad"]


def test_matches_do_not_overlap():
    assert find("a a", "a a a a a") == [(0, 3), (4, 7)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("FullyShardedDataParallel", "fully sharded data parallel"),
        ("XMLParser of GPUs", "xml parser of gpus"),
        ("bf16 and W8A8", "bf 16 and w 8 a 8"),
        ("no one has twenty-one, or two hundred thousand", "no 1 has 21 or 200000"),
        ("nineteen twenty", "19 20"),
        ("ten and two", "10 and 2"),
        ("zero hundred", "0 100"),
        ("three hundred and", "300 and"),
        ("007 and ٣", "7 and 3"),
        ("1,00 and 1,000,000 and 1,0000", "1 0 and 1000000 and 1 0"),
        ("the point is 3 point 5", "the point is 3 5"),
        ("αlpha and Ω", "alpha and omega"),
        ("привет", "привет"),
    ],
)
def test_tokens(text, tokens):
    assert normal(text).text == tokens


@given(st.one_of(MIXED, WORDS))
@settings(deadline=None)
def test_tokens_and_offsets_belong_together_and_never_go_back(text):
    found = normal(text)
    assert len(found.tokens) == len(found.starts) == len(found.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(found.starts, found.ends, strict=True))
    assert list(found.starts) == sorted(found.starts)
    assert list(found.ends) == sorted(found.ends)


@given(st.one_of(MIXED, WORDS))
@settings(deadline=None)
def test_a_text_is_found_in_itself_as_a_whole(text):
    found = normal(text)
    whole = [(found.starts[0], found.ends[-1])] if found.tokens else []
    assert find(text, text) == whole
    assert find(text, found) == whole


@given(st.one_of(MIXED, WORDS), st.one_of(MIXED, WORDS))
@settings(deadline=None)
def test_spans_lie_inside_are_not_empty_and_hold_the_needle(needle, haystack):
    last = 0
    for start, end in find(needle, haystack):
        assert last <= start < end <= len(haystack)
        last = start + 1
    for start, end in find(needle, f"{haystack} | {needle}"):
        assert f"{haystack} | {needle}"[start:end].strip()


@given(MIXED, MIXED, MIXED)
@settings(max_examples=50, deadline=None)
def test_a_text_is_found_between_others(before, text, after):
    if normal(text).tokens and not any(token.isdecimal() for token in normal(text).tokens):
        haystack = f"{before} | xq | {text} | xq | {after}"
        # "dot" is heard as a word only beside its product.
        if not {"dot", "point"} & set(normal(haystack.replace("|", "")).tokens):
            assert find(f"xq {text} xq", haystack)


@given(MIXED)
@settings(deadline=None)
def test_the_normal_form_is_its_own(text):
    once = normal(text).text
    again = normal(once).text
    assert normal(again).text == again


def test_a_long_text_takes_no_time():
    text = "the gradient of x " * 20_000
    assert len(find("of x the", text)) == 19_999

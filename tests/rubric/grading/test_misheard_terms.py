"""Terms that recognition may have misheard."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.grading.grader import GradeRequest, RubricGrader
from rubric.grading.misheard_terms import ALIKE, DOUBTFUL, HeardWord, alike, near_doubtful, with_doubtful
from rubric.model import Criterion, CriterionVerdict, Examples, Rubric, Verdict
from tests.rubric.doubles import BagOfWords, FixedJudge, Unrelated


def heard(text, *, unsure=()):
    return [HeardWord(text=word, probability=0.2 if word in unsure else 0.95) for word in text.split()]


@pytest.mark.parametrize(
    ("point", "said", "unsure", "terms"),
    [
        ("Adds weight decay to the update.", "it adds wait decay there", ["wait"], ("weight",)),
        ("All-reduce sums the gradients.", "they all re deuce everything", ["re", "deuce"], ("All-reduce",)),
        ("Softmax is taken over the keys.", "then soft max over them", ["soft", "max"], ("Softmax",)),
        ("The tensor must be contiguous.", "it has to be contagious", ["contagious"], ("contiguous",)),
        # Sure of the word: nothing was misheard.
        ("Adds weight decay.", "it adds wait decay there", [], ()),
        # The term stands there anyway, in another form at most.
        ("The gradients are summed.", "the gradient and the grade in", ["grade"], ()),
        # Unsure, but nothing like it.
        ("Adds weight decay.", "it adds a banana there", ["banana"], ()),
    ],
)
def test_a_term_that_was_misheard_is_found(point, said, unsure, terms):
    assert near_doubtful(Criterion(id="c", text=point), heard(said, unsure=unsure))[:1] == terms


def test_terms_come_from_the_statements_too_the_likeliest_first():
    examples = Examples(met=("You call detach on it.",))
    criterion = Criterion(id="c", text="The graph is cut with detached tensors or no_grad.", examples=examples)
    found = near_doubtful(criterion, heard("you call no grad or dish", unsure=["grad", "no"]))
    assert found[0] == "no_grad"


@given(st.lists(st.tuples(st.text(max_size=12), st.floats(0, 1)), max_size=12))
def test_whatever_was_heard_only_terms_of_the_criterion_come_back(pairs):
    words = [HeardWord(text=text, probability=probability) for text, probability in pairs]
    criterion = Criterion(id="c", text="Broadcasting stretches dimensions of size one.")
    assert set(near_doubtful(criterion, words)) <= {"Broadcasting", "stretches", "dimensions", "size"}
    if all(word.probability >= DOUBTFUL for word in words):
        assert not near_doubtful(criterion, words)


@pytest.mark.parametrize(("term", "heard_as"), [("weight", "wait"), ("shard", "chart")])
def test_words_that_sound_the_same_are_alike_though_their_letters_are_others(term: str, heard_as: str) -> None:
    assert alike(term, heard_as) >= ALIKE > SequenceMatcher(None, term, heard_as).ratio()


@pytest.mark.parametrize(("term", "other"), [("logits", "digits"), ("shard", "start"), ("weight", "width")])
def test_words_that_sound_otherwise_are_not(term: str, other: str) -> None:
    assert alike(term, other) < ALIKE


@pytest.mark.parametrize(
    ("verdict", "sure", "kept"),
    [(Verdict.MISSING, True, True), (Verdict.MISSING, False, True), (Verdict.MET, True, False)],
)
def test_only_a_point_that_seems_lost_carries_it(verdict, sure, kept):
    evidence = ((0, 2),) if verdict is Verdict.MET else ()
    made = CriterionVerdict(id="c", credit=0.4, verdict=verdict, sure=sure, evidence=evidence)
    criterion = Criterion(id="c", text="Adds weight decay.")
    found = with_doubtful(made, criterion, heard("it adds wait decay", unsure=["wait"]))
    assert found.doubtful == (("weight",) if kept else ())


def test_the_grade_carries_what_may_have_been_misheard_and_credits_nothing_for_it():
    rubric = Rubric(criteria=(Criterion(id="c", text="Adds weight decay."),))
    words = tuple(heard("it adds wait decay", unsure=["wait"]))
    plain = GradeRequest(question="What does it do?", rubric=rubric, answer="it adds wait decay")
    grader = RubricGrader(FixedJudge((0.05, 0.05, 0.8, 0.1)), BagOfWords(), Unrelated())
    without, with_words = grader.grade(plain), grader.grade(plain.model_copy(update={"heard": words}))
    assert without.criteria[0].doubtful == ()
    assert with_words.criteria[0].doubtful == ("weight",)
    assert with_words.score == without.score

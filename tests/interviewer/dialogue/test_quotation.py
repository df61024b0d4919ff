"""What of a person's words is quoted in a follow-up."""

from __future__ import annotations

import pytest

from interviewer.dialogue.quotation import clause, excerpt, quotation
from interviewer.session.events import AnswerGraded, NearestWords
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Verdict
from tests.interviewer.builders import at

POINT = Criterion(id="c0", text="A leaf keeps its gradient.", probe="Where does the gradient end up?")


def grade(*spans: tuple[int, int]) -> Grade:
    made = Verdict.PARTIAL if spans else Verdict.MISSING
    verdict = CriterionVerdict(id="c0", credit=0.5 if spans else 0.0, verdict=made, sure=True, evidence=spans)
    return Grade(
        score=verdict.credit,
        criteria=(verdict,),
        engine=Engine(judge="j/1", model="m", digest="0", rubric_version="1"),
        seconds=0.1,
    )


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("the leaf keeps it,", "the leaf keeps it"),
        ("The rest, hmm, the rows of one user are alike.", "The rest, the rows of one user are alike"),
        (
            "Since Volta every thread has a program counter of its own, and so the two paths are executed together.",
            "Since Volta every thread has a program counter of its own",
        ),
        (
            "With dropout, both forms are equally safe, since F dot dropout consults the mode of the model.",
            "With dropout, both forms are equally safe",
        ),
        (
            "It holds results for the tokens so far, so you don't run the whole prompt through the network again.",
            "It holds results for the tokens so far",
        ),
        (
            "If eight of them spend a third on talking, I'd go to sixteen, because each one then has less to compute.",
            "If eight of them spend a third on talking, I'd go to sixteen",
        ),
        ("If eight of them spend a third on talking I would go to sixteen cards as each then has less.", ""),
        (
            "but also the way in which the label depends on them alters",
            "the way in which the label depends on them alters",
        ),
        (
            "Autograd keeps the sum of all gradients there and adds to it with each pass that is made.",
            "Autograd keeps the sum of all gradients there",
        ),
        ("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen", ""),
        ("loss.backward() does it", ""),
        ("That's why GPT is used for generating.", "That's why GPT is used for generating"),
        ("So that’s what the mask does.", "that’s what the mask does"),
        ("<b>x</b>", ""),
        (
            "So, I ended up with, uh, a third thing in there, which is a counter that is never the same.",
            "I ended up with a third thing in there",
        ),
        (
            "It, it decides what, what is kept, and I was the the one who ran it",
            "It decides what is kept, and I was the one who ran it",
        ),
        (
            "The cure is more workers, more workers are always better, it never gets slower.",
            "The cure is more workers, more workers are always better, it never gets slower",
        ),
        ("It it stays within, uh, ten minutes", "It stays within ten minutes"),
        ("I think, I think the the shards are even", "I think the shards are even"),
        ("It knows that that graph had had a hook", "It knows that that graph had had a hook"),
        ("um", ""),
        ("", ""),
    ],
)
def test_a_clause_is_whole_short_and_can_be_said(said: str, quote: str) -> None:
    assert clause(said) == quote


def graded(said: str, *spans: tuple[int, int], nearest: tuple[NearestWords, ...] = ()) -> AnswerGraded:
    return AnswerGraded(
        id="g", at=at(1), asked_id="q", answer_id="a", graded_text=said, grade=grade(*spans), nearest=nearest
    )


def test_what_is_quoted_is_about_the_point() -> None:
    said = "Batches stay large here. The gradients are kept."
    assert quotation(POINT, graded(said, (0, 23))) == ""
    assert quotation(POINT, graded(said, (0, 23), (24, 47))) == "The gradients are kept."


def test_a_short_sentence_is_quoted_whole_and_of_a_long_one_the_clause_that_is_meant() -> None:
    short = "The loop runs over ten batches, and then the leaf keeps its gradient until somebody clears it."
    assert quotation(POINT, graded(short, (0, len(short)))) == short
    begins = (
        "The loop runs over ten batches of thirty two samples each on all of the cards that we have in the two racks"
    )
    long = f"{begins}, {short[32:]}"
    assert quotation(POINT, graded(long, (0, len(long)))) == "… the leaf keeps its gradient until somebody clears it."


LONG = (
    "The chain rule says it takes the local derivative, multiplies the incoming gradient by it and then passes the "
    "product on to every input of that node, because it needs a gradient for each of them in the end."
)


@pytest.mark.parametrize(
    ("begins", "quote"),
    [
        ("The chain", ""),
        ("multiplies", ""),
        ("because", "… it needs a gradient for each of them in the end."),
    ],
)
def test_a_quotation_never_begins_in_mid_air(begins: str, quote: str) -> None:
    assert excerpt(LONG, LONG.index(begins)) == quote


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("so I'd call detach", "I'd call detach."),
        ("Is it kept in the leaf? I think so.", "Is it kept in the leaf?"),
        ("the leaf keeps it; the rest is freed", "The leaf keeps it."),
        ("Use x[0] here. It is kept.", ""),
    ],
)
def test_a_quotation_is_written_as_a_sentence(said: str, quote: str) -> None:
    assert excerpt(said, 0) == quote


def test_the_words_that_the_encoder_found_come_first() -> None:
    said = "The gradients are kept. It holds on to the number there."
    near = NearestWords(criterion_id="c0", span=(24, len(said)), likeness=0.8)
    assert quotation(POINT, graded(said, (0, 23), nearest=(near,))) == "It holds on to the number there."
    unclear = near.model_copy(update={"lead": 0.05})
    assert quotation(POINT, graded(said, (0, 23), nearest=(unclear,))) == ""
    other = near.model_copy(update={"criterion_id": "c1"})
    assert quotation(POINT, graded(said, (0, 23), nearest=(other,))) == "The gradients are kept."


def test_what_has_no_evidence_has_no_quotation() -> None:
    assert quotation(POINT, None) == ""
    assert quotation(POINT, graded("words")) == ""
    assert quotation(POINT.model_copy(update={"id": "c1"}), graded("leaf", (0, 4))) == ""

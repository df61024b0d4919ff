"""Which statements of an answer a point of the bank speaks against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.claim_reader import ClaimReader
from interviewer.engine.grading_coordinator import resting_on
from knowledge.model import Kind, Question
from rubric.grading.grader import GradeRequest
from rubric.model import Criterion, CriterionVerdict, Grade, Rubric, Verdict
from serving.arrays import FloatArray
from serving.encoders.cross_encoder import Pair
from serving.errors import ServerGoneError
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.engine.test_answer_reader import WordEncoder

OWN = question("own", text="What does the copy do?")
POINT = Criterion(id="c1", text="The memory of the copy holds no zeros at first.")
ASKED = OWN.model_copy(update={"rubric": Rubric(criteria=(POINT,), origin="bank")})
ELSEWHERE = Criterion(id="c9", text="Each worker reads its own part of the stream.")
OTHER = question("other", text="How do workers share a stream?").model_copy(
    update={"rubric": Rubric(criteria=(ELSEWHERE,), origin="bank")}
)
WRONG = "The memory of the copy holds zeros at first."
WRONG_ELSEWHERE = "Each worker reads all of the stream, not its own part."
RIGHT = "The memory of the copy holds no zeros at first, so fill it."


class Opposing:
    """Holds some pairs of texts for opposites, and counts what it reads."""

    def __init__(self, *sentences: str) -> None:
        self.sentences, self.pairs, self.times = sentences, list[Pair](), 0

    def read(self, pairs: Sequence[Pair]) -> FloatArray:
        self.pairs += pairs
        self.times += 1
        chances = [(0.05, 0.9, 0.05) if said in self.sentences else (0.9, 0.05, 0.05) for _, said in pairs]
        return np.log(np.array(chances, dtype=np.float32).reshape(-1, 3))


class Judge(KeywordGrader):
    """Holds some sentences for the opposite of whatever it reads them beside."""

    def __init__(self, *sentences: str) -> None:
        super().__init__()
        self.sentences, self.read = sentences, list[str]()

    def grade(self, request: GradeRequest) -> Grade:
        self.read.append(request.answer)
        chance = 0.97 if request.answer in self.sentences else 0.1
        verdict = CriterionVerdict(
            id=request.rubric.criteria[0].id, credit=0.0, verdict=Verdict.MISSING, sure=False, contradicted=chance
        )
        return super().grade(request).model_copy(update={"criteria": (verdict,)})


def reader(opposing: Opposing, judge: KeywordGrader, *shelf: Question) -> ClaimReader:
    return ClaimReader(Shelf([ASKED, OTHER, *shelf]), judge, WordEncoder(), opposing)


def test_a_statement_is_doubted_where_both_say_that_a_point_speaks_against_it() -> None:
    wrong = (WRONG, WRONG_ELSEWHERE)
    text = f"{RIGHT} {WRONG} {WRONG_ELSEWHERE}"
    found = reader(Opposing(*wrong), Judge(*wrong)).doubted(ASKED, text)
    assert {(text[slice(*claim.span)], claim.question_id, claim.criterion_id) for claim in found} == {
        (WRONG, "own", "c1"),
        (WRONG_ELSEWHERE, "other", "c9"),
    }
    assert {claim.point for claim in found} == {POINT.text, ELSEWHERE.text}


@pytest.mark.parametrize(("opposing", "judged"), [((WRONG,), ()), ((), (WRONG,))])
def test_one_of_them_alone_is_not_enough(opposing: tuple[str, ...], judged: tuple[str, ...]) -> None:
    assert reader(Opposing(*opposing), Judge(*judged)).doubted(ASKED, WRONG) == ()


def test_the_judge_reads_only_what_the_cross_encoder_holds_for_opposed() -> None:
    judge = Judge(WRONG)
    reader(Opposing(WRONG), judge).doubted(ASKED, f"{RIGHT} {WRONG}")
    assert judge.read == [WRONG]


def test_a_sentence_is_read_once_however_often_its_answer_is_graded() -> None:
    opposing, judge = Opposing(WRONG), Judge(WRONG)
    once = reader(opposing, judge)
    first = once.doubted(ASKED, WRONG)
    read = len(opposing.pairs)
    again = once.doubted(ASKED, f"{WRONG} {RIGHT}")
    assert [claim.point for claim in again] == [claim.point for claim in first]
    assert judge.read == [WRONG]
    assert WRONG not in [said for _, said in opposing.pairs[read:]]


def test_all_sentences_of_an_answer_are_read_as_one_batch() -> None:
    opposing = Opposing(WRONG)
    reader(opposing, Judge(WRONG)).doubted(ASKED, f"{RIGHT} {WRONG} {WRONG_ELSEWHERE}")
    assert {said for _, said in opposing.pairs} == {RIGHT, WRONG, WRONG_ELSEWHERE}
    assert opposing.times == 1


def test_what_was_read_before_the_judge_failed_is_not_read_again() -> None:
    class Failing(Judge):
        fails = True

        def grade(self, request: GradeRequest) -> Grade:
            if self.fails and request.answer == WRONG_ELSEWHERE:
                raise ServerGoneError("The model server is not there.")
            return super().grade(request)

    judge = Failing(WRONG, WRONG_ELSEWHERE)
    once = reader(Opposing(WRONG, WRONG_ELSEWHERE), judge)
    assert once.doubted(ASKED, f"{WRONG} {WRONG_ELSEWHERE}") == ()
    judge.fails = False
    assert len(once.doubted(ASKED, f"{WRONG} {WRONG_ELSEWHERE}")) == 2
    assert judge.read.count(WRONG) == 1


@pytest.mark.parametrize("said", ["The memory of the copy holds zeros at first?", "It holds zeros."])
def test_questions_and_scraps_are_not_read(said: str) -> None:
    opposing = Opposing(said)
    assert reader(opposing, Judge(said)).doubted(ASKED, said) == ()
    assert opposing.pairs == []


def test_a_story_is_not_read() -> None:
    story = ASKED.model_copy(update={"kind": Kind.BEHAVIORAL})
    assert reader(Opposing(WRONG), Judge(WRONG)).doubted(story, WRONG) == ()


class Gone(KeywordGrader):
    """A judge that is not there."""

    def grade(self, request: GradeRequest) -> Grade:
        raise ServerGoneError("The server is gone.")


def test_a_judge_that_is_gone_costs_no_mark() -> None:
    assert reader(Opposing(WRONG), Gone()).doubted(ASKED, WRONG) == ()


def test_without_encoders_nothing_is_found() -> None:
    assert ClaimReader(Shelf([ASKED]), Judge(WRONG), None, Opposing(WRONG)).doubted(ASKED, WRONG) == ()
    assert AnswerReader(WordEncoder()).doubted(ASKED, WRONG) == ()


def test_a_contradiction_rests_on_the_sentence_that_says_the_opposite() -> None:
    text = f"{RIGHT} {WRONG} It is what I have read."
    contradicted = CriterionVerdict(
        id="c1", credit=0.1, verdict=Verdict.CONTRADICTED, sure=True, contradicted=0.95, evidence=((0, len(RIGHT)),)
    )
    marks = KeywordGrader().grade(GradeRequest(question=ASKED.text, rubric=Rubric(criteria=(POINT,)), answer=text))
    marks = marks.model_copy(update={"criteria": (contradicted,)})
    answers = AnswerReader(WordEncoder(), reader(Opposing(WRONG), Judge(WRONG)))
    opposing = answers.opposing_words(ASKED, text, marks)
    assert {name: text[slice(*span)] for name, span in opposing.items()} == {"c1": WRONG}
    (found,) = resting_on(marks, opposing).criteria
    assert [text[slice(*span)] for span in found.evidence] == [WRONG]
    assert [text[slice(*each.span)] for each in answers.nearest(ASKED, text, marks, opposing)] == [WRONG]
    unfound = AnswerReader(WordEncoder(), reader(Opposing(), Judge()))
    assert unfound.opposing_words(ASKED, text, marks) == {}
    assert resting_on(marks, {}) == marks


class Head:
    """Holds some statements for false by themselves."""

    def __init__(self, *false: str, odds: float = 4.0) -> None:
        self.false, self.odds, self.read = false, odds, list[str]()

    def doubts(self, question: str, said: Sequence[str]) -> FloatArray:
        self.read += said
        return np.array([self.odds if each in self.false else -1.0 for each in said], dtype=np.float32)


UNASKED = "A copy made this way is always freed by the driver as soon as its stream has nothing left to do."


def doubting(*false: str, opposing: str = "", odds: float = 4.0) -> ClaimReader:
    head = Head(*false, odds=odds)
    return ClaimReader(Shelf([ASKED, OTHER]), Judge(opposing), WordEncoder(), Opposing(opposing), head)


def test_what_no_point_speaks_of_is_doubted_where_it_seems_false_by_itself() -> None:
    text = f"{WRONG} {UNASKED} {RIGHT}"
    first, second = doubting(UNASKED, opposing=WRONG).doubted(ASKED, text)
    assert (text[slice(*first.span)], first.criterion_id) == (WRONG, "c1")
    assert (text[slice(*second.span)], second.question_id, second.criterion_id, second.point) == (
        UNASKED,
        "own",
        "",
        "",
    )
    assert second.opposed == pytest.approx(1 / (1 + np.exp(-4.0)))


@pytest.mark.parametrize(("odds", "kept", "told"), [(1.5, True, False), (1.8, False, False), (2.31, False, True)])
def test_what_is_less_surely_false_is_not_told_and_not_kept(odds: float, *, kept: bool, told: bool) -> None:
    found = doubting(UNASKED, odds=odds).doubted(ASKED, UNASKED)
    assert (found == ()) is kept
    assert [each.told for each in found] == ([] if kept else [told])
    assert not any(each.quotable for each in found)


def test_a_statement_is_doubted_once_and_for_the_point_that_speaks_against_it() -> None:
    long = f"{WRONG[:-1]}, as far as anybody can tell from reading it."
    (found,) = doubting(long, opposing=long).doubted(ASKED, long)
    assert found.criterion_id == "c1"


@pytest.mark.parametrize("said", ["The copy is freed by the driver at once.", f"{UNASKED[:-1]}?"])
def test_short_statements_and_questions_are_not_read_by_themselves(said: str) -> None:
    assert doubting(said).doubted(ASKED, said) == ()


def test_a_statement_alone_is_doubted_where_it_seems_false_and_the_model_can_be_asked() -> None:
    assert doubting(UNASKED).seems_false(ASKED, UNASKED)
    assert not doubting(UNASKED).seems_false(ASKED, RIGHT)
    assert not reader(Opposing(), Judge()).seems_false(ASKED, UNASKED)
    assert not ClaimReader(Shelf([ASKED]), Judge(), WordEncoder(), Opposing(), NoHead()).seems_false(ASKED, UNASKED)


class NoHead(Head):
    """A head whose model is gone."""

    def doubts(self, question: str, said: Sequence[str]) -> FloatArray:
        raise ServerGoneError("The server is gone.")

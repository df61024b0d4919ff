"""Which words of an answer come nearest to a point, and that nobody is asked for what they said."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from interviewer.dialogue.quotation import quotation
from interviewer.engine.answer_reader import AnswerReader
from interviewer.engine.service import InterviewService
from interviewer.session.events import FollowUpAsked
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest, unscored
from rubric.model import Criterion, Examples, Rubric
from serving.arrays import FloatArray
from serving.errors import ModelMissingError
from tests.interviewer.builders import KeywordGrader, Shelf, keyword_grade, question

POINT = Criterion(
    id="c-masking",
    text="The pretraining task is masked words.",
    weight=3,
    probe="Which task is solved in pretraining?",
    examples=Examples(
        met=("Words are hidden and the model guesses the hidden words.",),
        contradicted=("It predicts the next word from the left alone.",),
        near=(),
    ),
)
OTHER = Criterion(id="c-pairs", text="Sentence pairs are told apart.", weight=1, probe="And the second task?")
ASKED = question("q", text="How is it trained?", rubric=Rubric(criteria=(POINT, OTHER)))
ANSWER = "It reads a lot of text, because there is plenty of it, and it learns by words being hidden and guesses them."


class WordEncoder:
    """Texts are as alike as the words they share."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    @property
    def name(self) -> str:
        return "words"

    @property
    def dim(self) -> int:
        return 384

    def embed(self, texts: Sequence[str]) -> FloatArray:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(".", "").replace(",", "").split():
                vectors[row, self._places.setdefault(word, len(self._places))] = 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Missing(WordEncoder):
    def embed(self, texts: Sequence[str]) -> FloatArray:
        raise ModelMissingError("It is not there.")


class Broken(WordEncoder):
    def embed(self, texts: Sequence[str]) -> FloatArray:
        raise RuntimeError("CUDA out of memory")


def request(text: str) -> GradeRequest:
    assert ASKED.rubric is not None
    return GradeRequest(question=ASKED.text, rubric=ASKED.rubric, answer=text)


def test_the_clause_that_comes_nearest_is_found() -> None:
    near = AnswerReader(WordEncoder()).nearest(ASKED, ANSWER, keyword_grade(request(ANSWER)))
    assert [each.criterion_id for each in near] == ["c-masking", "c-pairs"]
    assert ANSWER[slice(*near[0].span)].startswith("and it learns by words being hidden")
    assert near[0].likeness > near[1].likeness


def test_of_a_contradicted_point_the_words_nearest_to_the_opposite_are_found() -> None:
    said = "Words are hidden here. It predicts the next word from the left. Masking never happens, never masking."
    marks = keyword_grade(request(said))
    near = AnswerReader(WordEncoder()).nearest(ASKED, said, marks)
    assert said[slice(*near[0].span)] == "It predicts the next word from the left."


@pytest.mark.parametrize(("encoder", "text"), [(Missing(), ANSWER), (Broken(), ANSWER), (WordEncoder(), "  ")])
def test_where_nothing_can_be_read_nothing_is_found(encoder: WordEncoder, text: str) -> None:
    assert AnswerReader(encoder).nearest(ASKED, text, keyword_grade(request(ANSWER))) == ()


def test_an_answer_that_was_too_long_to_be_graded_is_not_read_either() -> None:
    marks = keyword_grade(request(ANSWER))
    none = tuple(unscored(criterion, "It is too long.") for criterion in (POINT, OTHER))
    assert AnswerReader(WordEncoder()).nearest(ASKED, ANSWER, marks.model_copy(update={"criteria": none})) == ()


def test_a_mark_is_kept_when_looking_for_the_nearest_words_breaks(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([ASKED]), KeywordGrader(), patience_s=None, encoder=Broken()) as made,
    ):
        session = made.start(Plan(question_ids=("q",), follow_ups=0))
        made.answer(session, ANSWER, "a", literally=True)
        assert len(made.advance(session).asked[0].grades) == 1


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([ASKED]), KeywordGrader(), patience_s=None, encoder=WordEncoder()) as made,
    ):
        yield made


def test_nobody_is_asked_for_what_they_said(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q",), follow_ups=2))
    service.answer(session, "Words are hidden and the model guesses the hidden ones.", "a")
    first = service.advance(session).asked[0].follow_ups[0]
    assert (first.kind, first.criterion_id) == (FollowUpKind.MISSING, "c-pairs")
    service.answer(session, "There is none that I know by name, sadly so.", "b")
    second = service.advance(session).asked[0].follow_ups[1]
    assert (second.kind, second.criterion_id) == (FollowUpKind.UNSURE, "c-masking")
    assert "Words are hidden and the model guesses the hidden ones" in second.said
    assert POINT.probe not in second.said


def test_the_quotation_is_of_the_sentence(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("q",), follow_ups=2))
    service.answer(session, ANSWER, "a")
    graded = service.advance(session).asked[0].grades[0]
    assert quotation(POINT, graded) == ANSWER


def test_while_the_mark_is_still_to_come_nobody_is_asked_for_what_they_said(tmp_path: Path) -> None:
    """The heaviest point was just made; the judge has not read it yet."""
    release = threading.Event()

    def hang(request: GradeRequest) -> None:
        assert release.wait(60)

    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(
            journal, Shelf([ASKED]), KeywordGrader(hang), patience_s=0.01, encoder=WordEncoder()
        ) as service,
    ):
        session = service.start(Plan(question_ids=("q",), follow_ups=3))
        try:
            service.answer(session, "Words are hidden and the model guesses the hidden words.", "a1", literally=True)
            (first,) = _follow_ups(service, session, 1)
            assert (first.kind, first.criterion_id) == (FollowUpKind.UNGRADED, "c-pairs")
            assert first.said.endswith("And the second task?")
            # Now all of it was said: nothing is left to ask.
            service.answer(session, "Sentence pairs are told apart.", "a2", literally=True)
            end = time.monotonic() + 60
            while not service.state(session).asked[0].closed:
                assert time.monotonic() < end, "it was not closed"
                time.sleep(0.01)
            assert len(service.state(session).asked[0].follow_ups) == 1
        finally:
            release.set()


def _follow_ups(service: InterviewService, session: str, count: int) -> tuple[FollowUpAsked, ...]:
    """The follow-ups once there are so many."""
    end = time.monotonic() + 60
    while len(found := service.state(session).asked[0].follow_ups) < count:
        assert time.monotonic() < end, "no follow-up came"
        time.sleep(0.01)
    return found

"""A term that recognition may have taken for another word is asked about before its point is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from interviewer.speech.delivery import Delivery
from interviewer.speech.field_terms import is_field_term
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.storage.sqlite_journal import Journal
from rubric.grading.grader import GradeRequest
from rubric.grading.misheard_terms import all_with_doubtful
from rubric.model import Grade
from serving.speech.stt.transcript import Word
from tests.interviewer.builders import KeywordGrader, Shelf, keyword_grade, question

WORDS = (
    Word(text="alpha", start=0.0, end=0.4, probability=0.95),
    Word(text="momentim", start=0.5, end=0.9, probability=0.3),
)
TOLD = SpokenAnswer(
    heard="alpha momentim",
    written="alpha momentim",
    words=WORDS,
    delivery=Delivery(
        duration=1.0, words=2, pace=0.0, talking=0.9, longest_pause=0.1, longest_pause_at=0.4, pauses=0, restarts=0
    ),
)


class Listening(KeywordGrader):
    """Marks by keywords, and tells what may have been misheard as the real grader does."""

    def grade(self, request: GradeRequest) -> Grade:
        marked = keyword_grade(request)
        verdicts = all_with_doubtful(marked.criteria, request.rubric, request.heard)
        return marked.model_copy(update={"criteria": verdicts})


def asked_after(folder: Path, *texts: str, keywords: tuple[str, ...] = ("alpha", "momentum")) -> AskedQuestion:
    """The question after its answers, the first of which was spoken and the others typed."""
    held = question("q", keywords=keywords, text="What helps?")
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, Shelf([held]), Listening(), patience_s=None) as service,
    ):
        session = service.start(Plan(question_ids=("q",), follow_ups=2))
        for number, text in enumerate(texts):
            service.answer(session, text, f"a{number}", spoken=None if number else TOLD)
            service.advance(session)
        return service.state(session).asked[0]


def test_a_doubtful_word_near_a_missing_term_is_asked_about(tmp_path: Path) -> None:
    follow_up = asked_after(tmp_path, "alpha momentim").follow_ups[0]
    assert follow_up.kind is FollowUpKind.MISHEARD
    assert follow_up.criterion_id == "c-momentum"
    assert "Did you say “momentum”?" in follow_up.said


def test_what_the_person_corrected_was_not_misheard(tmp_path: Path) -> None:
    assert asked_after(tmp_path, "alpha alone").follow_ups[0].kind is FollowUpKind.MISSING


def test_a_checked_word_takes_no_follow_up_and_is_checked_once(tmp_path: Path) -> None:
    kinds = [each.kind for each in asked_after(tmp_path, "alpha momentim", "yes", "no", "no").follow_ups]
    assert kinds == [FollowUpKind.MISHEARD, FollowUpKind.MISSING, FollowUpKind.EVIDENCE]


def test_what_is_no_term_of_the_field_is_never_taken_for_misheard(tmp_path: Path) -> None:
    marked = asked_after(tmp_path, "alpha momentim", keywords=("alpha", "moment"))
    assert marked.grades[0].grade.verdict("c-moment").doubtful == ("moment",)
    assert marked.follow_ups[0].kind is FollowUpKind.MISSING


def test_nothing_was_misheard_of_what_was_typed(tmp_path: Path) -> None:
    held = question("q", keywords=("alpha", "beta", "momentum"), text="What helps?")
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([held]), Listening(), patience_s=None) as service,
    ):
        session = service.start(Plan(question_ids=("q",), follow_ups=3))
        service.answer(session, "perhaps alpha momentim, hmm...", "a0", spoken=TOLD)
        service.advance(session)
        service.answer(session, "and the rest I type", "a1")
        follow_ups = service.advance(session).asked[0].follow_ups
    assert follow_ups
    assert FollowUpKind.MISHEARD not in {each.kind for each in follow_ups}


@pytest.mark.parametrize("word", ["momentum", "all_reduce", "BatchNorm2d", "SGD", "bf16", "softmax", "logits"])
def test_terms_of_the_field(word: str) -> None:
    assert is_field_term(word)


@pytest.mark.parametrize("word", ["losses", "each", "global", "literally", "match", "memory", "guess", "data"])
def test_everyday_words_are_no_terms(word: str) -> None:
    assert not is_field_term(word)

"""A statement that a point of the bank speaks against is asked about, in the person's words, and in no others."""

from __future__ import annotations

from pathlib import Path

from interviewer.engine.claim_reader import ClaimReader
from interviewer.engine.service import InterviewService
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import State
from interviewer.storage.sqlite_journal import Journal
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.engine.test_answer_reader import WordEncoder
from tests.interviewer.engine.test_claim_reader import ASKED, OTHER, RIGHT, WRONG_ELSEWHERE, Judge, Opposing


def held(folder: Path, *answers: str) -> State:
    """An interview on one question, in which one sentence is doubted."""
    shelf = Shelf([ASKED, OTHER])
    claims = ClaimReader(shelf, Judge(WRONG_ELSEWHERE), WordEncoder(), Opposing(WRONG_ELSEWHERE))
    plan = Plan(length=1, follow_ups=2, question_ids=("own",))
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=None, claims=claims) as service,
    ):
        session = service.start(plan)
        for number, text in enumerate(answers):
            service.answer(session, text, f"a{number}")
            service.advance(session)
        return service.state(session)


def test_it_is_asked_about_once_and_nobody_is_told_that_it_is_wrong(tmp_path: Path) -> None:
    state = held(tmp_path, f"{RIGHT} {WRONG_ELSEWHERE}", "I have read it in the documentation, and it is so.")
    asked = state.asked[0]
    assert [claim.criterion_id for claim in asked.grades[-1].claims] == ["c9"]
    assert [each.kind for each in asked.follow_ups].count(FollowUpKind.CLAIM) == 1
    said = asked.follow_ups[0].said
    assert WRONG_ELSEWHERE in said
    assert said.endswith("?")
    assert not any(word in said for word in ("wrong", "not right", "differently"))


def test_where_nothing_is_doubted_nothing_is_checked(tmp_path: Path) -> None:
    state = held(tmp_path, RIGHT)
    assert state.asked[0].grades[-1].claims == ()
    assert all(each.kind is not FollowUpKind.CLAIM for each in state.asked[0].follow_ups)

"""What a mentor reads and overrides, and what nobody else does; in files and in PostgreSQL."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.engine.review_service import ReviewService
from interviewer.engine.session_store import SessionStore
from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.schema.findings import View
from interviewer.session.reducer import fold
from interviewer.web.mentor.group_reader import GroupReader, OverrideWish
from rubric.model import Verdict
from serving.errors import BadInputError, StorageError
from tests.interviewer.web.mentor.group import HIS, LIVE, OVER, SAID, Groups

STRANGERS = ("alan", "joan", "ada", "new", "eve", "nobody", "", None)
"""Everybody but the mentor of Ada's group: other groups' mentors, candidates, herself, nobody."""

WISH = OverrideWish("ada", OVER, "1:c1", "met", "Said in other words.", "r1")


def first_point(reader: GroupReader) -> str:
    """The first point of Ada's that was not made."""
    questions = reader.report("grace", "ada", OVER).questions
    return next(f"{one.number}:{each.id}" for one in questions for each in one.criteria if each.verdict != Verdict.MET)


def stored(groups: Groups) -> dict[str, int]:
    """How many events everybody has."""
    found = {}
    for name in ("ada", "ben"):
        with groups.journal(name) as journal:
            found[name] = sum(len(journal.events(one.id)) for one in journal.sessions())
    return found


def test_a_mentor_lists_the_interviews_of_their_group(groups: Groups) -> None:
    listed = groups.reader.listed("grace")
    assert {(one.candidate, one.summary.id, one.summary.ended) for one in listed.interviews} == {
        ("ada", OVER, True),
        ("ada", LIVE, False),
    }
    by_id = {one.summary.id: one.score for one in listed.interviews}
    assert by_id[LIVE].score is None
    with groups.journal("ada") as journal:
        standing = findings(OVER, fold(journal.events(OVER))).standing
    assert standing is not None
    assert (by_id[OVER].score, by_id[OVER].interval) == (standing.score, standing.likely)
    assert (listed.more, listed.unread) == (0, ())
    assert [one.summary.id for one in groups.reader.listed("alan").interviews] == [HIS]
    # Who has held none has nothing made for them.
    if groups.url is None:
        assert not (groups.home / "profiles" / "new").exists()


def test_a_mentor_reads_what_was_said_without_notes_or_coaching(groups: Groups) -> None:
    live = groups.reader.report("grace", "ada", LIVE)
    assert live.ended is None
    assert SAID in [turn.text for turn in live.questions[0].transcript]
    over = groups.reader.report("grace", "ada", OVER)
    assert over.view is View.INTERVIEWER
    assert (over.notes, over.study, over.fix) == ("", (), None)
    assert not any(question.reference or question.reference_sentences for question in over.questions)


def test_nobody_else_reads_or_overrides_anything(groups: Groups) -> None:
    reader, before = groups.reader, stored(groups)
    for who in STRANGERS:
        assert {one.candidate for one in reader.listed(who).interviews} == ({"ben"} if who == "alan" else set())
        for candidate, session in (("ada", OVER), ("ada", LIVE), ("new", OVER), ("", OVER), ("../ada", OVER)):
            with pytest.raises(BadInputError, match="no such interview in your group"):
                reader.report(who, candidate, session)
            with pytest.raises(BadInputError, match="no such interview in your group"):
                reader.override(who, WISH._replace(candidate=candidate, session=session))
    # Nor by naming a candidate of theirs with somebody else's interview.
    with pytest.raises(BadInputError, match="no such interview in your group"):
        reader.report("alan", "ben", OVER)
    assert stored(groups) == before


def test_a_mentor_overrides_a_mark_once_and_the_candidates_report_names_them(groups: Groups) -> None:
    reader = groups.reader
    point = first_point(reader)
    number, _, criterion = point.partition(":")
    before = next(one.score.score for one in reader.listed("grace").interviews if one.summary.id == OVER)
    for _ in range(2):
        reader.override("grace", WISH._replace(point=point))
    with groups.journal("ada") as journal:
        hers = findings(OVER, fold(journal.events(OVER)))
    (found,) = [each for each in hers.questions[int(number) - 1].criteria if each.id == criterion]
    assert found.overridden is not None
    assert (found.verdict, found.overridden.by, found.overridden.note) == (Verdict.MET, "grace", "Said in other words.")
    assert hers.made.criteria_overridden == 1
    html = render_html(hers)
    assert "Overridden by <bdi>grace</bdi>" in html
    assert "Said in other words." in html
    # The list has the new score at once.
    after = next(one.score.score for one in reader.listed("grace").interviews if one.summary.id == OVER)
    assert before is not None
    assert after is not None
    assert after > before


REFUSED = (
    (WISH._replace(reason="  "), "needs a reason"),
    (WISH._replace(reason="x" * 2_001), "at most 2,000"),
    (WISH._replace(verdict="unscored"), "cannot be unscored"),
    (WISH._replace(point="9:c1"), "No question 9"),
    (WISH._replace(point=""), "No question"),
    (WISH._replace(point="1:nothing"), "has no point nothing"),
    (WISH._replace(session=LIVE, point="1:own"), "has no mark yet"),
    (WISH._replace(session=HIS), "no such interview"),
)


def test_what_cannot_be_overridden_is_told_and_nothing_is_stored(groups: Groups) -> None:
    before = stored(groups)
    for wish, told in REFUSED:
        with pytest.raises(BadInputError, match=told):
            groups.reader.override("grace", wish)
    assert stored(groups) == before


def test_the_journal_that_a_mentor_reads_takes_nothing(groups: Groups) -> None:
    """Whatever a fault of ours would do with it: the database itself refuses."""
    before = stored(groups)
    journal = groups.to_read("ada")
    assert journal is not None
    with journal, groups.journal("ben") as his:
        assert journal.holds(OVER)
        with pytest.raises(StorageError):
            journal.append(OVER, his.events(HIS)[0].model_copy(update={"id": "new"}))
        with suppress(StorageError):
            assert not journal.delete(OVER)
    assert stored(groups) == before


def test_a_candidate_whose_interviews_cannot_be_read_hides_nobody_elses(tmp_path: Path, home: Path) -> None:
    groups = Groups(tmp_path / "shared", None)
    groups.fill()
    with groups.journal("new") as journal:
        assert journal.sessions() == ()
    (groups.home / "profiles" / "new" / "journal.db").write_bytes(b"no database at all" * 100)
    listed = groups.reader.listed("grace")
    assert listed.unread == ("new",)
    assert len(listed.interviews) == 2


def test_a_candidate_goes_on_while_they_are_read(groups: Groups) -> None:
    reader = groups.reader
    with groups.journal("ada") as journal:
        reviews = ReviewService(SessionStore(journal, lambda: datetime.now(UTC)))
        for number in range(3):
            reviews.write_notes(LIVE, f"note {number}", f"n{number}")
            assert reader.report("grace", "ada", LIVE).notes == ""
        assert fold(journal.events(LIVE)).notes == "note 2"

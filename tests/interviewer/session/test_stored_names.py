"""What is stored keeps its names: an old journal gives the same state and the same report, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from interviewer.report.analysis.findings import findings
from interviewer.session.events import EVENT, Event
from interviewer.session.reducer import fold

FOLDER = Path(__file__).parent / "every_event"
"""A journal with an event of every kind, and the state and findings it gave before modules and classes were renamed."""

EVENTS = [EVENT.validate_json(line) for line in (FOLDER / "journal.jsonl").read_text(encoding="utf-8").splitlines()]

TYPES = """
    answer_declined answer_given answer_graded aside_taken board_drawn clarification_given code_ran confidence_stated
    criterion_self_assessed criterion_shown cut_short dispute_graded follow_up_asked grading_failed hint_given
    interview_ended interview_paused interview_resumed interview_started interviewer_replied mark_disputed
    mark_overridden mending_raised notes_written person_spoke question_asked question_closed question_finished
    question_repeated question_returned question_skipped return_wished story_forgotten talk_closed talk_opened
    time_called
"""


RENAMED = {"behavioural": "behavioral"}
"""The one kind that is read by its older name and written by its present one (``knowledge/model.py``)."""


def test_the_names_of_events_are_the_stored_ones() -> None:
    known = sorted(kind.model_fields["type"].default for kind in get_args(get_args(Event)[0]))
    assert known == TYPES.split()
    assert {event.type for event in EVENTS} == set(known)


def kept(old: Any, new: Any) -> bool:
    """Whether everything of an old value is in a new one; fields may have been added, and kinds are spelled anew."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(name in new and kept(value, new[name]) for name, value in old.items())
    if isinstance(old, list):
        return isinstance(new, list) and len(old) == len(new) and all(map(kept, old, new))
    return bool(RENAMED.get(old, old) == new) if isinstance(old, str) else bool(old == new)


def test_an_old_journal_loses_and_renames_nothing() -> None:
    lines = (FOLDER / "journal.jsonl").read_bytes().splitlines()
    assert all(
        kept(json.loads(line), json.loads(EVENT.dump_json(event))) for line, event in zip(lines, EVENTS, strict=True)
    )
    assert not kept({"a": [{"b": 1}]}, {"a": [{"c": 1}]})


def test_an_old_journal_folds_to_the_same_state() -> None:
    assert fold(EVENTS).model_dump_json(indent=1) + "\n" == (FOLDER / "state.json").read_text(encoding="utf-8")


def test_an_old_journal_gives_the_same_findings() -> None:
    found = findings("fixture", fold(EVENTS)).model_dump_json(indent=1) + "\n"
    assert found == (FOLDER / "findings.json").read_text(encoding="utf-8")

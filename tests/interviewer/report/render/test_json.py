from __future__ import annotations

import json
from datetime import timedelta

import jsonschema
import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.render.json import comparable, json_schema, render_json, schema_text
from interviewer.report.schema.findings import SCHEMA_VERSION, Findings
from interviewer.session.events import EVENT, Event
from interviewer.session.plan import SegmentKind
from interviewer.session.reducer import fold
from interviewer.session.state import State
from tests.interviewer.report.analysis.test_calibration import SURE, answered
from tests.interviewer.report.hour import hour
from tests.interviewer.report.sample_session import telling
from tests.locations import ROOT

PUBLISHED = ROOT / "docs" / "report.schema.json"


@pytest.mark.parametrize("state", [telling().state, hour().state, State()], ids=["full", "an hour", "empty"])
def test_the_report_reads_back_and_fits_its_schema(state: State) -> None:
    found = findings("s1", state)
    text = render_json(found)
    assert Findings.model_validate_json(text) == found
    assert json.loads(text)["schema_version"] == SCHEMA_VERSION
    jsonschema.Draft202012Validator(json_schema()).validate(json.loads(text))


def test_the_schema_refuses_what_is_no_report() -> None:
    data = json.loads(render_json(findings("s1", telling().state)))
    data["questions"][0]["final"] = 7
    validator = jsonschema.Draft202012Validator(json_schema())
    assert not validator.is_valid(data)
    assert not validator.is_valid({})


def test_the_published_schema_is_up_to_date() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), (
        "run: python -c \"from interviewer.report.render.json import schema_text; print(schema_text(), end='')\""
        " > docs/report.schema.json"
    )


def _with_talk_and_confidence() -> list[Event]:
    tell = answered(SURE, SURE, SURE)
    tell.talk(SegmentKind.THEIR_QUESTIONS, "Your turn.", ("What is a leaf?", "What you made.", "autograd.md, line 3"))
    return tell.events


def test_parts_without_marks_and_confidence_compare_equal_in_two_runs() -> None:
    events = _with_talk_and_confidence()
    first = comparable(findings("s1", fold(events)))
    assert first["talks"]
    assert first["confidence"]
    assert comparable(findings("s2", fold(_second_run(events)))) == first


def test_two_runs_of_one_interview_compare_equal_and_another_interview_does_not() -> None:
    events = telling().events
    first = comparable(findings("s1", fold(events)))
    assert comparable(findings("s2", fold(_second_run(events)))) == first
    other = [event for event in events if event.type != "hint_given"]
    assert comparable(findings("s1", fold(other))) != first
    assert "seconds" not in json.dumps(first)


def _second_run(events: list[Event]) -> list[Event]:
    """The same interview an hour later, slower, and with other ids."""
    text = json.dumps([EVENT.dump_python(event, mode="json") for event in events])
    for asked in range(1, 6):
        text = text.replace(f'"q{asked}', f'"run2-{asked}')
    text = text.replace('"talk-', '"talk2-')
    again = [EVENT.validate_python(item) for item in json.loads(text.replace('"seconds": 2.5', '"seconds": 9.5'))]
    return [event.model_copy(update={"at": event.at + timedelta(hours=1)}) for event in again]

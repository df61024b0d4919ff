"""The commands that lead on from a report: exports, overriding marks, comparisons, groups."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from icalendar import Calendar

from interviewer.cli.container import Container
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from tests.integration.commands import in_process
from tests.interviewer.report.sample_session import telling

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run() -> Run:
    """Runs a command in this process: exit status, stdout, stderr on one line."""
    return in_process


@pytest.fixture
def told(home: Path) -> Path:
    """A journal with the sample interview, twice."""
    with Journal(paths.journal()) as journal:
        for session in ("told", "again"):
            for event in telling().events:
                journal.append(session, event)
    return home


def test_a_study_plan_becomes_cards_and_dates(run: Run, told: Path, tmp_path: Path) -> None:
    cards, dates = tmp_path / "study.apkg", tmp_path / "study.ics"
    status, out, err = run("export-study", "told", "--anki", cards, "--calendar", dates)
    assert (status, out, err) == (0, "", "5 points to study.")
    assert "collection.anki2" in zipfile.ZipFile(cards).namelist()
    assert len(Calendar.from_ical(dates.read_bytes()).walk("VEVENT")) == 2
    assert run("export-study", "told")[0] == 2
    assert "does not exist" in run("export-study", "told", "--anki", tmp_path / "no" / "x.apkg")[2]


def test_an_overriding_mark_counts_in_the_report_and_the_judges_stays_in_the_journal(run: Run, told: Path) -> None:
    before = json.loads(run("report", "told", "--format", "json")[1])
    status, _, err = run("override", "told", "3", "pinned", "met", "--by", "Ada", "--note", "Said so.")
    assert (status, err) == (0, "Overridden. The report counts the new mark and says so.")
    after = json.loads(run("report", "told", "--format", "json")[1])
    assert after["questions"][2]["criteria"][1]["overridden"]["by"] == "Ada"
    assert after["questions"][2]["final"] > before["questions"][2]["final"]
    with Journal(paths.journal()) as journal:
        grades = [event for event in journal.events("told") if event.type == "answer_graded"]
        assert grades == [event for event in telling().events if event.type == "answer_graded"]
    assert "No question 9" in run("override", "told", "9", "1", "met", "--by", "Ada")[2]
    assert run("override", "told", "3", "1", "unscored", "--by", "Ada")[0] == 2


def test_the_interviewers_view_is_the_same_without_coaching(run: Run, told: Path) -> None:
    person = run("report", "told", "--format", "md")[1]
    interviewer = run("report", "told", "--format", "md", "--view", "interviewer")[1]
    assert "Your plan" in person
    assert "Your plan" not in interviewer
    assert "app.py override told 3 POINT MARK" in interviewer


def test_interviews_are_compared(run: Run, told: Path) -> None:
    found = json.loads(run("compare", "told", "again", "--format", "json")[1])
    assert [row["question_id"] for row in found["questions"]][:2] == ["autograd-leaf-grad", "ddp-buckets"]
    assert "# Interviews compared" in run("compare", "told", "again")[1]
    assert run("compare", "told", "again", "--format", "html")[1].startswith("<!DOCTYPE html>")
    assert "cannot be compared" in run("compare", "told", "told")[2]
    assert "no interview nobody" in run("compare", "told", "nobody")[2]


def test_a_group_is_summarized_with_and_without_names(run: Run, told: Path, tmp_path: Path) -> None:
    files = [tmp_path / "Ada.json", tmp_path / "Bo.json"]
    for file, session in zip(files, ("told", "again"), strict=True):
        assert run("report", session, "--format", "json", "-o", file)[0] == 0
    named, bare = run("group", *files)[1], run("group", *files, "--anonymous")[1]
    assert "| Ada |" in named
    assert "Ada" not in bare
    assert "| Each process averages its gradients with all others by an all\\-reduce." in bare.replace("all-", "all\\-")
    (tmp_path / "Cy.json").write_text('{"schema_version": 1}')
    assert "is not a report" in run("group", tmp_path / "Cy.json")[2]
    (tmp_path / "Di.json").write_text(files[0].read_text())
    assert "the same interview" in run("group", files[0], tmp_path / "Di.json")[2]
    (tmp_path / "Ed.json").write_text(files[0].read_text().replace('"schema_version": 1', '"schema_version": 99'))
    assert "version 99" in run("group", tmp_path / "Ed.json")[2]
    assert "cannot be read" in run("group", tmp_path / "Flo.json")[2]


def test_a_mark_is_disputed_read_again_and_both_readings_are_shown(run: Run, told: Path, container: Container) -> None:
    status, out, err = run("dispute", "told", "3", "2", "--reason", "I said it in other words.")
    assert status == 0, err
    assert "Point 2: Pinned memory lets copies to the device run beside computation." in out
    assert "First reading, of everything you said: missing, credit 3 of 100" in out
    assert "Second reading, of the one sentence nearest to the point: " in out
    assert run("dispute", "told", "3", "pinned", "--reason", "Again.")[1] == out
    with Journal(paths.journal()) as journal:
        types = [event.type for event in journal.events("told")]
    assert types[-2:] == ["mark_disputed", "dispute_graded"]
    assert types.count("mark_disputed") == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nobody", "1", "1"), "no interview nobody"),
        (("told", "9", "1"), "No question 9"),
        (("told", "3", "no such point"), "has no point no such point"),
        (("told", "5", "1"), "it has no mark yet"),
        (("told", "3", "1", "--reason", "x" * 2_001), "2,001 characters"),
    ],
)
def test_what_cannot_be_disputed_is_told_before_any_model_is_started(
    run: Run, told: Path, arguments: tuple[str, ...], why: str
) -> None:
    status, out, err = run("dispute", *arguments)
    assert (status, out) == (2, "")
    assert why in err
    with Journal(paths.journal()) as journal:
        assert journal.events("told") == tuple(telling().events)


def test_without_the_models_server_nothing_is_disputed(run: Run, told: Path) -> None:
    status, out, _ = run("dispute", "told", "3", "1", "--llm-url", "http://127.0.0.1:9")
    assert (status, out) == (3, "")
    with Journal(paths.journal()) as journal:
        assert journal.events("told") == tuple(telling().events)

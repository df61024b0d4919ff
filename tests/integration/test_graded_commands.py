"""The commands that other programs call, those that grade, with the real model."""

import json

import pytest

from serving.llm.server_key import KEY_VARIABLE
from serving.llm.vllm_server import free_port
from tests.integration.commands import run
from tests.integration.script import GOOD, OFF, QUESTION, lines

pytestmark = pytest.mark.model


def test_grade_reads_and_writes_what_it_says(container, tmp_path, home):
    rows = [
        {**QUESTION, "id": "good", "answer": GOOD},
        {**QUESTION, "id": "off", "answer": OFF},
        {**QUESTION, "id": "empty", "answer": ""},
        {**QUESTION, "id": "long", "answer": "word " * 20_000},
        {"id": "derived", "question": QUESTION["question"], "reference": "Only leaves keep grad.", "answer": GOOD},
    ]
    done = run("grade", "--input", lines(tmp_path / "f.jsonl", *rows), "--output", tmp_path / "g.jsonl")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    graded = {row["id"]: row for row in map(json.loads, (tmp_path / "g.jsonl").read_text().splitlines())}
    assert list(graded) == [row["id"] for row in rows]
    assert graded["good"]["score"] > graded["off"]["score"] + 0.2
    assert graded["empty"]["score"] == 0
    assert graded["long"]["score"] is None
    assert {verdict["verdict"] for verdict in graded["long"]["criteria"]} == {"unscored"}
    for row in rows:
        for verdict in graded[row["id"]]["criteria"]:
            assert (verdict["verdict"] in {"missing", "unscored"}) or verdict["evidence"]
            assert all(row["answer"][a:b].strip() for a, b in verdict["evidence"])


@pytest.mark.by_number("serving/llm", "interviewer/cli")
def test_judges_that_are_named_mark_as_the_one_that_is_started_here(container, tmp_path, home):
    rows = lines(tmp_path / "f.jsonl", *({**QUESTION, "id": n, "answer": f"{GOOD} {n}"} for n in range(4)))
    there = container.judge_service.endpoint
    # One of the two is away, and about half of the answers would be its own.
    judges = ("--judge-url", there.url, "--judge-url", f"http://127.0.0.1:{free_port()}")
    done = run("grade", "--input", rows, "--output", tmp_path / "far.jsonl", *judges, **{KEY_VARIABLE: there.key})
    assert done.returncode == 0, done.stderr
    assert "is left out" in done.stderr
    assert run("grade", "--input", rows, "--output", tmp_path / "here.jsonl").returncode == 0
    rows_of = ((tmp_path / f"{name}.jsonl").read_text().splitlines() for name in ("far", "here"))
    far, here = ([{**json.loads(row), "seconds": 0} for row in rows] for rows in rows_of)
    assert far == here


@pytest.mark.by_number("rubric/grading")
def test_the_same_answer_gets_the_same_mark(container, tmp_path, home):
    rows = [{**QUESTION, "id": n, "answer": GOOD} for n in range(10)]
    run("grade", "--input", lines(tmp_path / "f.jsonl", *rows), "--output", tmp_path / "g.jsonl")
    graded = [json.loads(line) for line in (tmp_path / "g.jsonl").read_text().splitlines()]
    assert len({json.dumps(row["criteria"]) for row in graded}) == 1
    assert len({row["score"] for row in graded}) == 1


@pytest.mark.by_number("interviewer/cli", "rubric/grading")
def test_an_interview_with_prepared_answers_ends_in_a_report(container, tmp_path, home):
    answers = lines(
        tmp_path / "answers.jsonl",
        {"question_id": "autograd-leaf-grad", "answer": GOOD},
        {"any": True, "answer": OFF},
    )
    done = run(
        "interview", "--answers", answers, "--length", 2, "--follow-ups", 1, "--report", tmp_path / "report.json"
    )
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["questions"][0]["question_id"] == "autograd-leaf-grad"
    listing = run("sessions", "--json").stdout
    listed = json.loads(listing)
    assert [row["ended"] for row in listed] == [True]
    written = tmp_path / "report.md"
    assert run("report", listed[0]["id"], "--format", "md", "-o", written).returncode == 0
    assert "retain" in written.read_text()
    again = run("regrade", listed[0]["id"], "--json", "-o", tmp_path / "again.json")
    assert again.returncode == 0, again.stderr
    compared = json.loads((tmp_path / "again.json").read_text())
    graded = [turn for question in report["questions"] for turn in question["transcript"] if turn["kind"] == "answer"]
    assert compared["scores_compared"] == len(graded)
    assert compared["mean_absolute_change"] == pytest.approx(0.0, abs=0.01)
    assert compared["answers"][-1]["old_engine"] == compared["answers"][-1]["new_engine"]
    assert run("sessions", "--json").stdout == listing
    away = run("regrade", listed[0]["id"], "--llm-url", f"http://127.0.0.1:{free_port()}")
    assert away.returncode == 3
    assert "Nothing answers" in away.stderr

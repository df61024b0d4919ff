"""The commands that other programs call, with the real model where one is needed."""

import json

import pytest

from interviewer.journal import Journal
from knowledge.bank import load_bank
from rubric.model import Verdict
from serving import paths
from serving.sandbox.inside.lock import landlock_abi
from serving.sandbox.isolation import LANDLOCK_ABI
from serving.vllm import free_port
from tests.integration.commands import run
from tests.interviewer.report.sample import LOADER, Telling

QUESTION = {
    "id": "x1",
    "question": "Why is the grad of an intermediate tensor None after backward?",
    "criteria": [
        {"id": "c1", "text": "Autograd keeps .grad only for leaf tensors that require gradients.", "weight": 3},
        {"id": "c2", "text": "Calling retain_grad() on the tensor before backward keeps its gradient.", "weight": 2},
        {"id": "c3", "text": "The gradient did flow through the tensor; it was just not stored.", "weight": 1},
    ],
}
GOOD = (
    "PyTorch only stores the gradient for leaves, so the things you made yourself with requires grad, like weights. "
    "Everything in between gets its gradient computed on the way back and thrown away. If I want to see it I call "
    "retain grad on that tensor before I run backward."
)
OFF = "I would look at the learning rate first. With a big batch the loss curve is smoother, so I would try that."


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.model
def test_grade_reads_and_writes_what_it_says(parts, tmp_path, home):
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


@pytest.mark.model
def test_the_same_answer_gets_the_same_mark(parts, tmp_path, home):
    rows = [{**QUESTION, "id": n, "answer": GOOD} for n in range(10)]
    run("grade", "--input", lines(tmp_path / "f.jsonl", *rows), "--output", tmp_path / "g.jsonl")
    graded = [json.loads(line) for line in (tmp_path / "g.jsonl").read_text().splitlines()]
    assert len({json.dumps(row["criteria"]) for row in graded}) == 1
    assert len({row["score"] for row in graded}) == 1


@pytest.mark.model
def test_an_interview_with_prepared_answers_ends_in_a_report(parts, tmp_path, home):
    answers = lines(
        tmp_path / "answers.jsonl",
        {"question_id": "autograd-leaf-grad", "answer": GOOD},
        {"any": True, "answer": OFF},
    )
    done = run("interview", "--answers", answers, "--report", tmp_path / "report.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["questions"][0]["question_id"] == "autograd-leaf-grad"
    listing = run("sessions", "--json").stdout
    listed = json.loads(listing)
    assert [row["ended"] for row in listed] == [True]
    for form in ("html", "md", "json"):
        path = tmp_path / f"report.{form}"
        assert run("report", listed[0]["id"], "--format", form, "-o", path).returncode == 0
        assert "retain" in path.read_text()
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


def test_what_was_self_assessed_is_written_as_samples(tmp_path, home):
    tell = Telling()
    asked = tell.ask(LOADER)
    marks = [(Verdict.MET, 0.9, "It waits."), (Verdict.MISSING, 0.4, "")]
    tell.grade(asked, tell.answer(asked, "It waits."), marks, unsure=["pinned"])
    tell.close(asked)
    tell.self_assess(asked, "pinned", Verdict.PARTIAL)
    with Journal(paths.journal()) as journal:
        for event in tell.events:
            journal.append("told", event)
    done = run("sessions", "--assessments", "-o", tmp_path / "samples.jsonl")
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, (tmp_path / "samples.jsonl").read_text().splitlines())
    assert (row["question_id"], row["criterion"]["id"], row["answer"]) == ("loader-workers", "pinned", "It waits.")
    assert (row["verdict"], row["credit"], row["judged"]["credit"]) == ("partial", 0.5, 0.4)
    assert row["engine"]["judge"] == "state-head/1"
    assert run("sessions", "--assessments").stdout == (tmp_path / "samples.jsonl").read_text()


def test_ingest_and_search_find_a_persons_own_questions(embedder, tmp_path, home):
    document = tmp_path / "mine.md"
    document.write_text(
        "# Own notes\n\n## What is a bloom filter good for?\n\nIt tells cheaply what is surely absent.\n"
    )
    found = json.loads(run("ingest", document, "--json").stdout)
    assert [(row["question"], row["source"]["line"]) for row in found] == [("What is a bloom filter good for?", 3)]
    assert set(found[0]) == {"id", "question", "code", "kind", "topic", "source"}
    hits = json.loads(run("search", "when would you use a bloom filter", "-k", 3, "--json").stdout)
    assert hits[0]["id"] == found[0]["id"]
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ingest", "/no/such/file"), "/no/such/file"),
        (("search", "  "), "nothing to search"),
        (("search",), "Missing argument"),
        (("grade", "--input", "/no/such.jsonl", "--output", "/tmp/x"), "/no/such.jsonl"),
        (("interview", "--answers", "/no/such.jsonl"), "/no/such.jsonl"),
        (("report", "nobody", "--format", "html"), "no interview nobody"),
        (("regrade", "nobody"), "no interview nobody"),
        (("sessions", "-o", "/tmp/x"), "--assessments"),
        (("report", "nobody", "--format", "docx"), "docx"),
        (("nonsense",), "nonsense"),
        (("serve", "--llm-url", "not-a-url"), "no address"),
    ],
)
def test_bad_input_is_told_with_status_2(arguments, says, home):
    done = run(*arguments)
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_file_of_garbage_is_told_with_its_line(tmp_path, home):
    path = tmp_path / "f.jsonl"
    path.write_bytes(json.dumps({**QUESTION, "answer": "x"}).encode() + b"\n\xff\x00\x01garbage\n")
    done = run("grade", "--input", path, "--output", tmp_path / "g.jsonl")
    assert done.returncode == 2
    assert "f.jsonl, line 2" in "".join(done.stderr.split("\n"))


def test_a_server_that_is_not_there_is_told_with_status_3(home):
    done = run("serve", "--llm-url", f"http://127.0.0.1:{free_port()}")
    assert done.returncode == 3
    assert "Nothing answers" in done.stderr


def test_a_port_in_use_is_told_with_status_3(home):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run("serve", "--port", taken.getsockname()[1])
    assert done.returncode == 3
    assert "--port" in done.stderr


def test_a_wrong_model_file_is_refused(tmp_path, home):
    fake = tmp_path / "fake.gguf"
    fake.write_bytes(b"GGUF, or is it")
    models = tmp_path / "models"
    done = run("prepare", "--models", INTERVIEWER_MODELS=str(models), INTERVIEWER_GGUF=str(fake))
    assert done.returncode == 3
    assert "is not the one it should be" in " ".join(done.stderr.split())
    assert not any(models.glob("judge-*"))


def test_the_doctor_says_what_is_there_and_what_is_not(embedder, tmp_path, home):
    found = json.loads(run("doctor", "--json").stdout)
    assert found["profile"]["name"] in {"cpu embedded", "nvidia gpu"}
    assert found["packages"]["faiss-cpu"]
    bare = run("doctor", INTERVIEWER_MODELS=str(tmp_path / "none"))
    assert "make prepare" in bare.stdout


def test_a_full_disk_loses_nothing_and_is_told(embedder, home, tmp_path):
    document = tmp_path / "mine.md"
    document.write_text("## What is a skip list?\n\nLinked lists with express lanes.\n")
    done = run("ingest", document, INTERVIEWER_HOME="/dev/full/home")
    assert done.returncode == 3
    assert "cannot be made" in " ".join(done.stderr.split())


def test_code_is_verified_from_the_command_line(tmp_path, home):
    task = next(question.task for question in load_bank() if question.id == "training-focal-loss")
    for source, status in ((task.solution, "passed"), (task.starter, "mismatch")):
        file = tmp_path / "submitted.py"
        file.write_text(source)
        done = run("verify-code", "--question", "training-focal-loss", "--file", file, "--json")
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        assert result["status"] == status
        assert {"stdout", "stderr", "isolation", "device", "timing"} <= result.keys()
        assert all({"name", "status", "message", "seconds"} <= test.keys() for test in result["tests"])
    away = run("verify-code", "--question", "training-focal-loss", "--file", file, "--json", PATH="/nonexistent")
    if landlock_abi() >= LANDLOCK_ABI:
        assert json.loads(away.stdout)["isolation"].startswith("Landlock and seccomp")
    else:
        assert away.returncode == 3
        assert "bubblewrap is not installed" in json.loads(away.stdout)["message"]
    for question, path in (("no-such-question", file), ("training-focal-loss", tmp_path / "gone.py")):
        refused = run("verify-code", "--question", question, "--file", path)
        assert refused.returncode == 2, refused.stderr

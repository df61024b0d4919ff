"""The commands that other programs call, those that need no model."""

import json
import shutil

import pytest

from interviewer.cli.main import main
from interviewer.storage.sqlite_journal import Journal
from knowledge.bank.parser import BANK, load_bank
from knowledge.ingestion.pipeline import sync_bank
from rubric.model import Verdict
from serving import paths
from serving.llm.vllm_server import free_port
from serving.sandbox.backends.landlock import Landlock
from tests.integration.commands import run
from tests.integration.script import QUESTION
from tests.interviewer.report.sample_session import LOADER, Telling


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


def test_ingest_and_search_find_a_persons_own_questions(embedder, tmp_path, home, monkeypatch, capsys):
    # One file of the bank: the vectors of all of it take minutes, and are the same.
    few = tmp_path / "bank"
    few.mkdir()
    shutil.copy(min(BANK.glob("*.md"), key=lambda path: path.stat().st_size), few)
    monkeypatch.setattr(sync_bank, "__defaults__", (few,))

    def told(*arguments):
        monkeypatch.setattr("sys.argv", ["app.py", *map(str, arguments)])
        assert main() == 0
        return json.loads(capsys.readouterr().out)

    document = tmp_path / "mine.md"
    document.write_text(
        "# Own notes\n\n## What is a bloom filter good for?\n\nIt tells cheaply what is surely absent.\n"
    )
    found = told("ingest", document, "--json")
    assert [(row["question"], row["source"]["line"]) for row in found] == [("What is a bloom filter good for?", 3)]
    assert set(found[0]) == {"id", "question", "code", "kind", "topic", "source"}
    hits = told("search", "when would you use a bloom filter", "-k", 3, "--json")
    assert len(hits) == 3
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
        (("verify-code", "--question", "nonsense", "--file", "README.md"), "nonsense is not a question"),
        (("verify-code", "--question", "training-focal-loss", "--file", "/no/such.py"), "/no/such.py"),
        (("serve", "--llm-url", "not-a-url"), "not the address"),
    ],
)
def test_bad_input_is_told_with_status_2(arguments, says, home, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["app.py", *arguments])
    assert main() == 2
    told = capsys.readouterr()
    assert says in " ".join(told.err.split())
    assert told.out == ""
    assert "Traceback" not in told.err


def test_the_status_of_a_refusal_is_that_of_the_process(home):
    done = run("search", "  ")
    assert done.returncode == 2
    assert "nothing to search" in done.stderr


def test_a_file_of_garbage_is_told_with_its_line(tmp_path, home):
    path = tmp_path / "f.jsonl"
    path.write_bytes(json.dumps({**QUESTION, "answer": "x"}).encode() + b"\n\xff\x00\x01garbage\n")
    done = run("grade", "--input", path, "--output", tmp_path / "g.jsonl")
    assert done.returncode == 2
    assert "f.jsonl, line 2" in "".join(done.stderr.split("\n"))


@pytest.mark.by_number("serving/llm", "interviewer/cli")
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


@pytest.mark.by_number("rubric/coding", "interviewer/cli")
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
    if not Landlock().unavailable():
        assert json.loads(away.stdout)["isolation"].startswith("Landlock and seccomp")
    else:
        assert away.returncode == 3
        assert "bubblewrap is not installed" in json.loads(away.stdout)["message"]

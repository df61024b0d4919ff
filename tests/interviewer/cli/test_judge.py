"""The command that serves the judge for others, and the option that uses such judges."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest

from interviewer.cli.container import Container
from serving import machine
from serving.errors import BadInputError
from serving.llm.judge_servers import JudgeServers
from serving.llm.server_key import KEY_VARIABLE
from serving.llm.vllm_server import free_port
from serving.models import catalogue
from tests.integration.commands import in_process
from tests.integration.script import GOOD, QUESTION, lines
from tests.serving.llm.test_judge_servers import SmallJudge


def test_named_judges_grade_as_the_embedded_one_and_nothing_is_started_here(home: Path) -> None:
    urls = ["http://10.0.0.1:8100", "http://10.0.0.2:8100"]
    container = Container(judge_urls=urls)
    try:
        profile = container.judge_service.profile
        assert (profile.judge, profile.device, profile.answers_at_once) == ("embedded", "remote", 4)
        assert all(url in profile.reasons[0] for url in urls)
        assert isinstance(container.judge_service.client, JudgeServers)
        assert container.judge_service.speaker is None
        container.judge_service.fetch()
    finally:
        container.close()
    with pytest.raises(BadInputError, match="by one judge"):
        Container("http://127.0.0.1:1", judge_urls=urls)


def test_a_judge_is_known_by_the_digest_of_what_is_served_here(home: Path) -> None:
    for digest, refused in ((catalogue.judge_digest(), False), ("e2" * 32, True)):
        judge = SmallJudge(digest)
        container = Container(judge_urls=[judge.url])
        try:
            if refused:
                with pytest.raises(BadInputError, match="does not serve this version’s judge"):
                    container.judge_service.start()
            else:
                container.judge_service.start()
        finally:
            container.close()
            judge.kill()


def test_judges_that_do_not_answer_are_told(home: Path, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    rows = lines(tmp_path / "f.jsonl", {**QUESTION, "id": "good", "answer": GOOD})
    status, _, err = in_process("grade", "--input", rows, "--output", tmp_path / "g.jsonl", "--judge-url", url)
    assert status == 3
    assert "No judge server can be used now" in err
    assert url in err


def test_a_judge_that_refuses_the_key_is_told(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = SmallJudge(catalogue.judge_digest())
    judge.key = "a secret"
    monkeypatch.setenv(KEY_VARIABLE, "bad")
    rows = lines(tmp_path / "f.jsonl", {**QUESTION, "id": "good", "answer": GOOD})
    try:
        status, _, err = in_process(
            "grade", "--input", rows, "--output", tmp_path / "g.jsonl", "--judge-url", judge.url
        )
    finally:
        judge.kill()
    assert status == 2
    assert f"{judge.url} refuses the key. Set {KEY_VARIABLE} to the same secret, here and there." in err


def test_the_doctor_fails_where_a_judge_or_a_runner_that_was_named_cannot_be_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, away = SmallJudge(catalogue.judge_digest()), f"http://127.0.0.1:{free_port()}"
    judge.key = "a secret"
    monkeypatch.setenv(KEY_VARIABLE, judge.key)
    try:
        status, out, err = in_process("doctor", "--judge-url", judge.url)
        assert (status, err) == (0, "")
        assert f"Judge {judge.url}: answering" in out
        assert "✗ Model server" not in out
        asked = ("--judge-url", judge.url, "--runner-url", away)
        status, out, err = in_process("doctor", *asked)
        assert (status, err) == (3, f"Cannot be used now: Runner {away}.")
        assert f"Runner {away}: not answering" in out
        for wrong in ("key", "digest"):
            setattr(judge, wrong, "another")
            status, out, err = in_process("doctor", *asked, "--json")
            assert (status, err) == (3, f"Cannot be used now: Judge {judge.url}, Runner {away}.")
            assert [row["name"] for row in json.loads(out)["items"] if row["named"] and not row["present"]] == [
                f"Judge {judge.url}",
                f"Runner {away}",
            ]
            monkeypatch.setenv(KEY_VARIABLE, judge.key)
    finally:
        judge.kill()


def test_a_judge_is_served_with_its_digest_and_its_key_stays_off_the_command_line(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setattr(os, "execve", lambda _, command, environment: began.append((command, environment)))
    # The server runs in the program's folder; the tests go back to theirs.
    monkeypatch.chdir(Path.cwd())
    monkeypatch.setattr(catalogue, "ensure_judge", lambda *_: None)
    monkeypatch.setattr(machine, "choose", lambda _: machine.Profile(name="cpu embedded", device="cpu", reasons=()))
    monkeypatch.setenv(KEY_VARIABLE, "a-secret")
    status, _, err = in_process("judge", "--host", "0.0.0.0", "--port", 8123)
    assert status == 0, err
    [(command, environment)] = began
    names = [after for word, after in itertools.pairwise(command) if word == "--name"]
    assert names == ["judge", catalogue.judge_digest()]
    assert (command[command.index("--host") + 1], command[command.index("--port") + 1]) == ("0.0.0.0", "8123")
    assert environment["VLLM_API_KEY"] == "a-secret"
    assert "a-secret" not in " ".join(command)


def test_a_judge_for_everybody_wants_a_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    monkeypatch.setattr(os, "execve", lambda *_: pytest.fail("it was started"))
    status, _, err = in_process("judge", "--host", "0.0.0.0")
    assert status == 2
    assert KEY_VARIABLE in err

"""Regrading by a real Ray cluster on this machine: its actors and one of its nodes are killed in the middle."""

from __future__ import annotations

import json
import os
import secrets
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from interviewer.cli.bulk import grading_actor, regrade_command
from interviewer.cli.bulk.ray_regrading import RayRegrading
from interviewer.cli.commands import grading
from interviewer.storage.results.regrade_folder import RegradeFolder
from interviewer.storage.sqlite_journal import Journal
from serving import paths
from tests.integration import ray_grader
from tests.integration.commands import in_process
from tests.integration.test_queued_regrading import held, store, until
from tests.interviewer.builders import KeywordGrader
from tests.postgres import PostgresServer


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of one node, to which tests add others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        from ray.cluster_utils import Cluster

        made = Cluster(initialize_head=True, head_node_args=NODE)
        yield made
        made.shutdown()


NODE = {"num_cpus": 2, "object_store_memory": 100 * 2**20, "include_dashboard": False}


@pytest.fixture
def regrade(cluster: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """The command, with a grader that needs no model."""
    monkeypatch.setattr(regrade_command, "OPENER", ray_grader.OPENER)
    return lambda *arguments: in_process("regrade", "--all", "--ray", cluster.address, *arguments)


def keep(**answers: str) -> None:
    """Interviews of one answer each, in the file of the home."""
    with Journal(paths.journal()) as journal:
        for session, answer in answers.items():
            for event in held(answer):
                journal.append(session, event)


def outcomes(*sessions: str) -> dict[str, str]:
    return RegradeFolder(paths.home()).outcomes(sessions)


def begun(marker: Path) -> int:
    """The process of the actor that has begun an answer, once there is one."""
    noted = marker.with_suffix(".pid")
    until(lambda: noted.exists() and noted.read_text() != "")
    return int(noted.read_text())


def when_begun(marker: Path, then: Callable[[int], None]) -> threading.Thread:
    """Does something once an actor has begun an answer that waits, given its process, and lets that answer go on."""

    def wait() -> None:
        then(begun(marker))
        marker.unlink()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def without_ray(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    def container(*_: object) -> SimpleNamespace:
        return SimpleNamespace(
            grader=KeywordGrader(), embedding_model=lambda: None, judge=lambda: None, close=lambda: None
        )

    monkeypatch.setattr(grading, "Container", container)
    return in_process("regrade", "--all", *arguments)


def test_it_gives_what_the_command_gives_without_ray_though_an_actor_is_killed(
    regrade: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    marker = tmp_path / "marker"
    marker.touch()
    keep(one="alpha", two=f"alpha and beta, slow {marker}", three="beta", four="neither")
    killer = when_begun(marker, lambda process: os.kill(process, signal.SIGKILL))
    status, out, err = regrade("--json", "-o", tmp_path / "by-ray.json")
    killer.join()
    assert (status, out) == (0, ""), err
    assert "ended while it graded interview two, which is graded again." in err
    assert without_ray(monkeypatch, "--json", "-o", str(tmp_path / "here.json"))[0] == 0
    assert (tmp_path / "by-ray.json").read_text() == (tmp_path / "here.json").read_text()
    # What came of it is kept: no cluster is asked any more, and the words are the same.
    status, out, err = in_process("regrade", "--all", "--ray", "127.0.0.1:1")
    assert (status, out) == (0, without_ray(monkeypatch)[1])
    assert "4 interviews graded before" in err
    assert "No Ray cluster answers" in in_process("regrade", "--all", "--ray", "127.0.0.1:1", "--again")[2]


def test_what_was_done_before_it_was_interrupted_is_not_done_again(
    regrade: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(one="alpha", two="beta", three="alpha")
    whole = RegradeFolder.keep

    def interrupted(folder: RegradeFolder, session: str, outcome: str) -> bool:
        whole(folder, session, outcome)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RegradeFolder, "keep", interrupted)
        status, out, err = regrade()
    assert (status, out) == (130, "")
    assert "run the same command again" in err
    (done,) = outcomes("one", "two", "three")
    status, out, err = regrade()
    assert status == 0, err
    assert "1 interview graded before" in err
    assert "3 interviews graded again" in out
    in_process("data", "delete", done)
    assert len(outcomes("one", "two", "three")) == 2
    in_process("data", "delete", "--all")
    assert outcomes("one", "two", "three") == {}


def test_an_interview_that_ends_every_actor_and_one_that_no_judge_grades_are_given_up(
    regrade: Callable[..., tuple[int, str, str]],
) -> None:
    keep(one="alpha", bad="deadly", odd="nonsense")
    status, out, err = regrade("--json")
    assert status == 0, err
    made = json.loads(out)
    assert [each["session"] for each in made["interviews"]] == ["one"]
    assert made["failed"] == {"bad": "3 actors ended while they graded it.", "odd": "The judge answered nonsense."}


def test_a_node_that_is_lost_leaves_its_interview_to_another(
    regrade: Callable[..., tuple[int, str, str]], cluster: Any, tmp_path: Path
) -> None:
    other = cluster.add_node(**NODE)
    markers = [tmp_path / "first", tmp_path / "second"]
    keep(**{marker.name: f"alpha, slow {marker}" for marker in markers})
    for marker in markers:
        marker.touch()

    def lose(_: int) -> None:
        processes = [begun(marker) for marker in markers]
        cluster.remove_node(other, allow_graceful=False)
        until(lambda: not all(map(psutil.pid_exists, processes)))

    killers = [when_begun(markers[0], lose), when_begun(markers[1], lambda _: killers[0].join())]
    status, out, err = regrade()
    for each in killers:
        each.join()
    assert status == 0, err
    assert "2 interviews graded again" in out
    assert "which is graded again" in err or "no longer in the cluster" in err


def test_in_postgresql_it_is_kept_as_workers_keep_it(
    regrade: Callable[..., tuple[int, str, str]], postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.database()
    store(url, "", ["one", "two"], "alpha")
    monkeypatch.setenv("INTERVIEWER_DATABASE", url)
    queued = in_process("regrade", "--all", "--queue")
    assert "2 new jobs" in queued[2]
    status, out, err = regrade("--json")
    assert status == 0, err
    status, again, err = in_process("regrade", "--all", "--queue", "--json")
    assert (status, again) == (0, out)
    assert "0 new jobs. 0 queued, 0 at work, 2 done." in err


def test_without_a_judge_on_any_machine_it_says_so_and_nothing_counts_as_done(
    regrade: Callable[..., tuple[int, str, str]],
) -> None:
    keep(one="alpha")
    status, out, err = regrade("--model", "missing")
    assert (status, out) == (3, "")
    assert "No machine can grade, so 1 interview did not get new marks." in err
    assert "is not used: The judge is not there." in err
    with Journal(paths.journal()) as journal:
        assert RegradeFolder(paths.home()).take([one.id for one in journal.sessions()]) == ["one"]


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("here", 2, "names no Ray cluster"),
        ("ray://", 2, "names no Ray cluster"),
        ("http://127.0.0.1:1", 2, "names no Ray cluster"),
        ("127.0.0.1:1", 3, "No Ray cluster answers at 127.0.0.1:1"),
        ("ray://127.0.0.1:1", 3, "No Ray cluster answers"),
        ("127.0.0.1:99999", 3, "No Ray cluster answers"),
    ],
)
def test_an_address_where_no_cluster_is(home: Path, address: str, status: int, words: str) -> None:
    keep(one="alpha")
    ended, out, err = in_process("regrade", "--all", "--ray", address)
    assert (ended, out) == (status, "")
    assert words in err


def test_without_the_package_the_command_says_how_to_get_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(one="alpha")
    monkeypatch.setattr("interviewer.cli.bulk.ray_cluster.importlib.util.find_spec", lambda name: None)
    status, _, err = in_process("regrade", "--all", "--ray", "local")
    assert status == 3
    assert "pip install 'ray>=2.60,<3'" in err


def test_an_actor_gives_plain_data_and_no_error_of_ours() -> None:
    actor = grading_actor.GradingActor(ray_grader.OPENER, {"llm_url": None, "model": "missing", "judge_urls": None})
    assert actor.open() == {"grades": [], "failure": "The judge is not there.", "passes": True, "process": os.getpid()}
    broken = grading_actor.GradingActor("tests.no_such_module:opened", {})
    assert broken.open()["failure"].startswith("A fault of this program")
    assert not broken.open()["passes"]


def test_a_run_without_work_asks_for_no_machine() -> None:
    RayRegrading(RegradeFolder(Path("unused")), "", {}, print, print).run([])

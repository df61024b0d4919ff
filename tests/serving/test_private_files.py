from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import paths
from serving.private_files import withdraw
from serving.temporary import GRADIO_VARIABLE, private_temporary_folder
from tests.integration.commands import ROOT


@pytest.fixture(autouse=True)
def _files_that_others_may_read() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def of_an_older_version(home: Path) -> list[Path]:
    """What versions left behind that let everybody read."""
    files = [
        home / "journal.db",
        home / "journal.db-wal",
        home / "background.json",
        home / "documents" / "cv.md",
        home / "recordings" / "s" / "one.webm",
        home / "profiles" / "ada" / "journal.db",
        home / "profiles" / "ada" / "index" / "vectors",
    ]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("mine")
    return files


def test_what_older_versions_left_open_is_closed(tmp_path: Path) -> None:
    files = of_an_older_version(tmp_path)
    folders = {folder for file in files for folder in file.parents if folder.is_relative_to(tmp_path)} - {tmp_path}
    assert [mode(file) for file in files] == [0o644] * len(files)
    assert withdraw(tmp_path) == len(files) + len(folders)
    assert [mode(file) for file in files] == [0o600] * len(files)
    assert {mode(folder) for folder in folders} == {0o700}
    assert withdraw(tmp_path) == 0


def test_an_interruption_is_made_up_for(tmp_path: Path) -> None:
    files = of_an_older_version(tmp_path)
    files[3].chmod(0o600)
    (tmp_path / "documents" / "later.md").write_text("mine")
    assert withdraw(tmp_path)
    assert mode(tmp_path / "documents" / "later.md") == 0o600


def test_what_is_not_ours_is_left_as_it_is(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    of_an_older_version(home)
    other.mkdir()
    (other / "public.html").write_text("everybody's")
    (home / "public_html").mkdir()
    (home / "models").mkdir()
    (home / "documents" / "link").symlink_to(other)
    (home / "documents" / "file").symlink_to(other / "public.html")
    (home / "speech").symlink_to(other)
    withdraw(home)
    assert mode(other) == mode(home / "public_html") == mode(home / "models") == 0o755
    assert mode(other / "public.html") == 0o644


def test_the_home_is_closed_when_it_is_first_used(home: Path) -> None:
    files = of_an_older_version(home)
    assert paths.home() == home
    assert {mode(file) for file in files} == {0o600}


def test_every_command_makes_files_for_its_user_alone(home: Path) -> None:
    line = [sys.executable, str(ROOT / "app.py"), "sessions"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, timeout=120, umask=0o022, check=False)
    assert done.returncode == 0, done.stderr
    assert mode(home) == 0o700
    assert mode(home / "journal.db") == 0o600


def test_temporary_files_lie_below_the_home_and_go_at_the_end(home: Path) -> None:
    before, gradio = tempfile.gettempdir(), os.environ.get(GRADIO_VARIABLE)
    with private_temporary_folder() as folder:
        assert folder.is_relative_to(home)
        assert mode(folder) == mode(folder.parent) == mode(Path(os.environ[GRADIO_VARIABLE])) == 0o700
        with tempfile.NamedTemporaryFile(delete=False) as file:
            assert Path(file.name).parent == folder
    assert not folder.exists()
    assert tempfile.gettempdir() == before
    assert os.environ.get(GRADIO_VARIABLE) == gradio
    with pytest.raises(ZeroDivisionError), private_temporary_folder() as folder:
        raise ZeroDivisionError
    assert not folder.exists()


def test_what_a_killed_process_left_behind_goes_and_what_is_used_stays(home: Path) -> None:
    script = (
        "from serving.temporary import private_temporary_folder as p\nimport os, pathlib, sys\n"
        "with p() as folder:\n    (folder / 'cv.pdf').write_text('mine'); print(folder, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        folder = Path(other.stdout.readline().strip())
        with private_temporary_folder() as mine:
            assert mine != folder
            assert (folder / "cv.pdf").exists()
        assert (folder / "cv.pdf").exists()
        other.kill()
        other.wait()
        assert (folder / "cv.pdf").exists()
    (home / "temporary" / "stray").write_text("x")
    with private_temporary_folder() as mine:
        assert [path.name for path in mine.parent.iterdir() if path.name != ".in-use"] == [mine.name]

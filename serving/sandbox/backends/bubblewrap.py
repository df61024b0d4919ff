"""Processes behind bubblewrap: namespaces of their own, a read-only system, small memory file systems, a filter."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from serving.sandbox.backends.base import ENVIRONMENT, WorkerSpec, interpreter
from serving.sandbox.gpu_access import GpuAccess
from serving.sandbox.seccomp import filter_program

ROOM = "/job"
"""The working folder inside: in memory, writable, empty at the start."""

MOST_ON_DISK = 128 * 1024 * 1024
"""Bytes each writable folder may hold."""

WRITABLE = (ROOM, "/tmp", "/dev/shm")  # noqa: S108 - folders of its own, inside

START_S = 60.0
"""Seconds bubblewrap may take to start, on a busy machine."""

_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/sbin")
_LINKER = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
_NOBODY = "65534"
# Without /dev/zero, of which a shared mapping is memory that no limit of a process counts, and without terminals.
_DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
_LINKS = {"/dev/fd": "fd", "/dev/stdin": "fd/0", "/dev/stdout": "fd/1", "/dev/stderr": "fd/2"}
_NODES_SIZE = 64 * 1024


class Bubblewrap:
    """The backend that uses bubblewrap."""

    name = "bubblewrap"
    isolates_processes = True
    reaches_gpu = True

    def unavailable(self) -> str:
        """Returns why bubblewrap cannot be used here; empty where it can. It is tried once a process."""
        return _unavailable()

    def launch(self, worker: WorkerSpec) -> subprocess.Popen[bytes]:
        """Starts a process.

        Raises:
            OSError: the system does not start it.

        """
        program = [sys.executable, *worker.arguments, "{}"]
        with _filter() as rules:
            line = command(
                shutil.which("bwrap") or "bwrap",
                program,
                worker.shown,
                seccomp=rules,
                gpu=worker.gpu,
                folder=worker.folder,
            )
            return subprocess.Popen(
                worker.entering(line),
                stdin=worker.stdin,
                stdout=worker.stdout,
                stderr=worker.stderr,
                pass_fds=(*worker.descriptors, *(() if rules is None else (rules,))),
                env={},
            )


def command(
    bwrap: str,
    program: list[str],
    shown: tuple[Path, ...] = (),
    *,
    seccomp: int | None = None,
    gpu: GpuAccess | None = None,
    folder: Path | None = None,
) -> list[str]:
    """Returns the command that runs a program with no network, no home, a read-only system and an empty environment.

    The program is the first process of its namespace. Bubblewrap's own process, which would stand there otherwise,
    could be written to through ``/proc`` by a program of the same user, and is under none of the limits that the
    program imposes on itself.

    Args:
        bwrap: path of bubblewrap.
        program: the program and its arguments, as seen from inside.
        shown: further files and folders it may read, at their own paths.
        seccomp: descriptor from which the filter of system calls is read.
        gpu: what it gets of a card.
        folder: its working folder; ``ROOM`` where ``None``.

    """
    walls = [
        *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--as-pid-1"),
        *("--unshare-cgroup-try", "--disable-userns", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"),
    ]
    # A /dev of our own, since that of --dev has no size and stays writable.
    places = [*_system(), "--proc", "/proc", "--size", str(_NODES_SIZE), "--tmpfs", "/dev"]
    for device in (*_DEVICES, *(("/dev/zero", *gpu.nodes) if gpu else ())):
        places += ["--dev-bind", device, device]
    for link, target in _LINKS.items():
        places += ["--symlink", f"/proc/self/{target}", link]
    for writable in WRITABLE:
        places += ["--size", str(MOST_ON_DISK), "--tmpfs", writable]
    # After the empty folders, which would hide what lies below a folder of the same name outside.
    places += [*_read_only(interpreter()), *_read_only(shown)]
    # The driver finds out about the machine there; what is written to it would change the machine.
    places += [part for path in (gpu.reads if gpu else ()) for part in ("--ro-bind", path, path)]
    places += ["--remount-ro", "/dev"]
    if seccomp is not None:
        walls += ["--seccomp", str(seccomp)]
    environment = ENVIRONMENT | {"PATH": "/usr/bin:/bin", "HOME": ROOM, "TMPDIR": "/tmp"}  # noqa: S108 - inside
    if gpu is not None and gpu.visible:
        environment["CUDA_VISIBLE_DEVICES"] = gpu.visible
    values = [part for name, value in environment.items() for part in ("--setenv", name, value)]
    return [bwrap, *walls, *places, "--remount-ro", "/", "--chdir", str(folder or ROOM), *values, "--", *program]


@functools.cache
def _unavailable() -> str:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "Code is not executed: bubblewrap is not installed."
    try:
        with _filter() as rules:
            done = subprocess.run(
                command(bwrap, [sys.executable, "-I", "-c", "pass"], seccomp=rules),
                capture_output=True,
                env={},
                pass_fds=() if rules is None else (rules,),
                timeout=START_S,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Code is not executed: bubblewrap does not start ({error})."
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return f"Code is not executed: bubblewrap may not be used here ({said[-1] if said else 'no reason'})."
    return ""


@contextlib.contextmanager
def _filter() -> Iterator[int | None]:
    """A descriptor from which the filter of system calls can be read; ``None`` where we know none."""
    program = filter_program()
    if not program:
        yield None
        return
    rules = os.memfd_create("seccomp")
    try:
        os.write(rules, program)
        os.lseek(rules, 0, os.SEEK_SET)
        yield rules
    finally:
        os.close(rules)


def _system() -> list[str]:
    arguments = []
    for name in _SYSTEM:
        path = Path(name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            arguments += ["--ro-bind", name, name]
    return arguments + _read_only(tuple(Path(name) for name in _LINKER))


def _read_only(paths: tuple[Path, ...]) -> list[str]:
    kept = [
        path
        for path in paths
        if path.exists() and not str(path).startswith(("/usr/", "/lib/")) and path != Path("/usr")
    ]
    return [part for path in kept for part in ("--ro-bind", str(path), str(path))]

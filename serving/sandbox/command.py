"""The bubblewrap command line: what of the machine a sandboxed process sees. Pure but for looking at the disk."""

from __future__ import annotations

import sys
from pathlib import Path

ROOM = "/job"
"""The working folder inside, in memory, writable, empty at the start."""

MOST_ON_DISK = 128 * 1024 * 1024
"""Bytes each writable place may hold."""

_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/sbin")
_LINKER = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")
_NOBODY = "65534"


def command(
    bwrap: str, program: list[str], shown: tuple[Path, ...] = (), *, seccomp: int | None = None, gpu: bool = False
) -> list[str]:
    """The command that runs a program with no network, no home, a read-only system and an empty environment.

    Args:
        bwrap: path of bubblewrap.
        program: the program and its arguments, as seen from inside.
        shown: further files and folders it may read, at their own paths.
        seccomp: descriptor from which the filter of system calls is read.
        gpu: whether it may use the NVIDIA devices.

    """
    walls = [
        *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--disable-userns", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"),
    ]
    places = [*_system(), "--proc", "/proc", "--dev", "/dev"]
    for folder in (ROOM, "/tmp", "/dev/shm"):  # noqa: S108 - a folder of its own, inside
        places += ["--size", str(MOST_ON_DISK), "--tmpfs", folder]
    # After the empty folders, which would hide what lies below a folder of the same name outside.
    places += [*_read_only(interpreter()), *_read_only(shown)]
    if gpu:
        places += [part for device in _nvidia() for part in ("--dev-bind", device, device)]
    if seccomp is not None:
        walls += ["--seccomp", str(seccomp)]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": ROOM,
        "TMPDIR": "/tmp",  # noqa: S108 - inside
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }
    values = [part for name, value in environment.items() for part in ("--setenv", name, value)]
    return [bwrap, *walls, *places, "--remount-ro", "/", "--chdir", ROOM, *values, "--", *program]


def interpreter() -> tuple[Path, ...]:
    """What the running interpreter needs: its own tree, and the environment its packages lie in."""
    return tuple(dict.fromkeys((Path(sys.base_prefix), Path(sys.prefix))))


def _nvidia() -> list[str]:
    """The device nodes that CUDA opens."""
    return sorted(str(path) for path in Path("/dev").glob("nvidia*"))


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

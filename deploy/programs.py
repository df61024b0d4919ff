"""Programs of the system that a cluster is made of: where they are, and as whom they run."""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from serving.errors import ServiceMissingError

PACKAGES = {"haproxy": "haproxy", "initdb": "postgresql", "postgres": "postgresql"}
"""The programs of a cluster, each with the package of Debian that brings it."""

_BESIDE = ("/usr/lib/postgresql/*/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where Debian has programs that are not on everybody's path; of PostgreSQL there may be several versions."""


def program(name: str) -> str | None:
    """Returns the path of a program, the newest where there are several; ``None`` where there is none."""
    beside = [path for each in _BESIDE for path in sorted(Path("/").glob(f"{each[1:]}/{name}"), reverse=True)]
    return shutil.which(name) or next((str(path) for path in beside if os.access(path, os.X_OK)), None)


def check_programs() -> None:
    """Make sure that everything is installed that a cluster needs.

    Raises:
        ServiceMissingError: something is not; the hint says which packages bring it.

    """
    missing = [name for name in PACKAGES if program(name) is None]
    if missing:
        packages = " ".join(sorted({PACKAGES[name] for name in missing}))
        raise ServiceMissingError(
            f"Not installed here: {', '.join(missing)}.", hint=f"On Debian: sudo apt-get install {packages}"
        )
    if find_spec("psycopg") is None:
        raise ServiceMissingError(
            "The Python package that speaks to PostgreSQL is not installed.",
            hint="Run .venv/bin/pip install 'psycopg[binary]'.",
        )
    if os.geteuid() == 0 and program("setpriv") is None:
        raise ServiceMissingError(
            "PostgreSQL does not run as root, and setpriv, which would run it as nobody, is not installed.",
            hint="On Debian: apt-get install util-linux; or do not be root.",
        )


def not_as_root(command: Sequence[str]) -> list[str]:
    """Returns a command as somebody who may run PostgreSQL: as it is, or, where we are root, as nobody."""
    if os.geteuid():
        return list(command)
    nobody = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", *command]


def give_to_nobody(folder: Path) -> None:
    """Hand a folder to whom ``not_as_root`` runs commands as; nothing to do where we are not root."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)


def ended_with_us(command: Sequence[str], signal_name: str) -> list[str]:
    """Returns a command whose process gets a signal when ours is gone, however that ended; as it is without setpriv."""
    setpriv = program("setpriv")
    return [setpriv, "--pdeathsig", signal_name, *command] if setpriv else list(command)

"""Looks the packages of lock files up in the advisories: ``make audit``, with pip-audit out of its own environment.

Exit status 0 where every package was looked up and none has a known flaw, 1 where one has, 3 where the advisories
could not be asked about all of them: then nothing is known of the rest, and that is said. Standard library only.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SERVICES = {"pypi": "the advisories of the Python Package Index", "osv": "OSV"}
"""Whom pip-audit can ask, in the order in which we ask."""

MAX_NAMED = 8


class Flaw(NamedTuple):
    """A known flaw of a package: in which version, under which id, and the versions that mend it."""

    package: str
    version: str
    id: str
    mended_in: tuple[str, ...]


class Answer(NamedTuple):
    """What one service said: known flaws, and the packages that it could not be asked about, each with why."""

    flaws: tuple[Flaw, ...] = ()
    unknown: Mapping[str, str] = {}


def pins(locks: Sequence[str]) -> list[str]:
    """All packages of the contents of lock files as ``name==version``; a build of its own counts as its version."""
    found = (re.findall(r"^([A-Za-z0-9._-]+==[^\s+]+)", lock, re.MULTILINE) for lock in locks)
    return sorted({pin for each in found for pin in each})


def answer_of(packages: Sequence[str], told: str) -> Answer:
    """What pip-audit told in JSON; packages that it passed over in silence are unknown as well.

    Args:
        packages: what it was asked about, as ``name==version``.
        told: its output; anything but its JSON means that it broke.

    """
    try:
        rows: list[dict[str, Any]] = json.loads(told)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Answer(unknown=dict.fromkeys(packages, "the service could not be reached"))
    flaws = tuple(
        Flaw(row["name"], row["version"], flaw["id"], tuple(flaw.get("fix_versions", ())))
        for row in rows
        for flaw in row.get("vulns", ())
    )
    known = {_normal(row["name"]) for row in rows if "skip_reason" not in row}
    reasons = {_normal(row["name"]): str(row["skip_reason"]) for row in rows if "skip_reason" in row}
    names = {package: _normal(package.partition("==")[0]) for package in packages}
    unknown = {
        package: reasons.get(name, "it was not answered") for package, name in names.items() if name not in known
    }
    return Answer(flaws, unknown)


def report(answer: Answer, asked: int, service: str) -> tuple[int, list[str]]:
    """The exit status, and what is said."""
    lines = [
        f"{flaw.package} {flaw.version}: {flaw.id}, mended in {', '.join(flaw.mended_in) or 'no version yet'}"
        for flaw in answer.flaws
    ]
    if answer.unknown:
        named = ", ".join(list(answer.unknown)[:MAX_NAMED]) + (" …" if len(answer.unknown) > MAX_NAMED else "")
        lines.append(f"NOT AUDITED: {len(answer.unknown)} of {asked} packages ({named}).")
        lines.append(f"Why: {next(iter(answer.unknown.values()))}")
        lines.append("Whether these have known flaws was not found out. Run this where the advisories can be reached.")
    if answer.flaws:
        packages = len({flaw.package for flaw in answer.flaws})
        lines.append(f"{len(answer.flaws)} known flaws in {packages} packages, by {service}.")
        return 1, lines
    if answer.unknown:
        return 3, lines
    return 0, [f"{asked} packages were looked up in {service}; none has a known flaw."]


def ask(packages: Sequence[str], service: str, ignored: Sequence[str]) -> Answer:
    """Have pip-audit ask a service."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "packages.txt"
        listed.write_text("\n".join(packages) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(listed), "--vulnerability-service", service]
        command += ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off", "--timeout", "15"]
        command += [word for each in ignored for word in ("--ignore-vuln", each)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer_of(packages, done.stdout)


def main(arguments: Sequence[str]) -> int:
    """Audit lock files; what follows ``--ignore`` are ids of flaws that are known and accepted."""
    split = list(arguments).index("--ignore") if "--ignore" in arguments else len(arguments)
    packages = pins([Path(lock).read_text(encoding="utf-8") for lock in arguments[:split]])
    answer, service = Answer(unknown=dict.fromkeys(packages, "nobody was asked")), ""
    for service, called in SERVICES.items():
        answer = ask(packages, service, arguments[split + 1 :])
        if not answer.unknown or answer.flaws:
            break
        print(
            f"{called} answered for {len(packages) - len(answer.unknown)} of {len(packages)} packages.", file=sys.stderr
        )
    status, lines = report(answer, len(packages), SERVICES[service])
    print("\n".join(lines))
    return status


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

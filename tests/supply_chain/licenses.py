"""Checks the licenses of what is installed, as packages state them: ``make licenses``.

Reads what pip-licenses prints as JSON on stdin, prints a table, and ends with status 1 where a package has a license
that nobody has agreed to. Standard library only.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

PERMISSIVE = frozenset({
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "CNRI-Python", "ISC", "MIT", "MIT-0",
    "MIT-CMU", "PSF-2.0", "Unlicense", "Zlib", "Apache-2.0 WITH LLVM-exception",
})  # fmt: skip
WEAK_COPYLEFT = frozenset({"LGPL-2.1-only", "LGPL-3.0-only", "MPL-2.0"})
"""Fine for libraries that are installed beside the product, unchanged, and can be replaced."""

ALLOWED = PERMISSIVE | WEAK_COPYLEFT

CALLED = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd license": "BSD-3-Clause",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
}
"""What packages write, in lower case, for a license of the SPDX list; “BSD License” may have two clauses or three."""

READ = {
    "axe-playwright-python": "MIT",
    "oss-harmony": "Apache-2.0",
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
    "pytest-timeout": "MIT",
    "supervisor": "BSD-3-Clause",
    "tiktoken": "MIT",
}
"""The license of packages whose metadata does not name one, as their license files have it."""

AGREED = {
    r"intel-(openmp|cmplr-lib-ur)": "Intel's license for developer tools: runtime libraries, unchanged, for vLLM",
    r"nvidia-.*|cuda-.*": "NVIDIA's license for CUDA: runtime libraries, unchanged, for torch",
}
"""Packages by pattern that have a license of their own, with what was agreed to."""


class Package(NamedTuple):
    """An installed package and what it says of its license."""

    name: str
    version: str
    stated: str


def license_of(package: Package) -> str:
    """An SPDX expression; where what a package states is no such thing, that text as it is."""
    name = re.sub(r"[-_.]+", "-", package.name).lower()
    if name in READ:
        return READ[name]
    parts = [each.strip() for each in package.stated.split(";")]
    named = [CALLED.get(each.lower(), each) for each in parts]
    # Several classifiers may mean one or the other, or both: who has both is right in any case.
    return " AND ".join(f"({each})" if " OR " in each and len(named) > 1 else each for each in named)


def permits(expression: str, allowed: Iterable[str] = ALLOWED) -> bool:
    """Whether an SPDX expression can be met with allowed licenses; false for what is no expression."""
    known = set(allowed)
    words = re.findall(r"[()]|[^\s()]+(?:\s+WITH\s+[^\s()]+)?", expression)
    place = 0

    def next_word() -> str:
        return words[place] if place < len(words) else ""

    def either() -> bool:
        nonlocal place
        holds = both()
        while next_word() == "OR":
            place += 1
            holds = both() or holds
        return holds

    def both() -> bool:
        nonlocal place
        holds = one()
        while next_word() == "AND":
            place += 1
            holds = one() and holds
        return holds

    def one() -> bool:
        nonlocal place
        word = next_word()
        place += 1
        if word != "(":
            return " ".join(word.split()) in known
        holds = either()
        closed = next_word() == ")"
        place += 1
        return holds and closed

    return either() and place == len(words)


def agreed(package: Package) -> str:
    """What was agreed to for a package with a license of its own; empty where nothing was."""
    name = re.sub(r"[-_.]+", "-", package.name).lower()
    return next((why for pattern, why in AGREED.items() if re.fullmatch(pattern, name)), "")


def table(packages: Iterable[Package]) -> list[str]:
    """The licenses as Markdown, the most frequent first, with the packages of each."""
    held: defaultdict[str, list[str]] = defaultdict(list)
    for package in packages:
        terms = agreed(package) or license_of(package)
        held[" ".join(terms.split())[:100]].append(f"{package.name} {package.version}")
    rows = sorted(held.items(), key=lambda each: (-len(each[1]), each[0]))
    return [
        "| license | packages |",
        "|---|---|",
        *(f"| {terms} | {len(names)}: {', '.join(sorted(names, key=str.lower))} |" for terms, names in rows),
    ]


def refused(packages: Iterable[Package]) -> list[str]:
    """A sentence for each package whose license nobody has agreed to."""
    return [
        f"{package.name} {package.version} has the license “{' '.join(package.stated.split())[:100]}”."
        for package in packages
        if not agreed(package) and not permits(license_of(package))
    ]


def read(text: str) -> list[Package]:
    """What pip-licenses printed.

    Raises:
        ValueError: that is no list of packages, or an empty one.

    """
    rows: list[Mapping[str, str]] = json.loads(text)
    if not rows:
        raise ValueError("no package is installed there")
    return [Package(row["Name"], row["Version"], row["License"]) for row in rows]


def main() -> int:
    """Print the table and what nobody agreed to."""
    packages = read(sys.stdin.read())
    print("\n".join(table(packages)))
    wrong = refused(packages)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        print("Read their licenses, then name them in tests/supply_chain/licenses.py, or do without.", file=sys.stderr)
        return 1
    print(f"\n{len(packages)} packages, all with licenses that were agreed to.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

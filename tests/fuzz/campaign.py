"""Feeds inputs to a target: those that once found something, then new ones until a time or a number is reached."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.target import FoundError, Target

REGRESSIONS = Path(__file__).parent / "regressions"
"""A folder a target: inputs that once found something."""


@dataclass
class Tally:
    """What came of a campaign.

    Attributes:
        outcomes: number of inputs by what became of them.
        found: the findings, with the input of each.

    """

    outcomes: Counter[str] = field(default_factory=Counter)
    found: list[tuple[bytes, FoundError]] = field(default_factory=list)

    @property
    def kinds(self) -> Counter[str]:
        """Number of findings by the first line of what they say."""
        return Counter(str(finding).split("\n")[0] for _, finding in self.found)


def regressions(name: str) -> list[Path]:
    """Returns the kept inputs of a target."""
    return sorted(path for path in (REGRESSIONS / name).glob("*") if path.is_file())


def generated(target: Target, seed: int) -> Iterator[bytes]:
    """Yields new inputs without end; the same ones for the same seed."""
    number = 0
    while True:
        yield target.make(Random(f"{seed}:{number}"))
        number += 1


def run(target: Target, seed: int, *, seconds: float = float("inf"), cases: float = float("inf")) -> Tally:
    """Feed new inputs to a target until one of the limits is reached.

    Args:
        target: gets them.
        seed: chooses them.
        seconds: most wall-clock time; the input that is being checked then is the last.
        cases: most inputs.

    """
    tally = Tally()
    end = time.monotonic() + seconds
    for number, data in enumerate(generated(target, seed)):
        if number >= cases or time.monotonic() >= end:
            return tally
        try:
            tally.outcomes[target.check(data)] += 1
        except FoundError as finding:
            tally.outcomes["finding"] += 1
            tally.found.append((data, finding))
    raise AssertionError("generated() has no end")


def keep(data: bytes, folder: Path) -> Path:
    """Write an input into a folder, under a name made of its content."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(data).hexdigest()[:16]
    path.write_bytes(data)
    return path

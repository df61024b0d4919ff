"""Which process is killed when: pure, the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import cycle, islice
from random import Random
from typing import NamedTuple


class Victim(StrEnum):
    """What is killed with SIGKILL."""

    APP = "app"
    SERVER = "model server"
    GUARDIAN = "guardian"
    WORKER = "sandbox worker"
    BROWSER = "browser"


class Way(StrEnum):
    """How the interview is held."""

    PAGE = "page"
    BROWSER = "page in a browser"
    COMMAND = "command line"


class Moment(NamedTuple):
    """When a process is killed.

    Attributes:
        way: how the interview is held.
        victim: what is killed.
        share: how far the interview has come then, 0 to 1 of the events of the undisturbed one; a sandbox worker is
            killed when code is submitted.
        delay_s: seconds that pass after that.

    """

    way: Way
    victim: Victim
    share: float
    delay_s: float


EVERY = (
    *((Way.PAGE, victim) for victim in (Victim.APP, Victim.SERVER, Victim.GUARDIAN, Victim.WORKER)),
    *((Way.COMMAND, victim) for victim in (Victim.APP, Victim.SERVER, Victim.GUARDIAN)),
    (Way.BROWSER, Victim.BROWSER),
    (Way.PAGE, Victim.APP),
    (Way.BROWSER, Victim.APP),
)
"""Each process in each way; an app that serves a page has the most to lose, so it comes more often."""


def moments(count: int, seed: int, kinds: Sequence[tuple[Way, Victim]] = EVERY) -> list[Moment]:
    """Returns so many moments, the kinds in turn."""
    rng = Random(seed)
    return [Moment(way, victim, rng.random(), rng.uniform(0.0, 0.8)) for way, victim in islice(cycle(kinds), count)]

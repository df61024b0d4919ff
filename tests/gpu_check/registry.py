"""The steps, in the order in which they are taken; each is run in a process of its own."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A step.

    Attributes:
        name: by which it is asked for.
        target: module and function; the function is given the ``Stage`` and returns an ``Outcome``.
        seconds: after which it is ended and has failed.

    """

    name: str
    target: str
    seconds: float


_HERE = "tests.gpu_check"

STEPS = (
    Step("cards", f"{_HERE}.on_sandbox:cards", 60),
    Step("sandbox", f"{_HERE}.on_sandbox:sandbox", 300),
    Step("tasks", f"{_HERE}.on_sandbox:tasks", 600),
    Step("kills", f"{_HERE}.on_sandbox:kills", 300),
    Step("server", f"{_HERE}.on_judge:server", 420),
    Step("parity", f"{_HERE}.on_judge:marks", 300),
    Step("turns", f"{_HERE}.on_judge:turns", 300),
    Step("load", f"{_HERE}.on_judge:load", 300),
    Step("speech", f"{_HERE}.on_judge:speech", 300),
    Step("fits", f"{_HERE}.on_fits:fits", 900),
)

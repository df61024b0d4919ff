"""A web server that is told to stop finishes what it has begun."""

from __future__ import annotations

import time
from types import FrameType
from typing import Protocol

import uvicorn


class InFlight(Protocol):
    """The work that has begun and is not over."""

    @property
    def stopping(self) -> bool:
        """Whether no new work is taken."""
        ...

    @property
    def count(self) -> int:
        """How much there is."""
        ...

    def stop(self) -> None:
        """Take no new work."""
        ...


class DrainingServer(uvicorn.Server):
    """Serves until it is told to stop, then until the work that has begun is over; told again, it ends at once.

    Args:
        config: what to serve.
        work: what is in flight.
        patience_s: longest time that it takes to stop.

    """

    def __init__(self, config: uvicorn.Config, work: InFlight, patience_s: float) -> None:
        super().__init__(config)
        self._work, self._patience_s = work, patience_s
        self._until = 0.0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See ``uvicorn.Server``; called when a signal comes."""
        if self._work.stopping:
            super().handle_exit(sig, frame)
            return
        self._until = time.monotonic() + self._patience_s
        self._work.stop()

    async def on_tick(self, counter: int) -> bool:
        """See ``uvicorn.Server``; called ten times a second, and ends the server when it returns ``True``."""
        over = self._work.stopping and (not self._work.count or time.monotonic() > self._until)
        return await super().on_tick(counter) or over

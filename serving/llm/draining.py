"""A judge that is told to stop finishes the answers that it has begun and takes no new ones.

An answer is several prompts, each a request of its own. Whoever asks names the answer and says how many of its prompts
are still to come; a request that says nothing is an answer of one prompt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime

from serving.llm.answer_headers import ANSWER, LEFT

GAP_S = 15.0
"""Seconds without a request after which the rest of an answer is not waited for: whoever asked is gone. Between two
prompts of an answer, a page may have others read."""


class AnswersInFlight:
    """The answers that have begun and are not over. For the thread of the event loop only.

    Args:
        clock: seconds that never go back.

    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun: dict[str, float] = {}
        self._reading = self._unnamed = 0
        self._stopping = False
        self._since = datetime.now(UTC)

    @property
    def stopping(self) -> bool:
        """Whether no new answers are taken."""
        return self._stopping

    def stop(self) -> None:
        """Take no new answers."""
        self._stopping, self._since = True, datetime.now(UTC)

    @property
    def count(self) -> int:
        """How many answers there are."""
        late = self._clock() - GAP_S
        if not self._reading:
            self._begun = {name: at for name, at in self._begun.items() if at > late}
        return len(self._begun) + self._unnamed

    def told(self) -> dict[str, object]:
        """What the judge says of itself."""
        state = "stopping" if self._stopping else "answering"
        return {"state": state, "since": self._since.isoformat(timespec="seconds"), "answers_in_flight": self.count}

    def takes(self, headers: Mapping[str, str]) -> bool:
        """Whether a request is read: it is if it belongs to an answer that has begun, or all are taken."""
        return not self._stopping or headers.get(ANSWER, "") in self._begun

    @contextmanager
    def reading(self, headers: Mapping[str, str]) -> Iterator[None]:
        """Count a request while it is read, and its answer until its last one has been."""
        name, last = headers.get(ANSWER, "")[:100], headers.get(LEFT, "0") == "0"
        self._reading += 1
        if name:
            self._begun[name] = self._clock()
        else:
            self._unnamed += 1
        try:
            yield
        finally:
            self._reading -= 1
            if not name:
                self._unnamed -= 1
            elif last:
                self._begun.pop(name, None)
            else:
                self._begun[name] = self._clock()

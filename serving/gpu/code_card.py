"""On which card candidates' code runs, if on any. Pure."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence

from serving.gpu.card import Gpu
from serving.gpu.suitability import lacks

WISH = "INTERVIEWER_GPU_CODE"
"""Environment variable with which a person has code run on the judge's own card too: ``yes``."""

LEAST = 2 * 1024**3
"""Bytes of a card below which no code runs on it: a context, and what a task computes with."""

SLOWER = 3.0
"""How many times longer the judge may take while code runs on its card before code leaves it."""

FEWEST, KEPT = 5, 40


def code_card(gpus: Sequence[Gpu], judge: Gpu | None, taken: int, *, asked: bool, most: int) -> tuple[Gpu | None, int]:
    """The card for code, and how many of its bytes a job may hold; ``None`` where code stays on the processor.

    Args:
        gpus: all cards and slices.
        judge: the one that the judge runs on; ``None`` where it runs elsewhere.
        taken: bytes that the judge takes of it.
        asked: whether the person wants code to run on the judge's own card.
        most: bytes that a job may hold at most.

    """
    others = [gpu for gpu in gpus if gpu != judge and not lacks(gpu)]
    roomy = max(others, key=_room, default=None)
    if roomy is not None and _room(roomy) >= LEAST:
        return roomy, min(most, _room(roomy))
    if judge is not None and asked and _room(judge) - taken >= LEAST:
        return judge, min(most, _room(judge) - taken)
    return None, 0


def _room(gpu: Gpu) -> int:
    return gpu.free if gpu.free is not None else gpu.memory or 0


class Pace:
    """How long the judge takes with and without code on its card."""

    def __init__(self) -> None:
        self._alone: deque[float] = deque(maxlen=KEPT)
        self._beside: deque[float] = deque(maxlen=KEPT)

    def note(self, seconds: float, *, beside_code: bool) -> bool:
        """Note how long one criterion took, and tell whether code has to leave the card."""
        (self._beside if beside_code else self._alone).append(seconds)
        if min(len(self._alone), len(self._beside)) < FEWEST:
            return False
        return statistics.median(self._beside) > SLOWER * statistics.median(self._alone)

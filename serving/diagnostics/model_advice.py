"""What a better model would bring on this machine, told by ``doctor``: what fits, and what is known of it. Pure.

Sizes are weights alone (two bytes a parameter, or about 0.6 in four bits) with a quarter more for the cache. How much
longer a larger model takes is reckoned from the turn that was measured (docs/benchmarks/speed.md) and the parameters
read, and said to be so. How well it would mark nobody has measured here; the command that does is named.
"""

from __future__ import annotations

from typing import NamedTuple

from serving.gpu.card import Gpu
from serving.machine import Machine, Profile

JUDGE_BILLIONS = 0.75
"""Parameters, in billions, that the embedded judge's 16 layers read for each token."""

TURN_S = 2.2
"""Seconds that the embedded judge takes for an answer on two cores, measured."""

MEASURE = "`make grade-bench MODEL=http://…` measures one on our answers in minutes and keeps its calibration."

PUBLISHED = (
    "Published for orientation: GPT-4 marked short school answers with a kappa of .70 where two people had .75 "
    "(Henkel et al. 2024); among 54 models size alone did not decide how well they judged (arXiv 2510.09738)."
)


class Size(NamedTuple):
    """A size of model that servers commonly have.

    Attributes:
        billions: parameters.
        bits: a weight.

    """

    billions: float
    bits: int

    @property
    def memory(self) -> float:
        """Bytes that serving it takes."""
        return self.billions * 1e9 * {16: 2.0, 4: 0.6}[self.bits] * 1.25

    def __str__(self) -> str:
        return f"{self.billions:g} billion parameters in {self.bits} bits"


SIZES = (Size(72, 4), Size(32, 16), Size(32, 4), Size(14, 16), Size(8, 16), Size(14, 4), Size(8, 4))
"""From what marks best to what fits most cards."""


def better(machine: Machine, profile: Profile) -> tuple[str, ...]:
    """What a better model would bring, a sentence each.

    Args:
        machine: what there is.
        profile: how the judge is served on it.

    """
    if profile.judge == "prompted":
        return (
            "The model that you named judges by prompt; until it is measured, fewer of its marks are sure.",
            MEASURE,
        )
    if not machine.gpus:
        seconds = TURN_S * 8 / JUDGE_BILLIONS
        return (
            "On this processor, no model that can hold a conversation: 8 billion parameters would take about "
            f"{seconds:.0f} s per answer (estimated, not measured); the embedded judge takes {TURN_S} s on two cores. "
            "You can use a server on another machine with --llm-url.",
            PUBLISHED,
            MEASURE,
        )
    card = max(machine.gpus, key=lambda gpu: _left(gpu, profile))
    left = _left(card, profile)
    beside = " beside the judge" if card == profile.gpu else ""
    fitting = next((size for size in SIZES if size.memory <= left), None)
    room = f"In the {left / 1e9:.0f} GB that {card.name} has{beside}"
    if fitting is None:
        return (f"{room}, no model much larger than the embedded one fits.", MEASURE)
    return (
        f"{room}, a model of {fitting} fits (about {fitting.memory / 1e9:.0f} GB); serve "
        "it with vLLM and name it with --llm-url. We have measured none on a card.",
        PUBLISHED,
        MEASURE,
    )


def _left(gpu: Gpu, profile: Profile) -> int:
    """Bytes of a card that another model can have: those that are free, less what the judge takes of them."""
    room = gpu.free if gpu.free is not None else gpu.memory or 0
    taken = profile.plan.memory if gpu == profile.gpu and profile.plan is not None else 0
    return max(0, room - taken)

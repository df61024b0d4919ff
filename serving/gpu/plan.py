"""How the judge is served on a card: in which numbers, with how much memory, compiled or not. Pure.

Nothing here was measured on a card; sizes follow from the model, and what vLLM and CUDA take beside is an estimate
with room to spare (docs/gpu.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from serving.gpu.card import Gpu

OLDEST_DRIVER = (580,)
"""Of CUDA 13, for which torch and vLLM are built (requirements-gpu.lock)."""

OLDEST = (7, 5)
"""Compute capability that CUDA 13 still compiles for: Turing."""

NO_BF16 = (8, 0)
"""Compute capability below which a card cannot compute in bfloat16."""

NO_INT8 = (10, 0)
"""Compute capability from which vLLM has no kernel for int8 weights with int8 activations: Blackwell."""

LAYERS, KEY_VALUE_HEADS, HEAD = 16, 2, 128
TOKEN = LAYERS * 2 * KEY_VALUE_HEADS * HEAD * 2
"""Bytes that a token takes in the cache of keys and values."""

WEIGHTS = {"int8": 1_300_000_000, "bf16": 2_100_000_000}
"""Bytes of the checkpoint: the layers in that format, the embeddings in 16 bits."""

ACTIVATIONS = 1_200_000_000
"""Bytes that a step of 8,192 tokens computes with."""

CONTEXT = 800_000_000
"""Bytes of a CUDA context with the kernels that are loaded."""

BESIDE = 900_000_000
"""Bytes of this program's own context and encoders, which share the card."""

INTERVIEWS = 64
"""Answers whose keys and values find room at once."""

ANSWER = 2_048
"""Tokens of an answer with its question and all its criteria, whose beginning they share; measured ones have 700."""

FEWEST = 4
"""Answers below which a card is not worth it; one of the longest prompts needs the room of four."""


@dataclass(frozen=True)
class Plan:
    """How the judge is served on a card.

    Attributes:
        format: of the checkpoint: ``int8`` (W8A8) or ``bf16`` (no integers).
        dtype: what is computed in, as vLLM's ``--dtype`` takes it.
        eager: whether nothing is compiled.
        interviews: answers that are read at once.
        cache: bytes of keys and values.
        memory: bytes of the card that the server and this program take together.

    """

    format: Literal["int8", "bf16"]
    dtype: Literal["bfloat16", "float16"]
    eager: bool
    interviews: int
    cache: int
    memory: int


def base(kind: Literal["int8", "bf16"]) -> int:
    """Bytes that are taken whatever is read."""
    return WEIGHTS[kind] + ACTIVATIONS + CONTEXT + BESIDE


def format_for(capability: tuple[int, int]) -> Literal["int8", "bf16"]:
    """In which format a card of that compute capability reads the judge's weights."""
    return "bf16" if capability >= NO_INT8 else "int8"


def least(gpu: Gpu) -> int:
    """Bytes that have to be free on a card."""
    return base(format_for(gpu.capability or OLDEST)) + FEWEST * ANSWER * TOKEN


def plan(gpu: Gpu, *, compiles: bool) -> Plan:
    """How the judge is served on a card that ``lacks`` says nothing of.

    Args:
        gpu: the card.
        compiles: whether there are a compiler and headers.

    """
    capability = gpu.capability or OLDEST
    kind = format_for(capability)
    room = gpu.free if gpu.free is not None else gpu.memory or 0
    interviews = max(FEWEST, min(INTERVIEWS, (room - base(kind)) // (ANSWER * TOKEN)))
    cache = interviews * ANSWER * TOKEN
    return Plan(
        format=kind,
        dtype="float16" if capability < NO_BF16 else "bfloat16",
        eager=not compiles,
        interviews=interviews,
        cache=cache,
        memory=base(kind) + cache,
    )

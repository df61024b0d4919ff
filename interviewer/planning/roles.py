"""What the jobs that people prepare for ask about: topics, kinds of question and their share, level."""

from __future__ import annotations

from types import MappingProxyType

from knowledge.model import Kind, Level
from serving.frozen import FrozenModel


class Role(FrozenModel):
    """A job, as its interviews are.

    Attributes:
        name: what it is called.
        topics: what is asked about, the most usual first.
        mix: kinds of question, and how many of ten questions are of each.
        level: the level that is asked for most often.

    """

    name: str
    topics: tuple[str, ...]
    mix: tuple[tuple[Kind, int], ...]
    level: Level


_ROLES = (
    Role(
        name="ML engineer",
        topics=("training", "data loading", "modules", "autograd", "debugging", "serving", "agents"),
        mix=((Kind.CONCEPT, 3), (Kind.CODING, 3), (Kind.DEBUGGING, 2), (Kind.SYSTEM_DESIGN, 1), (Kind.BEHAVIORAL, 1)),
        level=Level.MID,
    ),
    Role(
        name="Research engineer",
        topics=("transformers", "architectures", "autograd", "training", "post-training", "distributed training"),
        mix=((Kind.CODING, 4), (Kind.CONCEPT, 4), (Kind.DEBUGGING, 1), (Kind.BEHAVIORAL, 1)),
        level=Level.SENIOR,
    ),
    Role(
        name="Inference and performance engineer",
        topics=("performance", "serving", "transformers", "distributed training"),
        mix=((Kind.CONCEPT, 4), (Kind.CODING, 3), (Kind.SYSTEM_DESIGN, 1), (Kind.DEBUGGING, 1), (Kind.BEHAVIORAL, 1)),
        level=Level.SENIOR,
    ),
    Role(
        name="Deep-learning new graduate",
        topics=("tensors", "autograd", "modules", "training", "algorithms"),
        mix=((Kind.CONCEPT, 5), (Kind.CODING, 3), (Kind.DEBUGGING, 1), (Kind.BEHAVIORAL, 1)),
        level=Level.JUNIOR,
    ),
    Role(
        name="MLOps engineer",
        topics=("serving", "data loading", "distributed training", "performance"),
        mix=((Kind.SYSTEM_DESIGN, 3), (Kind.CONCEPT, 4), (Kind.DEBUGGING, 2), (Kind.BEHAVIORAL, 1)),
        level=Level.MID,
    ),
)

ROLES = MappingProxyType({role.name: role for role in _ROLES})
"""The presets by name, in the order they are offered."""

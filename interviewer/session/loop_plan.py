"""The plan of a loop: several interviews, each by another interviewer, and one debrief."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from interviewer.session.style import Style
from knowledge.model import Level
from serving.frozen import FrozenModel


class RoundKind(StrEnum):
    """What a round is on."""

    PHONE_SCREEN = "phone screen"
    CODING = "coding"
    SYSTEM_DESIGN = "system design"
    BEHAVIORAL = "behavioral"
    DEEP_DIVE = "deep dive"
    """A piece of the person's own work, or a paper they name."""


class Round(FrozenModel):
    """One interview of a loop.

    Attributes:
        kind: what it is on.
        interviewer: the interviewer's name.
        style: the manner in which they speak.
        voice: the voice they speak with; empty for the usual one.
        minutes: its length by the clock.
        topics: topics to ask about; empty means those of the role.

    """

    kind: RoundKind
    interviewer: str = Field(min_length=1, max_length=60)
    style: Style = Style.NEUTRAL
    voice: str = Field(default="", max_length=40)
    minutes: int = Field(default=45, ge=15, le=120)
    topics: tuple[str, ...] = Field(default=(), max_length=20)


LONGEST_SUBJECT = 200
"""Characters of what a deep dive is on."""


class LoopPlan(FrozenModel):
    """What a loop consists of.

    Attributes:
        name: what it is called.
        role: a preset of ``interviewer.planning.roles``; empty for none.
        level: seniority that the person is interviewed for.
        subject: what the deep dive is on: work of the person's own, or a paper; may be empty.
        paper: the subject is a paper.
        rounds: the interviews, in order.

    """

    name: str = Field(min_length=1, max_length=80)
    role: str = ""
    level: Level = Level.MID
    subject: str = Field(default="", max_length=LONGEST_SUBJECT)
    paper: bool = False
    rounds: tuple[Round, ...] = Field(min_length=1, max_length=12)


class LoopPlace(FrozenModel):
    """Which round of which loop an interview is.

    Attributes:
        id: names the loop.
        number: the round's place in it, from 1.
        plan: the loop's, as it was when the round began.

    """

    id: str = Field(min_length=1, max_length=64)
    number: int = Field(ge=1)
    plan: LoopPlan

    @property
    def round(self) -> Round:
        """The round."""
        return self.plan.rounds[self.number - 1]

"""The four loops that one can begin with; a person edits a copy."""

from __future__ import annotations

from types import MappingProxyType

from interviewer.session.loop_plan import LoopPlan, Round, RoundKind
from interviewer.session.style import Style
from knowledge.model import Level

_CALM, _DRY = "af_heart", "am_michael"

_TEMPLATES = (
    LoopPlan(
        name="large company",
        role="ML engineer",
        level=Level.MID,
        rounds=(
            Round(kind=RoundKind.PHONE_SCREEN, interviewer="Priya", style=Style.FRIENDLY, voice=_CALM, minutes=30),
            Round(kind=RoundKind.CODING, interviewer="Daniel", style=Style.NEUTRAL, voice=_DRY),
            Round(kind=RoundKind.CODING, interviewer="Mei", style=Style.DEMANDING, voice=_CALM),
            Round(kind=RoundKind.SYSTEM_DESIGN, interviewer="Oleg", style=Style.NEUTRAL, voice=_DRY, minutes=60),
            Round(kind=RoundKind.BEHAVIORAL, interviewer="Grace", style=Style.FRIENDLY, voice=_CALM),
            Round(kind=RoundKind.DEEP_DIVE, interviewer="Tomás", style=Style.DEMANDING, voice=_DRY),
        ),
    ),
    LoopPlan(
        name="research lab",
        role="Research engineer",
        level=Level.SENIOR,
        paper=True,
        rounds=(
            Round(kind=RoundKind.PHONE_SCREEN, interviewer="Hannah", style=Style.NEUTRAL, voice=_CALM, minutes=30),
            Round(kind=RoundKind.CODING, interviewer="Kenji", style=Style.NEUTRAL, voice=_DRY),
            Round(kind=RoundKind.CODING, interviewer="Sara", style=Style.FRIENDLY, voice=_CALM),
            Round(kind=RoundKind.DEEP_DIVE, interviewer="Viktor", style=Style.DEMANDING, voice=_DRY, minutes=60),
            Round(kind=RoundKind.SYSTEM_DESIGN, interviewer="Amina", style=Style.NEUTRAL, voice=_CALM),
            Round(kind=RoundKind.BEHAVIORAL, interviewer="Paul", style=Style.FRIENDLY, voice=_DRY, minutes=30),
        ),
    ),
    LoopPlan(
        name="start-up",
        role="ML engineer",
        level=Level.SENIOR,
        rounds=(
            Round(kind=RoundKind.PHONE_SCREEN, interviewer="Leo", style=Style.FRIENDLY, voice=_DRY, minutes=20),
            Round(kind=RoundKind.CODING, interviewer="Noor", style=Style.NEUTRAL, voice=_CALM),
            Round(kind=RoundKind.CODING, interviewer="Ben", style=Style.DEMANDING, voice=_DRY, minutes=30),
            Round(kind=RoundKind.SYSTEM_DESIGN, interviewer="Carla", style=Style.NEUTRAL, voice=_CALM),
            Round(kind=RoundKind.DEEP_DIVE, interviewer="Ivan", style=Style.FRIENDLY, voice=_DRY, minutes=30),
            Round(kind=RoundKind.BEHAVIORAL, interviewer="Ruth", style=Style.DEMANDING, voice=_CALM, minutes=30),
        ),
    ),
    LoopPlan(
        name="new graduate",
        role="Deep-learning new graduate",
        level=Level.JUNIOR,
        rounds=(
            Round(kind=RoundKind.PHONE_SCREEN, interviewer="Sofia", style=Style.FRIENDLY, voice=_CALM, minutes=30),
            Round(kind=RoundKind.CODING, interviewer="Arjun", style=Style.FRIENDLY, voice=_DRY),
            Round(kind=RoundKind.CODING, interviewer="Emily", style=Style.NEUTRAL, voice=_CALM),
            Round(kind=RoundKind.SYSTEM_DESIGN, interviewer="Jonas", style=Style.FRIENDLY, voice=_DRY, minutes=30),
            Round(kind=RoundKind.BEHAVIORAL, interviewer="Maya", style=Style.FRIENDLY, voice=_CALM, minutes=30),
            Round(kind=RoundKind.DEEP_DIVE, interviewer="Henrik", style=Style.NEUTRAL, voice=_DRY, minutes=30),
        ),
    ),
)

TEMPLATES = MappingProxyType({template.name: template for template in _TEMPLATES})
"""The templates by name, in the order in which they are offered."""

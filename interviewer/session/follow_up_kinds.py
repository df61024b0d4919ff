"""The kinds of follow-up, and the rules that hold for each.

To add a kind: an entry here, its predicate in ``policy/follow_ups.py``, its words in ``dialogue/templates.py`` and its
label in ``report/phrases``. A test names what is missing.
"""

from __future__ import annotations

from enum import StrEnum

from serving.frozen import FrozenModel


class FollowUpKind(StrEnum):
    """Why a follow-up is asked."""

    CONTRADICTION = "contradiction"
    CLAIM = "claim"
    """A point of the bank speaks against a statement of the answer: it is asked how the person would check it."""
    MISHEARD = "misheard"
    """A point seems missing, and recognition was unsure of a word that sounds like one of its terms."""
    MISSING = "missing"
    PARTIAL = "partial"
    EVIDENCE = "evidence"
    """The answer was vague: one concrete thing is asked for."""
    UNSURE = "unsure"
    UNGRADED = "ungraded"
    DEPTH = "depth"
    """All was met, and the question is taken further."""
    EXECUTION = "execution"
    """Something that running the code showed."""
    EXPLANATION = "explanation"
    """The code was handed in without a word."""
    CHANGE = "change"
    """The change of requirements of a design round."""
    DEEP_DIVE = "deep dive"
    """The person is to choose the part of a design to go into."""


BESIDE_THE_POINT = frozenset(
    {FollowUpKind.CLAIM, FollowUpKind.DEPTH, FollowUpKind.EVIDENCE, FollowUpKind.MISHEARD, FollowUpKind.EXECUTION}
)
"""Follow-ups that ask for something else than the question of the point that they are filed under."""


class FollowUpRule(FrozenModel):
    """What holds for a kind of follow-up.

    Attributes:
        kind: the kind.
        rank: kinds of a lower rank are tried first.
        about_code: it is about code that was run, and not about a criterion.
        may_paraphrase: whether a model may word it; else the bank's words are said exactly.
        gives_help: whether what is said after it counts as said with help.

    """

    kind: FollowUpKind
    rank: int
    about_code: bool = False
    may_paraphrase: bool = True
    gives_help: bool = True


RULES: tuple[FollowUpRule, ...] = (
    FollowUpRule(kind=FollowUpKind.CONTRADICTION, rank=0),
    FollowUpRule(kind=FollowUpKind.CLAIM, rank=1, may_paraphrase=False),
    FollowUpRule(kind=FollowUpKind.MISHEARD, rank=2, may_paraphrase=False),
    FollowUpRule(kind=FollowUpKind.MISSING, rank=3),
    FollowUpRule(kind=FollowUpKind.EVIDENCE, rank=4),
    FollowUpRule(kind=FollowUpKind.PARTIAL, rank=5),
    FollowUpRule(kind=FollowUpKind.UNSURE, rank=5),
    FollowUpRule(kind=FollowUpKind.UNGRADED, rank=6),
    FollowUpRule(kind=FollowUpKind.DEPTH, rank=7),
    FollowUpRule(kind=FollowUpKind.EXECUTION, rank=8, about_code=True, may_paraphrase=False),
    FollowUpRule(kind=FollowUpKind.EXPLANATION, rank=9, about_code=True, may_paraphrase=False),
    FollowUpRule(kind=FollowUpKind.CHANGE, rank=10, may_paraphrase=False, gives_help=False),
    FollowUpRule(kind=FollowUpKind.DEEP_DIVE, rank=11, may_paraphrase=False, gives_help=False),
)
"""One rule for each kind."""

_BY_KIND = {rule.kind: rule for rule in RULES}


def rule_of(kind: FollowUpKind) -> FollowUpRule:
    """Returns the rule of a kind."""
    return _BY_KIND[kind]

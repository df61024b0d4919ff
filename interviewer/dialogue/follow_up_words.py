"""What a follow-up is put in. Pure: the seed and the turn choose the words, so a replay says the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.dialogue import templates
from interviewer.policy.answer_stages import Stage, stage_of
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.speech.speakable_text import speakable
from knowledge.model import Question
from rubric.model import Criterion

_QUOTES = frozenset({FollowUpKind.PARTIAL, FollowUpKind.UNSURE})
"""Kinds of follow-up that take the person's own words up."""


def follow_up(
    question: Question,
    kind: FollowUpKind,
    criterion_id: str,
    *,
    quote: str,
    turn: int,
    seed: int,
    doubtful: str = "",
    doubted: bool = False,
    nearly_said: bool = False,
    same_stage: bool = False,
) -> str:
    """A follow-up: the criterion's own probe, or a neutral question that gives nothing away.

    It has one lead-in at most: a quotation, the stage that it begins, or what was said just before.

    Args:
        question: with its rubric.
        kind: why it is asked.
        criterion_id: what is drilled.
        quote: the person's own words on it, as ``quotation.excerpt`` has them; may be empty.
        turn: how many follow-ups the question had already.
        seed: the plan's.
        doubtful: the term that may have been misheard, where that is asked about.
        doubted: the judge holds, without being sure, that the words say the opposite of the point.
        nearly_said: the words that are quoted may well make the point, so that they are asked about, and not the point.
        same_stage: the follow-up before was on the same stage of the design or the story.

    Raises:
        KeyError: the rubric has no such criterion.

    """
    own = _of_its_own(question, kind, turn, seed, doubtful=doubtful)
    if own:
        return own
    if question.rubric is None:
        raise KeyError(criterion_id)
    criterion = question.rubric.criterion(criterion_id)
    lead = _lead(kind, seed, turn)
    quoted = _pick(templates.QUOTED, seed, turn).format(quote=quote) if quote else ""
    if kind is FollowUpKind.DEPTH:
        return _joined(quoted or lead, _pick(templates.DEPTH[question.kind], seed, turn))
    stage = stage_of(question.kind, criterion)
    if stage and kind in {FollowUpKind.MISSING, FollowUpKind.PARTIAL}:
        lead = "" if same_stage else _pick(templates.STAGE_LEADS[stage], seed, turn)
    if quote and kind is FollowUpKind.CONTRADICTION:
        lead = _pick(templates.CONSEQUENCES, seed, turn).format(quote=quote)
    elif kind in _QUOTES:
        lead = quoted or lead
    about_words = kind in _QUOTES and quote and (nearly_said or _asks_for(speakable(criterion.probe), quote))
    if about_words:
        return _joined(lead, _about_words(kind, stage, turn, seed, doubted=doubted))
    return _joined(lead, _probe(question, kind, criterion, turn, seed))


def _of_its_own(question: Question, kind: FollowUpKind, turn: int, seed: int, *, doubtful: str) -> str:
    """A follow-up that is on no criterion; empty where it is on one."""
    lead = _lead(kind, seed, turn)
    match kind:
        case FollowUpKind.EVIDENCE:
            return _joined(lead, _pick(templates.EVIDENCE[question.kind], seed, turn))
        case FollowUpKind.CHANGE if question.change:
            return _joined(lead, speakable(question.change))
        case FollowUpKind.DEEP_DIVE if question.deep_dives:
            first, second = (speakable(dive) for dive in question.deep_dives)
            return _joined(lead, templates.CHOOSE_DIVE.format(first=first, second=second))
        case FollowUpKind.MISHEARD if doubtful:
            return templates.DID_YOU_SAY.format(term=speakable(doubtful))
        case FollowUpKind.DEPTH if question.follow_on:
            return _joined(lead, speakable(question.follow_on))
        case _:
            return ""


def _lead(kind: FollowUpKind, seed: int, turn: int) -> str:
    return _pick(templates.FOLLOW_UP_LEADS.get(kind, ("",)), seed, turn)


def _joined(lead: str, asked: str) -> str:
    return f"{lead} {asked}" if lead else asked


def _about_words(kind: FollowUpKind, stage: Stage | None, turn: int, seed: int, *, doubted: bool) -> str:
    """The question on the words that were quoted."""
    if stage in templates.TOLD and kind is FollowUpKind.UNSURE:
        return _pick(templates.TOLD[stage], seed, turn)
    return _pick(templates.WHY if doubted else templates.MORE_EXACTLY[kind], seed, turn)


def _probe(question: Question, kind: FollowUpKind, criterion: Criterion, turn: int, seed: int) -> str:
    """The question on one point."""
    if probe := speakable(criterion.probe):
        return probe
    if kind is FollowUpKind.CONTRADICTION:
        return _pick(templates.CONSEQUENCES_ALONE, seed, turn)
    stage = stage_of(question.kind, criterion)
    return templates.STAGE_NEUTRAL[stage] if stage else _pick(templates.NEUTRAL[question.kind], seed, turn)


def _asks_for(probe: str, quote: str) -> bool:
    """Whether a probe asks for what was just quoted: there is none, or most of what it is about is in the quotation."""
    about = _content(probe)
    return not probe or len(about & _content(quote)) > len(about) / 2


_COMMON = frozenset(
    re.findall(
        r"\S+",
        """
    a about am an and any are as asking at be being by can could do does exactly for from have how i if in is it
    its just know like mean me of on one or question should so sorry that the there they this to up want was we
    what when where which will with would you your assume clarify code
    """,
    )
)


def _content(text: str) -> frozenset[str]:
    """The words that a text is about, without their endings in s."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(word.removesuffix("s") for word in words if word not in _COMMON and len(word) > 2)


def _pick(choices: Sequence[str], seed: int, turn: int) -> str:
    return choices[(seed + turn) % len(choices)]

"""What a follow-up is put in. Pure: the seed and the turn choose the words, so a replay says the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from interviewer.dialogue import templates
from interviewer.dialogue.quotable import fits
from interviewer.policy.answer_stages import Stage, names_stage, stage_of
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.speech.speakable_text import speakable
from interviewer.text import wording
from knowledge.model import Kind, Question
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
    said_before: str = "",
) -> str:
    """A follow-up: the criterion's own probe, or a neutral question that gives nothing away.

    It has one lead-in at most: a quotation, the stage that it begins, or what was said just before. What may be asked
    of anything is asked once in an interview. A story's own question is asked without a quotation: words that come near
    to its point are most likely an answer to it.

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
        said_before: every follow-up of the interview so far.

    Raises:
        KeyError: the rubric has no such criterion.

    """
    pick = partial(_fresh, seed=seed, turn=turn, said_before=said_before)
    quoted = wording(templates.QUOTED, seed, turn).format(quote=quote) if quote else ""
    if kind is FollowUpKind.CLAIM:
        return _joined(quoted, pick(templates.CHECKED_HOW))
    own = _of_its_own(question, kind, pick, doubtful=doubtful)
    if own:
        return own
    if question.rubric is None:
        raise KeyError(criterion_id)
    criterion = question.rubric.criterion(criterion_id)
    lead = wording(templates.FOLLOW_UP_LEADS.get(kind, ("",)), seed, turn)
    if kind is FollowUpKind.DEPTH:
        return _joined(quoted or lead, pick(templates.DEPTH[question.kind]))
    stage = stage_of(question.kind, criterion)
    if stage and kind in {FollowUpKind.MISSING, FollowUpKind.PARTIAL}:
        lead = "" if same_stage else _stage_lead(question.kind, stage, criterion, seed, turn)
    if kind in _QUOTES and (nearly_said or (quote and _asks_for(speakable(criterion.probe), quote))):
        asked = _about_words(kind, stage, quote, pick, doubted=doubted)
        if asked:
            return asked if asked in _ALONE else _joined(quoted, asked)
    if question.kind is not Kind.BEHAVIORAL and quote:
        if kind is FollowUpKind.CONTRADICTION:
            lead = wording(templates.CONSEQUENCES, seed, turn).format(quote=quote)
        elif kind in _QUOTES:
            lead = quoted
    return _joined(lead, _probe(question, kind, criterion, pick))


def _of_its_own(question: Question, kind: FollowUpKind, pick: _Pick, *, doubtful: str) -> str:
    """A follow-up that is on no criterion; empty where it is on one."""
    lead = pick(templates.FOLLOW_UP_LEADS.get(kind, ("",)))
    match kind:
        case FollowUpKind.EVIDENCE:
            return _joined(lead, pick(templates.EVIDENCE[question.kind]))
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


def _stage_lead(kind: Kind, stage: Stage, criterion: Criterion, seed: int, turn: int) -> str:
    """The words that begin a stage; empty where the stage was only guessed, or the question doesn't sound like it."""
    fitting = templates.STAGE_ASKS.get(stage)
    sounds_so = fitting is None or re.search(fitting, criterion.probe, re.IGNORECASE) or not criterion.probe
    return wording(templates.STAGE_LEADS[stage], seed, turn) if names_stage(kind, criterion) and sounds_so else ""


def _joined(lead: str, asked: str) -> str:
    return f"{lead} {asked}" if lead else asked


def _about_words(kind: FollowUpKind, stage: Stage | None, quote: str, pick: _Pick, *, doubted: bool) -> str:
    """The question on words that may make the point; empty where there is none that was not asked before."""
    if stage in templates.TOLD and kind is FollowUpKind.UNSURE:
        choices = [each for each in templates.TOLD[stage] if not (each.startswith("Why") and _REASON.search(quote))]
        asked = pick(choices, once=True) if quote and fits(stage, quote) and choices else ""
        return asked or pick(templates.TOLD_ALONE[stage], once=True)
    return pick(templates.WHY if doubted else templates.MORE_EXACTLY[kind], once=True) if quote else ""


_REASON = re.compile(r"\b(?:because|since|so that|in order to|that's why|the reason)\b", re.IGNORECASE)
"""What a quotation holds that tells why."""


def _probe(question: Question, kind: FollowUpKind, criterion: Criterion, pick: _Pick) -> str:
    """The question on one point."""
    if probe := speakable(criterion.probe):
        return probe
    if kind is FollowUpKind.CONTRADICTION:
        return pick(templates.CONSEQUENCES_ALONE)
    stage = stage_of(question.kind, criterion)
    return pick((templates.STAGE_NEUTRAL[stage],) if stage else templates.NEUTRAL[question.kind])


def _asks_for(probe: str, quote: str) -> bool:
    """Whether a probe asks for what was just quoted: there is none, or most of what it is about is in the quotation."""
    about = _content(probe)
    return not probe or len(about & _content(quote)) > len(about) / 2


def is_of_any_story(said: str) -> bool:
    """Whether a follow-up asks what is asked of a stage of any story, in place of its point's own question."""
    return said in _ALONE or any(said.endswith(asked) for each in templates.TOLD.values() for asked in each)


_ALONE = frozenset(asked for each in templates.TOLD_ALONE.values() for asked in each)


_COMMON = frozenset(
    re.findall(
        r"\S+",
        """
    a about am an and any are as asking at be being by can could do does exactly for from get gets got happen happened
    happens have how i if in is it its just know like mean me of on one or question should so sorry that the there they
    this to up want was we what when where which will with would you your assume clarify code
    """,
    )
)


def _content(text: str) -> frozenset[str]:
    """The words that a text is about, without their endings in s."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(word.removesuffix("s") for word in words if word not in _COMMON and len(word) > 2)


class _Pick(Protocol):
    """Picks words that the interview has not had."""

    def __call__(self, choices: Sequence[str], *, once: bool = False) -> str: ...


def _fresh(choices: Sequence[str], *, seed: int, turn: int, said_before: str, once: bool = False) -> str:
    """The first of some words, from one on, that the interview has not had; where it had all, none, or again that one.

    Args:
        choices: the words.
        seed: the plan's.
        turn: how many follow-ups the question had already.
        said_before: every follow-up of the interview so far.
        once: rather none than what was said before.

    """
    turned = [wording(choices, seed, turn + place) for place in range(len(choices))]
    return next((words for words in turned if words not in said_before), "" if once else turned[0])

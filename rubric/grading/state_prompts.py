"""Asks the judge's model of the criteria of an answer with both prompts."""

from __future__ import annotations

from collections.abc import Sequence

from rubric.grading.excerpt_prompts import excerpt_prompt
from rubric.grading.prompts import judge_prompt
from rubric.grading.state_head import States
from serving.llm.client import StateClient


def prompts_of(question: str, answer: str, criteria: Sequence[str], excerpts: Sequence[str]) -> list[str]:
    """The prompts of all criteria of an answer: first those with the whole answer, then those with excerpts.

    Args:
        question: as asked.
        answer: as the judge reads it.
        criteria: texts of the criteria.
        excerpts: what each criterion is read beside (``rubric.grading.excerpts``).

    """
    whole = [judge_prompt(question, answer, text) for text in criteria]
    return whole + [excerpt_prompt(question, text, words) for text, words in zip(criteria, excerpts, strict=True)]


def states_of(
    client: StateClient, question: str, answer: str, criteria: Sequence[str], excerpts: Sequence[str]
) -> States:
    """The states that these prompts end with.

    Args:
        client: gives the states.
        question: as asked.
        answer: as the judge reads it.
        criteria: texts of the criteria.
        excerpts: what each criterion is read beside.

    Raises:
        ServerGoneError: the server does not answer (now).
        ProtocolError: it answered with something that is no state.

    """
    found = client.states(prompts_of(question, answer, criteria, excerpts))
    return States(found[: len(criteria)], found[len(criteria) :])

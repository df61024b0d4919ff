"""What a person's words amount to while a question is open: an answer, or a request that is carried out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interviewer import phrasing, wording
from interviewer.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    ClarificationGiven,
    Event,
    HintGiven,
    Mode,
    PersonSpoke,
    Plan,
    QuestionRepeated,
    QuestionSkipped,
)
from interviewer.intents import ANSWERS, Intent, has_content, intent_of
from interviewer.state import AskedQuestion

BY_WORDS = (
    AnswerGiven,
    AnswerDeclined,
    ClarificationGiven,
    AsideTaken,
    HintGiven,
    QuestionRepeated,
    QuestionSkipped,
)
"""What can become of what a person says."""


def words_of(event: object) -> str | None:
    """What the person said to bring an event about; ``None`` where they said nothing."""
    if isinstance(event, AnswerGiven | PersonSpoke):
        return event.text
    words = getattr(event, "words", "")
    return words if isinstance(event, BY_WORDS) and words else None


def heard(asked: AskedQuestion, plan: Plan, text: str, request_id: str) -> Callable[..., Event]:
    """The event that an utterance amounts to, but for its time.

    Words never end an interview, and a hint is refused in an exam. What is neither an answer nor a request that
    changes anything is kept with what was replied.

    Args:
        asked: the open question.
        plan: the interview's.
        text: what the person said, cleaned.
        request_id: the event's id.

    """
    intent = intent_of(text)
    unfinished = intent is Intent.THINKING and has_content(text)
    if unfinished or intent in ANSWERS:
        return answered(asked, text, request_id, unfinished=unfinished)
    if intent is Intent.HINT and plan.mode is Mode.EXAM:
        return _aside(asked, plan, text, request_id)
    carry_out = _REQUESTS.get(intent, _aside)
    return carry_out(asked, plan, text, request_id)


def answered(asked: AskedQuestion, text: str, request_id: str, *, unfinished: bool = False) -> Callable[..., Event]:
    """An answer to the question or to its last follow-up."""
    return partial(
        AnswerGiven,
        id=request_id,
        asked_id=asked.asked_id,
        follow_up_id=_follow_up(asked),
        text=text,
        unfinished=unfinished,
    )


def hinted(asked: AskedQuestion, plan: Plan, request_id: str, *, words: str = "") -> Callable[..., Event]:
    """The next hint on the question."""
    given = sum(isinstance(turn, HintGiven) for turn in asked.turns)
    said = phrasing.hint(asked.question, given, plan.seed)
    return partial(HintGiven, id=request_id, asked_id=asked.asked_id, words=words, said=said)


def repeated(
    asked: AskedQuestion, plan: Plan, request_id: str, *, words: str = "", slowly: bool = False
) -> Callable[..., Event]:
    """What was asked last, again."""
    times = sum(isinstance(turn, QuestionRepeated) for turn in asked.turns)
    said = phrasing.repeat(asked, times, plan.seed, slowly=slowly)
    return partial(QuestionRepeated, id=request_id, asked_id=asked.asked_id, words=words, slowly=slowly, said=said)


def _follow_up(asked: AskedQuestion) -> str | None:
    return asked.follow_ups[-1].id if asked.follow_ups else None


def _skipped(asked: AskedQuestion, _: Plan, text: str, request_id: str) -> Callable[..., Event]:
    return partial(QuestionSkipped, id=request_id, asked_id=asked.asked_id, words=text)


def _clarified(asked: AskedQuestion, plan: Plan, text: str, request_id: str) -> Callable[..., Event]:
    given = sum(isinstance(turn, ClarificationGiven) for turn in asked.turns)
    said = phrasing.clarification(asked, text, given, plan.seed)
    return partial(ClarificationGiven, id=request_id, asked_id=asked.asked_id, words=text, said=said)


def _declined(asked: AskedQuestion, plan: Plan, text: str, request_id: str) -> Callable[..., Event]:
    """A smaller piece is offered once, at the question itself; after that the interview moves on."""
    follow_up, criterion_id = _follow_up(asked), ""
    if follow_up is None and not asked.declined:
        practice = plan.mode is not Mode.EXAM
        said, criterion_id = phrasing.step_down(asked.question, asked.number, plan, allowed=practice)
    else:
        said = phrasing.move_on(asked.number + len(asked.declined), plan)
    return partial(
        AnswerDeclined,
        id=request_id,
        asked_id=asked.asked_id,
        follow_up_id=follow_up,
        words=text,
        criterion_id=criterion_id,
        said=said,
    )


def _aside(asked: AskedQuestion, plan: Plan, text: str, request_id: str) -> Callable[..., Event]:
    intent = intent_of(text)
    said = _reply(intent, asked, plan)
    return partial(AsideTaken, id=request_id, asked_id=asked.asked_id, intent=intent, words=text, said=said)


_REQUESTS: dict[Intent, Callable[[AskedQuestion, Plan, str, str], Callable[..., Event]]] = {
    Intent.SKIP: _skipped,
    Intent.CLARIFICATION: _clarified,
    Intent.DONT_KNOW: _declined,
    Intent.HINT: lambda asked, plan, text, request_id: hinted(asked, plan, request_id, words=text),
    Intent.REPEAT: lambda asked, plan, text, request_id: repeated(asked, plan, request_id, words=text),
    Intent.SLOWER: lambda asked, plan, text, request_id: repeated(asked, plan, request_id, words=text, slowly=True),
}


def _reply(intent: Intent, asked: AskedQuestion, plan: Plan) -> str:
    turn = sum(isinstance(turn, AsideTaken) for turn in asked.turns)
    if intent is Intent.END:
        return wording.HOW_TO_END
    if intent is Intent.HINT:
        return wording.NO_HINTS
    if intent is Intent.RESUME and len(asked.turns) == 1 and asked.number > 1:
        return wording.BEHIND_US
    choices = {Intent.RESUME: wording.GO_AHEAD, Intent.THINKING: wording.GO_ON}.get(intent, wording.WAITING)
    return choices[(plan.seed + turn) % len(choices)]

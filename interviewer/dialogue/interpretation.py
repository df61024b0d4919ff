"""What a person's words amount to while a question is open: an answer, or a request that is carried out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from interviewer.dialogue import corrections, return_requests, templates, utterances
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    ClarificationGiven,
    Event,
    HintGiven,
    PersonSpoke,
    QuestionRepeated,
    QuestionSkipped,
)
from interviewer.session.plan import Mode, Part, Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.intent_classifier import has_content, intent_of


def heard(state: State, asked: AskedQuestion, text: str, request_id: str) -> Callable[..., Event]:
    """The event that an utterance amounts to, but for its time.

    Words never end an interview, and a hint is refused in an exam. What is neither an answer nor a request that
    changes anything is kept with what was replied.

    Args:
        state: the interview's.
        asked: the open question.
        text: what the person said, cleaned.
        request_id: the event's id.

    """
    plan = state.plan or Plan()
    mended = corrections.mended(state, asked, text, request_id)
    if mended is not None:
        return mended
    intent = intent_of(text)
    unfinished = intent is Intent.THINKING and has_content(text)
    # What mends another answer is for the open question where there is no other.
    if unfinished or intent in ANSWERS or intent is Intent.EARLIER:
        return answered(asked, text, request_id, unfinished=unfinished)
    if intent is Intent.HINT and plan.mode is Mode.EXAM:
        return _aside(asked, plan, text, request_id)
    if intent is Intent.RETURN or (intent is Intent.RESUME and return_requests.after_leaving(state, asked)):
        return return_requests.wished(state, asked, text, request_id)
    carry_out = _REQUESTS.get(intent, _aside)
    return carry_out(asked, plan, text, request_id)


def heard_in_talk(state: State, part: Part, text: str, request_id: str) -> Callable[..., Event]:
    """The same in a part in which nothing is graded: there one speaks, goes back, or puts an answer right."""
    event = return_requests.wished_in_talk(state, text, request_id) or corrections.mended_in_talk(
        state, text, request_id
    )
    return event or partial(PersonSpoke, id=request_id, part=part, text=text)


def reply_in_talk(state: State, text: str) -> str:
    """What is replied there without a look into the documents; empty where one is needed.

    Args:
        state: the interview's.
        text: what the person said; empty after a question that was asked again.

    """
    offered = return_requests.is_offered(state)
    if not text:
        return return_requests.offer(state, again=True) if offered else templates.BACK_TO_YOURS
    return return_requests.reply(state, text) or corrections.reply(text) or (templates.BACK_OR_END if offered else "")


def is_answer(state: State, text: str) -> bool:
    """Whether words said now would be taken for an answer, and not for a request or for half of one."""
    now = datetime.now(UTC)
    if state.talk is not None:
        return isinstance(heard_in_talk(state, state.talk.part, text, "supposed")(at=now), PersonSpoke)
    if state.current is None:
        return False
    event = heard(state, state.current, text, "supposed")(at=now)
    return isinstance(event, AnswerGiven) and not event.unfinished and not event.meanwhile


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
    said = utterances.hint(asked.question, given, plan.seed)
    return partial(HintGiven, id=request_id, asked_id=asked.asked_id, words=words, said=said)


def repeated(
    asked: AskedQuestion, plan: Plan, request_id: str, *, words: str = "", slowly: bool = False
) -> Callable[..., Event]:
    """What was asked last, again."""
    times = sum(isinstance(turn, QuestionRepeated) for turn in asked.turns)
    said = utterances.repeat(asked, times, plan.seed, slowly=slowly)
    return partial(QuestionRepeated, id=request_id, asked_id=asked.asked_id, words=words, slowly=slowly, said=said)


def _follow_up(asked: AskedQuestion) -> str | None:
    return asked.follow_ups[-1].id if asked.follow_ups else None


def _skipped(asked: AskedQuestion, _: Plan, text: str, request_id: str) -> Callable[..., Event]:
    later = intent_of(text) is Intent.LATER
    return partial(QuestionSkipped, id=request_id, asked_id=asked.asked_id, words=text, later=later)


def _clarified(asked: AskedQuestion, plan: Plan, text: str, request_id: str) -> Callable[..., Event]:
    given = sum(isinstance(turn, ClarificationGiven) for turn in asked.turns)
    said = utterances.clarification(asked, text, given, plan.seed)
    return partial(ClarificationGiven, id=request_id, asked_id=asked.asked_id, words=text, said=said)


def _declined(asked: AskedQuestion, plan: Plan, text: str, request_id: str) -> Callable[..., Event]:
    """A smaller piece is offered once, at the question itself; after that the interview moves on."""
    follow_up, criterion_id = _follow_up(asked), ""
    if follow_up is None and not asked.declined:
        practice = plan.mode is not Mode.EXAM
        said, criterion_id = utterances.step_down(asked.question, asked.number, plan, allowed=practice)
    else:
        said = utterances.move_on(asked.number + len(asked.declined), plan)
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
    Intent.LATER: _skipped,
    Intent.CLARIFICATION: _clarified,
    Intent.DONT_KNOW: _declined,
    Intent.HINT: lambda asked, plan, text, request_id: hinted(asked, plan, request_id, words=text),
    Intent.REPEAT: lambda asked, plan, text, request_id: repeated(asked, plan, request_id, words=text),
    Intent.SLOWER: lambda asked, plan, text, request_id: repeated(asked, plan, request_id, words=text, slowly=True),
}


def _reply(intent: Intent, asked: AskedQuestion, plan: Plan) -> str:
    turn = sum(isinstance(turn, AsideTaken) for turn in asked.turns)
    if intent is Intent.END:
        return templates.HOW_TO_END
    if intent is Intent.HINT:
        return templates.NO_HINTS
    choices = {Intent.RESUME: templates.GO_AHEAD, Intent.THINKING: templates.GO_ON}.get(intent, templates.WAITING)
    return choices[(plan.seed + turn) % len(choices)]

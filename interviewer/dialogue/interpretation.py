"""What a person's words amount to while a question is open: an answer, or a request that is carried out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from interviewer.dialogue import (
    clarifications,
    code_status,
    corrections,
    design_clarifications,
    open_choices,
    return_requests,
    templates,
    utterances,
    what_is_left,
)
from interviewer.dialogue.about_the_interview import remarks
from interviewer.dialogue.hints import hint_words, offered_hints
from interviewer.dialogue.paraphrase import bare
from interviewer.dialogue.quotation import which_part
from interviewer.policy.next_action import still_awaits_code
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AsideTaken,
    ClarificationGiven,
    DeclineReason,
    Event,
    HintGiven,
    PersonSpoke,
    QuestionFinished,
    QuestionRepeated,
    QuestionSkipped,
)
from interviewer.session.plan import Mode, Plan, SegmentKind
from interviewer.session.queries import beyond_plan, criterion_asked_for, open_follow_up
from interviewer.session.state import AskedQuestion, State
from interviewer.text import last_apart, sentences
from interviewer.understanding.closing_request import Closing, alone, closing_request, objects
from interviewer.understanding.design_questions import proposes
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.turn_parts import (
    adds_first,
    asks_only,
    asks_which,
    guesses,
    says_so_already,
    turn_parts,
)
from interviewer.understanding.utterance import Utterance
from interviewer.understanding.whole_turns.request import Request
from knowledge.model import Kind


def interpret_parts(
    state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime
) -> tuple[Event, ...]:
    """The events that an utterance amounts to: an addition to an earlier answer comes before what follows it.

    Args:
        state: the interview's.
        asked: the open question.
        said: what the person said.
        request_id: the id of the last of them.
        at: when it was said.

    """
    parts = turn_parts(said.text, number=asked.number, about=utterances.last_asked(asked))
    if parts is not None:
        added = corrections.correction_event(state, asked, said.part(parts.earlier), f"{request_id}:earlier", at=at)
        if (isinstance(added, AnswerGiven) and added.meanwhile) or isinstance(added, AsideTaken):
            return added, interpret_turn(state, asked, said.part(parts.present), request_id, at=at)
    drilled = open_follow_up(asked) is not None and not asked.follow_ups[-1].about_run
    before, status = code_status.answered_first(asked, said.text) if drilled else ("", "")
    if status:
        told = ClarificationGiven(
            id=f"{request_id}:tests",
            at=at,
            asked_id=asked.asked_id,
            words=said.text[len(before) :].strip(),
            said=status,
        )
        return told, interpret_turn(state, asked, said.part(before), request_id, at=at)
    plan = state.plan or Plan()
    explained, last = last_apart(said.text)
    explains = len(explained.split()) > _EXPLAINS and not asks_only(explained)
    if still_awaits_code(asked, plan) and explains and asks_only(last):
        # What they say of the code before they ask is graded with it.
        question = _clarified(asked, plan, said.part(last), f"{request_id}:asked", at)
        return question, answered(asked, explained, request_id, at=at)
    if said.closing is not None and said.closing.kind is Closing.TIME and said.wish is None:
        told = what_is_left.told(state, asked, said.closing.words, f"{request_id}:time", at, beside=True)
        rest = " ".join(sentences(" ".join(said.text.split()))[:-1]) or said.text
        return told, interpret_turn(state, asked, said.part(rest), request_id, at=at)
    event = what_is_left.with_time(interpret_turn(state, asked, said, request_id, at=at), state, asked, said)
    if isinstance(event, AnswerGiven) and event.text == said.text and said.closing != closing_request(said.text):
        event = event.model_copy(update={"closing": said.last_read})
    for_help = said.ends_for_help and plan.mode is not Mode.EXAM
    if (for_help or said.ends_for_repeat) and isinstance(event, AnswerGiven) and not event.meanwhile:
        # What they have so far is kept; whoever asks for a hint, or for the question again, wants to say more.
        so_far = event.model_copy(update={"id": f"{request_id}:so-far", "unfinished": True})
        give = repeated if not for_help else hinted if offered_hints.pleads(last) else offered_hints.offer
        return so_far, give(asked, plan, request_id, at=at)
    return (event,)


_EXPLAINS = 25
"""Words before a question about the task from which they explain the code."""


def interpret_turn(state: State, asked: AskedQuestion, said: Utterance, request_id: str, *, at: datetime) -> Event:
    """Returns the event that an utterance amounts to.

    Words never end an interview, but a question that is no part of its plan; a hint is refused in an exam. What changes
    nothing is kept with what was replied.

    Args:
        state: the interview's.
        asked: the open question.
        said: what the person said.
        request_id: the event's id.
        at: when it was said.

    """
    plan = state.plan or Plan()
    known = (
        return_requests.taken_back(state, asked, said, request_id, at=at)
        or corrections.correction_event(state, asked, said, request_id, at=at)
        or remarks.replied(state, asked, said, request_id, at=at)
        or what_is_left.asked_for_time(state, asked, said, request_id, at)
        or _asked_whether_it_will_do(asked, plan, said, request_id, at)
        or what_is_left.asked_on_the_interview(asked, plan, said, request_id, at)
        or design_clarifications.clarification(asked, plan, said, request_id, at=at)
        or _asked_in_passing(asked, said, request_id, at)
        or _on_the_tests(asked, said, request_id, at)
        or _finished(asked, said, request_id, at)
        or return_requests.follow_up_put_off(state, asked, said, request_id, at=at)
        or return_requests.kept_open(state, asked, said, request_id, at=at)
    )
    if known is not None:
        return known
    proposes_it = design_clarifications.is_answer(asked, said) and said.request is not Request.SETTING
    intent = Intent.ANSWER if proposes_it else said.intent
    if intent in _MAY_HOLD_A_WISH or (intent in _LEAVES and said.wish in _RATHER):
        intent = said.wish or intent
    asks = intent in _BESIDE_AN_END or said.request is not None
    ending = intent is Intent.END or (asks and said.asks_to_finish)
    if ending or (offered_hints.is_offered(asked) and said.agrees):
        give = _wants_to_end if ending else _hint_taken
        return give(asked, plan, said, request_id, at)
    if intent in {Intent.SKIP, Intent.LATER, Intent.DONT_KNOW} and asks_which(said.text):
        intent = Intent.CLARIFICATION
    unfinished = (intent is Intent.THINKING and said.has_content) or design_clarifications.only_chose(asked, said)
    drilled = open_follow_up(asked)
    if drilled is not None and _replies_all_the_same(said, intent):
        intent = Intent.ANSWER
    if drilled is not None and intent in {Intent.SKIP, Intent.SAID_ALREADY} and not said.leaves_whole_question:
        reason = DeclineReason.SAID if intent is Intent.SAID_ALREADY or said.told_before else DeclineReason.SKIPPED
        return return_requests.follow_up_left(asked, plan, request_id, at=at, reason=reason, words=said.text)
    # What mends another answer is for the open question where there is no other, and who holds that they have said
    # something that nobody asked about twice has answered.
    if unfinished or intent in ANSWERS or intent in {Intent.EARLIER, Intent.SAID_ALREADY}:
        offers_more = said.closing is not None and said.closing.kind in {Closing.OFFER, Closing.FLOOR}
        offers_more = offers_more and not said.asks_to_finish
        return (
            (remarks.replied_at_last(state, asked, said, request_id, at=at) if intent is Intent.ANSWER else None)
            or (_handed_back(asked, plan, said, request_id, at) if intent in _MAY_LEAVE_FLOOR else None)
            or answered(asked, said.text, request_id, at=at, unfinished=unfinished or offers_more)
        )
    if intent is Intent.RETURN or (intent is Intent.RESUME and return_requests.after_leaving(state, asked)):
        return return_requests.return_request(state, asked, said, request_id, at=at)
    carry_out = _REQUESTS.get(intent, _aside)
    return carry_out(asked, plan, said, request_id, at)


def _replies_all_the_same(said: Utterance, intent: Intent) -> bool:
    """Whether somebody says that they said so already, and then says it again, whatever else it sounds like."""
    requests = {Intent.SAID_ALREADY, Intent.HINT, Intent.SKIP, Intent.LATER}
    return intent not in requests and says_so_already(said.text) and len(said.text.split()) > _ONLY_AN_OBJECTION


_RATHER = {Intent.RETURN, Intent.HINT, Intent.REPEAT}
_BESIDE_AN_END = {Intent.CLARIFICATION, Intent.QUESTION, Intent.DONT_KNOW, Intent.SKIP}
_MAY_HOLD_A_WISH = {Intent.ANSWER, Intent.CLARIFICATION, Intent.QUESTION, Intent.SAID_ALREADY, Intent.REPHRASE}
_LEAVES = {Intent.SKIP, Intent.LATER, Intent.DONT_KNOW}
_MAY_LEAVE_FLOOR = {Intent.ANSWER, Intent.CORRECTION, Intent.EARLIER}
_ONLY_AN_OBJECTION = 10
_SHORT = 18
"""Words before the question what was meant up to which they are no answer yet."""

_MOST_HANDED_BACK = 3
"""How often words are handed back for each thing asked, before they count as an answer."""


def _handed_back(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event | None:
    """What becomes of words after which the person still has the floor; ``None`` where they gave an answer.

    They asked something, want a guess confirmed, object to a doubt, or add something before they answer: none of these
    uses up what was asked. A proposal for a design, put as a question, is an answer.
    """
    in_design = asked.question.kind is Kind.SYSTEM_DESIGN
    if (said.answers and said.closing is None) or (open_follow_up(asked) is not None and says_so_already(said.text)):
        return None
    if design_clarifications.is_answer(asked, said) or (in_design and proposes(said.text)):
        return None
    since = asked.follow_ups[-1].at if asked.follow_ups else asked.turns[0].at
    unfinished = sum(answer.unfinished for answer in asked.answers if answer.at >= since)
    given = sum(isinstance(turn, ClarificationGiven) and turn.at >= since for turn in asked.turns)
    if unfinished + given >= _MOST_HANDED_BACK:
        return None
    last_words = sentences(said.text)[-1]
    short = said.closing is not None and len(said.text.split()) - len(said.closing.words.split()) <= _SHORT
    of_it = short and not in_design and said.closing is not None and said.closing.kind in {Closing.CASE, Closing.TERM}
    closes = said.closing is not None and said.closing.kind in {Closing.CHECK, Closing.OFFER}
    guessed = last_words.endswith("?") and guesses(last_words)
    of_code = still_awaits_code(asked, plan) and not closes and (guessed or asks_only(last_words))
    first = not asked.answers and open_follow_up(asked) is None and said.asks_before_answering
    if not said.ends_for_help and (
        first or of_code or of_it or asks_only(said.text, asked=utterances.last_asked(asked))
    ):
        return _clarified(asked, plan, said, request_id, at)
    follow_up = open_follow_up(asked)
    last = asked.answers[-1] if asked.answers else None
    twice = last is not None and last.unfinished and last.follow_up_id == follow_up
    added = follow_up is not None and (adds_first(said.text) or objects(said.text))
    asks_what_is_meant = said.closing is not None and said.closing.kind in {Closing.MEANT, Closing.MEANING}
    if added or (not twice and (guesses(said.text) or (asks_what_is_meant and short))):
        return answered(asked, said.text, request_id, at=at, unfinished=True)
    return None


def interpret_in_segment(
    state: State, part: SegmentKind, said: Utterance, request_id: str, *, at: datetime
) -> tuple[Event, ...]:
    """The same in a part in which nothing is graded: there one speaks, goes back, or puts an answer right."""
    parts = turn_parts(said.text)
    if parts is not None:
        added = corrections.mended_in_talk(state, said.part(parts.earlier), f"{request_id}:earlier", at=at)
        if added is not None:
            return added, _in_segment(state, part, said.part(parts.present), request_id, at=at)
    return (_in_segment(state, part, said, request_id, at=at),)


def _in_segment(state: State, part: SegmentKind, said: Utterance, request_id: str, *, at: datetime) -> Event:
    return (
        return_requests.wished_in_talk(state, said, request_id, at=at)
        or corrections.mended_in_talk(state, said, request_id, at=at)
        or PersonSpoke(id=request_id, at=at, part=part, text=said.text)
    )


def reply_in_talk(state: State, text: str) -> str:
    """What is replied there without a look into the documents; empty where one is needed.

    Args:
        state: the interview's.
        text: what the person said; empty after a question that was asked again.

    """
    offered = return_requests.is_offered(state)
    if not text:
        return return_requests.offer(state, again=True) if offered else templates.BACK_TO_YOURS
    said = Utterance(text)
    return return_requests.reply(state, said) or corrections.reply(said) or (templates.BACK_OR_END if offered else "")


def is_answer(state: State, text: str) -> bool:
    """Whether words said now would be taken for an answer, and not for a request or for half of one."""
    now, said = datetime.now(UTC), Utterance(text)
    if state.segment is not None:
        return isinstance(interpret_in_segment(state, state.segment.part, said, "supposed", at=now)[-1], PersonSpoke)
    if state.current is None:
        return False
    event = interpret_parts(state, state.current, said, "supposed", at=now)[-1]
    return isinstance(event, AnswerGiven) and not event.unfinished and not event.meanwhile


def answered(
    asked: AskedQuestion, text: str, request_id: str, *, at: datetime, unfinished: bool = False
) -> AnswerGiven:
    """An answer to the question or to its last follow-up."""
    return AnswerGiven(
        id=request_id,
        at=at,
        asked_id=asked.asked_id,
        follow_up_id=_follow_up(asked),
        text=text,
        unfinished=unfinished,
    )


def hinted(asked: AskedQuestion, plan: Plan, request_id: str, *, at: datetime, words: str = "") -> Event:
    """The next hint on the question."""
    hints = [turn for turn in asked.turns if isinstance(turn, HintGiven)]
    named = clarifications.named_point(asked, words)
    follow_up = asked.follow_ups[-1] if open_follow_up(asked) is not None and named is None else None
    said = hint_words.hint(
        asked.question,
        len(hints),
        plan.seed,
        point=criterion_asked_for(asked, follow_up) if follow_up else named,
        ask=bare(follow_up.said) if follow_up else named.probe if named else "",
        other=clarifications.further_in_other_words(asked) if follow_up else "",
        said=" ".join(answer.text for answer in asked.answers),
        again=sum(follow_up is not None and hint.at >= follow_up.at for hint in hints),
        of_run=follow_up is not None and follow_up.about_run,
    )
    return HintGiven(id=request_id, at=at, asked_id=asked.asked_id, words=words, said=said)


def repeated(
    asked: AskedQuestion, plan: Plan, request_id: str, *, at: datetime, words: str = "", slowly: bool = False
) -> Event:
    """What was asked last, again."""
    times = sum(isinstance(turn, QuestionRepeated) for turn in asked.turns)
    other = clarifications.in_other_words(asked) if clarifications.not_understood(words) else ""
    said = utterances.repeat(asked, times, plan.seed, slowly=slowly, instead=other)
    return QuestionRepeated(id=request_id, at=at, asked_id=asked.asked_id, words=words, slowly=slowly, said=said)


def _follow_up(asked: AskedQuestion) -> str | None:
    return asked.follow_ups[-1].id if asked.follow_ups else None


def _skipped(asked: AskedQuestion, _: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    later = Intent.LATER in {said.intent, said.wish}
    return QuestionSkipped(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, later=later)


def _clarified(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    given = sum(isinstance(turn, ClarificationGiven) for turn in asked.turns)
    on_the_subject = said.intent is Intent.QUESTION or clarifications.on_the_subject(asked, said.text)
    if on_the_subject and not (asked.question.task is not None and clarifications.settled(asked, said.text, plan)):
        reply = clarifications.reply_on_the_subject(asked, said.text, plan, given)
    else:
        reply = clarifications.clarification(asked, said.text, given, plan)
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=reply)


def _finished(asked: AskedQuestion, said: Utterance, request_id: str, at: datetime) -> Event | None:
    """What becomes of words that say no more than that an answered question is done with; else ``None``."""
    if not said.finishes or not (asked.answers or asked.submission is not None):
        return None
    return QuestionFinished(id=request_id, at=at, asked_id=asked.asked_id, words=said.text)


def _asked_in_passing(asked: AskedQuestion, said: Utterance, request_id: str, at: datetime) -> Event | None:
    """The reply to a short question that makes sense only now; ``None`` where something else is said."""
    if (kind := alone(said.text)) is None:
        return None
    told = templates.NO_TRICK if kind is Closing.TRICK else which_part(asked)
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=told)


def _asked_whether_it_will_do(
    asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime
) -> Event | None:
    """The reply to whoever is to tell a story and asks whether one of another kind will do; else ``None``."""
    opening = asked.question.kind is Kind.BEHAVIORAL and not asked.answers
    permission = open_choices.asks_permission(said.text) if opening and said.wish is None else None
    asks = permission is not None and (permission.made_up or not said.offers_more)
    return _clarified(asked, plan, said, request_id, at) if asks else None


def _on_the_tests(asked: AskedQuestion, said: Utterance, request_id: str, at: datetime) -> Event | None:
    """The reply to whoever asks whether their program passes; ``None`` where something else is said."""
    if not (told := code_status.answer(asked, said.text)):
        return None
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=told)


def _declined(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    """A smaller piece is offered once, at the question itself; after that the interview moves on."""
    follow_up, criterion_id = _follow_up(asked), ""
    if follow_up is None and not asked.declined:
        practice = plan.mode is not Mode.EXAM
        reply, criterion_id = utterances.step_down(asked.question, asked.number, plan, allowed=practice)
    else:
        reply = utterances.move_on(asked.number + len(asked.declined), plan)
    return AnswerDeclined(
        id=request_id,
        at=at,
        asked_id=asked.asked_id,
        follow_up_id=follow_up,
        words=said.text,
        criterion_id=criterion_id,
        said=reply,
    )


def _aside(
    asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime, *, intent: Intent | None = None
) -> Event:
    meant = intent or said.intent
    reply = _reply(meant, asked, plan)
    return AsideTaken(id=request_id, at=at, asked_id=asked.asked_id, intent=meant, words=said.text, said=reply)


def _wants_to_end(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    """The end of a question that was no part of the plan: nothing is lost with it. Else how to end the interview."""
    if beyond_plan(asked, plan):
        return _skipped(asked, plan, said, request_id, at)
    return _aside(asked, plan, said, request_id, at, intent=Intent.END)


def _hint_taken(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    return hinted(asked, plan, request_id, at=at, words=said.text)


def _hinted_in_words(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    if plan.mode is Mode.EXAM:
        return _aside(asked, plan, said, request_id, at)
    give = hinted if offered_hints.pleads(said.text) else offered_hints.offer
    return give(asked, plan, request_id, at=at, words=said.text)


def _repeated_in_words(asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, at: datetime) -> Event:
    return repeated(asked, plan, request_id, at=at, words=said.text, slowly=said.intent is Intent.SLOWER)


_REQUESTS: dict[Intent, Callable[[AskedQuestion, Plan, Utterance, str, datetime], Event]] = {
    Intent.SKIP: _skipped,
    Intent.LATER: _skipped,
    Intent.CLARIFICATION: _clarified,
    Intent.QUESTION: _clarified,
    Intent.DONT_KNOW: _declined,
    Intent.HINT: _hinted_in_words,
    Intent.REPEAT: _repeated_in_words,
    Intent.SLOWER: _repeated_in_words,
}


def _reply(intent: Intent, asked: AskedQuestion, plan: Plan) -> str:
    turn = sum(isinstance(turn, AsideTaken) for turn in asked.turns)
    choices = {
        Intent.END: (templates.HOW_TO_END,),
        Intent.HINT: (templates.NO_HINTS,),
        Intent.RESUME: templates.GO_AHEAD,
        Intent.THINKING: templates.GO_ON,
        Intent.REPHRASE: templates.IN_OTHER_WORDS,
        Intent.CHECK: templates.DOES_IT_ANSWER,
    }.get(intent, templates.WAITING)
    return choices[(plan.seed + turn) % len(choices)]

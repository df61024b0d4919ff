"""What the interviewer says. Pure: the seed and the turn choose the words, so a replay says the same.

Everything here is meant for the ear: no symbols, no lists, no code. Nothing of a question's criteria or
reference is said while it is open, and an acknowledgment never tells whether the answer was good. The words stand
in ``templates.py``.
"""

from __future__ import annotations

import re

from interviewer.dialogue import templates
from interviewer.dialogue.about_the_interview.rules import beside_an_answer
from interviewer.dialogue.design_clarifications import told_beside
from interviewer.dialogue.paraphrase import bare, without_lead
from interviewer.dialogue.quotation import which_part
from interviewer.dialogue.what_is_left import place
from interviewer.policy.next_action import awaits_code, still_awaits_code
from interviewer.session.events import AnswerDeclined, AnswerGiven, FollowUpAsked, InterviewEnded
from interviewer.session.plan import Plan
from interviewer.session.queries import planned_length
from interviewer.session.state import AskedQuestion, State
from interviewer.session.style import Style
from interviewer.speech.speakable_text import speakable
from interviewer.text import as_sentence, in_pieces, in_words, listed, wording
from interviewer.understanding.closing_request import Closing, asks_which_part, closing_request, objects
from interviewer.understanding.intent_classifier import comes_back_to_part
from interviewer.understanding.turn_parts import adds_first, declines_to_write, names_two_readings, says_so_already
from knowledge.model import Kind, Question
from rubric.model import Criterion


def greeting(plan: Plan) -> str:
    """The first words of an interview: what is going to happen."""
    total = planned_length(plan)
    count = "one question" if total == 1 else f"{in_words(total)} questions"
    time = f"We have {plan.minutes} minutes and about {count}." if plan.minutes else f"I have {count} for you."
    name = f"I'm {plan.loop.round.interviewer}." if plan.loop else ""
    left = f"Earlier rounds left some points open on {listed(plan.carried_over)}, so I'll come back to those."
    said = (wording(templates.GREETINGS[plan.style], plan.seed, 0), name, time, left if plan.carried_over else "")
    return " ".join(filter(None, said))


def ask(
    question: Question,
    number: int,
    plan: Plan,
    *,
    after_skip: bool = False,
    later: bool = False,
    lead_in: str = "",
    same_topic: bool = False,
) -> str:
    """A question with the words around it: a greeting before the first, a transition before the others.

    Args:
        question: what is asked; its spoken form is used.
        number: its place in the interview, from 1.
        plan: tells how many there are, the style, and the seed.
        after_skip: whether the person skipped the question before.
        later: whether they said that they want to come back to it.
        lead_in: what comes first because of what was before; may be empty.
        same_topic: the question before was on the same topic, so that nothing says that the topic changes.

    """
    total = planned_length(plan)
    parts = [lead_in] if lead_in else []
    if number == 1:
        parts += [*([] if plan.talks else [greeting(plan)]), wording(templates.FIRST[plan.style], plan.seed, 0)]
    else:
        if after_skip:
            parts.append(
                wording(templates.AFTER_LATER if later else templates.AFTER_SKIP[plan.style], plan.seed, number)
            )
        if number > total:
            parts.append(wording(templates.ONE_MORE[plan.style], plan.seed, number))
        elif number == total:
            parts.append(wording(templates.LAST[plan.style], plan.seed, number))
        elif not lead_in:
            choices = [said for said in templates.NEXT[plan.style] if not same_topic or said not in templates.CHANGING]
            parts.append(wording(choices, plan.seed, number))
    return " ".join([*parts, speakable(question.spoken)])


def ask_again(asked: AskedQuestion, seed: int, *, last_word: bool) -> str:
    """A question that was left, again, and what was asked on it last.

    Args:
        asked: the question.
        seed: the plan's.
        last_word: its time is used up, so that one answer is all there is.

    """
    question, last = speakable(asked.question.spoken), bare(last_asked(asked))
    again = wording(templates.BACK_TO, seed, asked.number).format(number=in_words(asked.number), ask=question)
    parts = [again, *([templates.WE_WERE_AT.format(ask=last)] if last != question else [])]
    return " ".join([*parts, *([templates.LAST_WORD] if last_word else [])])


def acknowledgment(seed: int, turn: int, *, style: Style = Style.NEUTRAL) -> str:
    """What is said after an answer, one short sentence; tells nothing about the answer, nor how good it was.

    Args:
        seed: the plan's.
        turn: which answer of the interview it is, from 0; no sentence comes twice within ten turns.
        style: the interviewer's.

    """
    return wording(templates.ACKNOWLEDGMENTS[style], seed, turn)


def acknowledge(state: State) -> dict[str, str]:
    """What is said after each answer of an interview, by the answer's id."""
    plan = state.plan or Plan()
    given = [(answer, asked) for asked in state.asked for answer in asked.answers]
    # By time: what is put right later must not change the words that were said before.
    given.sort(key=lambda each: each[0].at)
    return {answer.id: _acknowledge(answer, asked, turn, plan) for turn, (answer, asked) in enumerate(given)}


def replies(state: State) -> dict[str, str]:
    """What is replied to answers beside mere thanks, by the answer's id."""
    return {name: said for name, said in acknowledge(state).items() if said not in _MERE_THANKS}


_MERE_THANKS = {said for choices in templates.ACKNOWLEDGMENTS.values() for said in choices}


def acknowledge_next(state: State) -> str:
    """What is said first after the next answer, whatever it will be: known before it was given.

    In the warm-up it is not part of what is replied; the first answer's is not said twice.
    """
    plan = state.plan or Plan()
    turn = sum(len(asked.answers) for asked in state.asked) - (state.segment is not None)
    asked = state.current
    if state.segment is None and asked is not None and still_awaits_code(asked, plan):
        return wording(templates.ACK_REPLIES["to code"], plan.seed, turn)
    return acknowledgment(plan.seed, turn, style=plan.style)


def repeat(asked: AskedQuestion, turn: int, seed: int, *, slowly: bool = False, instead: str = "") -> str:
    """The open question again, or what was asked on it last.

    Args:
        asked: the open question.
        turn: how often it was repeated.
        seed: the plan's.
        slowly: say it in short pieces.
        instead: said in its place: the same in other words.

    """
    last = instead or without_lead(last_asked(asked))
    if slowly:
        return f"{wording(templates.SLOWER_LEADS, seed, turn)} {in_pieces(last)}"
    return f"{wording(templates.REPEAT_LEADS, seed, turn)} {last}"


def last_asked(asked: AskedQuestion) -> str:
    """What the person was asked last: the question, a follow-up, or what was offered in its place."""
    for turn in reversed(asked.turns):
        if isinstance(turn, FollowUpAsked) or (isinstance(turn, AnswerDeclined) and turn.follow_up_id is None):
            return turn.said
    return speakable(asked.question.spoken)


def step_down(question: Question, turn: int, plan: Plan, *, allowed: bool = True) -> tuple[str, str]:
    """What is offered to a person who does not know: a smaller piece of the question, or to move on.

    Args:
        question: the open one.
        turn: its number, so that the words differ between questions.
        plan: its style and seed choose the words.
        allowed: whether help may be given.

    Returns:
        The words, and the id of the criterion whose probe is in them; empty where none is.

    """
    kindly = wording(templates.KINDLY[plan.style], plan.seed, turn)
    points = question.rubric.criteria if question.rubric else ()
    probed = [point for point in points if speakable(point.probe)]
    heaviest = max(probed, key=lambda point: point.weight, default=None)
    easier = speakable(heaviest.probe) if heaviest else speakable(question.step_down)
    if not allowed or not easier:
        return f"{kindly} {templates.WITHOUT_STEP_DOWN}", ""
    offer = wording(templates.STEP_DOWN, plan.seed, turn).format(ask=easier)
    return f"{kindly} {offer} {templates.OR_MOVE_ON}", heaviest.id if heaviest else ""


def move_on(turn: int, plan: Plan) -> str:
    """What is said to a person who does not know, and to whom nothing more is offered."""
    kindly = wording(templates.KINDLY[plan.style], plan.seed, turn)
    return f"{kindly} {wording(templates.MOVING_ON, plan.seed, turn)}"


def show(criterion: Criterion, turn: int, seed: int) -> str:
    """A point told outright; for drilling alone, after it was missed twice."""
    return wording(templates.SHOWN, seed, turn).format(point=as_sentence(speakable(criterion.text)))


def closing(ended: InterviewEnded) -> str:
    """The last words of an interview."""
    return templates.CLOSINGS[ended.reason]


def _acknowledge(answer: AnswerGiven, asked: AskedQuestion, turn: int, plan: Plan) -> str:
    if answer.meanwhile:
        return wording(templates.MENDED, plan.seed, turn).format(number=in_words(asked.number))
    closing = closing_request(answer.text, answer.closing)
    ends_with = closing.kind if closing is not None else None
    if answer.unfinished:
        return _to_unfinished(answer, asked, ends_with, turn=turn, plan=plan)
    told = told_beside(asked, answer.text) if ends_with not in {Closing.OFFER, Closing.VIEW} else ""
    if told or ends_with is Closing.WRONG:
        thanks = acknowledgment(plan.seed, turn, style=plan.style)
        return templates.ON_YOUR_QUESTION.format(told=told) if told else f"{thanks} {which_part(asked, answer.at)}"
    reply = _taken_up(answer.text, ends_with, plan, asked.question.kind)
    if reply is None and not _before_code(asked, answer, plan):
        talks = awaits_code(asked, plan) and asked.submission is None and declines_to_write(answer.text)
        fine = wording(templates.TALKING_IS_FINE, plan.seed, turn)
        return fine if talks else acknowledgment(plan.seed, turn, style=plan.style)
    if closing is not None and (known := beside_an_answer(closing)):
        return known
    # A question is answered, and an objection met, and nobody is thanked for it first.
    return wording(templates.ACK_REPLIES[reply or "to code"], plan.seed, turn).format(place=place(asked, plan))


def _to_unfinished(
    answer: AnswerGiven, asked: AskedQuestion, ends_with: Closing | None, *, turn: int, plan: Plan
) -> str:
    """What is said to whoever has the floor still."""
    if ends_with is Closing.WRONG or objects(answer.text):
        return which_part(asked, answer.at)
    if ends_with is Closing.HELP:
        return wording(templates.SURE, plan.seed, turn)  # the hint comes next
    if ask := _left_for_later(answer, asked):
        return wording(templates.ADDED_FIRST, plan.seed, turn).format(ask=ask)
    two = names_two_readings(answer.text)
    if ends_with in {Closing.MEANT, Closing.MEANING} or two:
        either = two or _EITHER_OR.search(answer.text[-_READ_BACK:]) is not None
        reply = "choice" if either or ends_with is None else ends_with.value
        return f"{wording(templates.ACK_REPLIES[reply], plan.seed, turn)} {templates.GO_AHEAD[0]}"
    if ends_with is Closing.OFFER and asks_which_part(answer.text):
        return wording(templates.YOUR_CHOICE, plan.seed, turn)
    choices = {Closing.OFFER: templates.PLEASE_DO, Closing.REMARK: templates.NOTED}
    return wording(choices.get(ends_with, templates.GO_ON) if ends_with else templates.GO_ON, plan.seed, turn)


def _left_for_later(answer: AnswerGiven, asked: AskedQuestion) -> str:
    """What was asked, where the person only added something before they answer it; else empty."""
    last = next((each for each in asked.follow_ups if each.id == answer.follow_up_id), None)
    return bare(last.said) if last is not None and adds_first(answer.text) else ""


_SAID = "said"
"""What is replied to whoever says that they said so already."""

_READ_BACK = 200
_EITHER_OR = re.compile(
    r"\b(?:mean(?:t)?|want|have in mind|asking|thinking|after|question about)\b[^.?!]{1,90}\bor\b[^.?!]{1,90}\W*$"
    r"|\bwhich (?:one|of (?:the two|them|these|those))\b[^.?!]{0,30}\byou (?:meant?|want|have in mind)\b[^.?!]*\W*$",
    re.IGNORECASE,
)
"""Asks at the end which of two things was meant."""


def _to_what_was_meant(words: str, ends_with: Closing) -> str:
    """What is replied to whoever asks whether something else, or more, was meant."""
    end = words[-_READ_BACK:]
    if says_so_already(words):
        return _SAID
    if _ASKS_WHETHER_IT_WILL_DO.search(end):
        return Closing.CHECK.value
    if ends_with is Closing.MEANT and _ANYTHING_MORE.search(end):
        return Closing.ENOUGH.value
    return "choice" if ends_with is Closing.MEANT and _EITHER_OR.search(end) else ends_with.value


_ASKS_WHETHER_IT_WILL_DO = re.compile(r"\b(?:does|did) (?:that|this|it) answer\b[^.?!]*\?\W*$", re.IGNORECASE)
_WHAT_ELSE = re.compile(
    r"\b(?:what|which)\b[^.?!]*\b(?:unclear|not clear|missing|else|you(?:'re| are| were) after)\b[^.?!]*\?\W*$"
    r"|\b(?:something|anything) (?:more|else|particular|specific)\b[^.?!]*\?\W*$",
    re.IGNORECASE,
)
"""Asks at the end, after an objection, what is wanted beyond that."""
_ANYTHING_MORE = re.compile(r"\b(?:something|anything)\b[^.?!]*\byou(?:'re|r| are| were)\b[^.?!]*\W*$", re.IGNORECASE)
"""Asks at the end whether there is more that is wanted."""


def _taken_up(words: str, ends_with: Closing | None, plan: Plan, kind: Kind) -> str | None:
    """What of an answer is replied to, as one of the keys of ``templates.ACK_REPLIES``; ``None`` where nothing is."""
    if ends_with is Closing.TIME:
        return ends_with.value if plan.minutes is not None else "no clock"
    if says_so_already(words) and _WHAT_ELSE.search(words[-_READ_BACK:]):
        return _SAID
    if kind is Kind.SYSTEM_DESIGN and ends_with in {Closing.SUBJECT, Closing.CASE}:
        return Closing.TASK.value
    if ends_with in {Closing.MEANT, Closing.ENOUGH}:
        return _to_what_was_meant(words, ends_with)
    if ends_with is not None and (plan.talks or ends_with is not Closing.SUBJECT):
        own = "story" if ends_with is Closing.CHECK and kind is Kind.BEHAVIORAL else ends_with.value
        return _ACKNOWLEDGED.get(ends_with, own)
    again = _SAID if says_so_already(words) else None
    return Closing.LATER.value if again is None and comes_back_to_part(words) else again


_ACKNOWLEDGED: dict[Closing, str | None] = {
    Closing.TERM: Closing.SUBJECT.value,
    Closing.FLOOR: None,
    Closing.OFFER: None,
}
"""The replies to endings that have none of their own."""


def _before_code(asked: AskedQuestion, answer: AnswerGiven, plan: Plan) -> bool:
    """Whether an answer was given while the person's code was still waited for."""
    submitted = any(run.submitted and run.at <= answer.at for run in asked.runs)
    talks = any(each.at <= answer.at and declines_to_write(each.text) for each in asked.answers)
    return awaits_code(asked, plan) and not submitted and not talks

"""What the interviewer says. Pure: the seed and the turn choose the words, so a replay says the same.

Everything here is meant for the ear: no symbols, no lists, no code. Nothing of a question's criteria or
reference is ever said, and an acknowledgement never tells whether the answer was good.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.events import FollowUpKind, InterviewEnded, Plan
from interviewer.session import planned_length
from interviewer.speech import speakable
from interviewer.state import AskedQuestion, State
from knowledge.model import Kind, Question

_GREETINGS = (
    "Hello, and thanks for making the time.",
    "Hi, good to have you here.",
    "Welcome, and thank you for joining me.",
)
_FIRST = ("Let us start with this one.", "Here is the first one.", "Let us begin.")
_NEXT = (
    "Let us go on.",
    "Here is the next one.",
    "On to something else.",
    "Let me ask you about another thing.",
    "Moving on.",
)
_LAST = ("This is the last one.", "One more, and then we are done.", "And now the last question.")
_AFTER_SKIP = ("No problem.", "That is fine.", "Sure, we can leave that.")

_ACK_OPENERS = (
    "Thanks.",
    "Thank you.",
    "Okay.",
    "All right.",
    "Right.",
    "I see.",
    "Understood.",
    "Noted.",
    "Got it.",
    "Mm, okay.",
    "Thanks for that.",
    "Okay, thank you.",
    "All right, thanks.",
    "I hear you.",
    "Okay, I follow.",
    "Right, thank you.",
    "Thanks, noted.",
    "I have that.",
    "Okay, noted.",
)
_ACK_CLOSERS = (
    "Give me a moment to think about it.",
    "Let me take that in.",
    "Let me go over what you said.",
    "I am making a note.",
    "Let me write that down.",
    "One moment, please.",
    "Bear with me for a second.",
    "Let me think that through.",
    "Just a second.",
    "I want to look at that more closely.",
    "Let me follow your reasoning.",
    "Let me go through it step by step.",
    "A moment, while I think.",
    "Let me turn that over.",
    "I will take a moment with that.",
    "Let me put that together.",
    "Hold on while I think.",
)

_FOLLOW_UP_LEADS = {
    FollowUpKind.CONTRADICTION: (
        "Let me go back to one point.",
        "I would like to check one thing with you.",
        "Let us look at one thing again.",
    ),
    FollowUpKind.MISSING: ("Let me ask a bit more.", "One thing I would like to hear about.", "A follow-up."),
    FollowUpKind.PARTIAL: (
        "Let us go a little deeper.",
        "I would like to stay with that for a moment.",
        "Can we take that one step further?",
    ),
    FollowUpKind.UNSURE: (
        "I want to be sure I got you right.",
        "Let me make sure I understood you.",
        "Help me follow you on one point.",
    ),
    FollowUpKind.EXECUTION: ("Let us look at your code.", "I ran your code.", "About your code."),
    FollowUpKind.EXPLANATION: ("Let us talk about your code.", "Tell me about your code.", "About your code."),
    FollowUpKind.UNGRADED: (
        "Let me ask one more thing on this.",
        "While we are on this.",
        "Let me add a question here.",
    ),
}
_QUOTED = (
    "You said: {quote}. Say a bit more about that.",
    "I noted down: {quote}. What exactly do you mean by that?",
    "You mentioned this: {quote}. How would you explain that to a colleague?",
    "Coming back to your words: {quote}. What makes you say so?",
    "You put it like this: {quote}. What follows from that?",
)
_NEUTRAL = {
    Kind.CONCEPT: (
        "What else matters here, and why?",
        "How would you explain what goes on underneath?",
        "What would you tell a colleague who asks you to go on?",
        "Where does this show up in real work?",
        "What would you add if you had another minute?",
    ),
    Kind.CODING: (
        "What else does your code have to take care of?",
        "Walk me through the code once more, step by step. What is still open?",
        "Which inputs would you try it on, and what should come out?",
        "How would you convince a reviewer that it is right?",
        "What would you change before this goes into production?",
    ),
    Kind.DEBUGGING: (
        "What else would you look at?",
        "How would you make sure that you found the cause?",
        "What would you do after that?",
        "How would you keep it from coming back?",
        "What else could explain what you see?",
    ),
    Kind.SYSTEM_DESIGN: (
        "Which part of the design have we not talked about yet?",
        "Where would it break first as it grows?",
        "What did you trade away with that choice?",
        "How would you know that it works once it runs?",
        "What would you decide differently with less time or money?",
    ),
    Kind.BEHAVIOURAL: (
        "What exactly did you do yourself?",
        "How did it turn out, and how did you know?",
        "What would you do differently today?",
        "How did the others see it?",
        "What did you take away from it?",
    ),
}

_HINT_LEADS = ("Here is a hint.", "Let me help a little.", "Something to start from.")
_NUDGES = {
    Kind.CONCEPT: (
        "Start with what happens in the simplest case you can think of, and say why.",
        "Say what you are sure about first, then where you begin to guess.",
        "Think of a time you ran into this, and tell me what you saw.",
    ),
    Kind.CODING: (
        "Start with the signature: what goes in, what comes out, and in what shape?",
        "Take the smallest input you can think of and go through it by hand.",
        "Say the steps in plain words first, then turn each into code.",
    ),
    Kind.DEBUGGING: (
        "Ask yourself what changed, and what you would print first.",
        "Split the problem in two: which half can you rule out quickly?",
        "Say what you would expect to see if everything worked, then where it differs.",
    ),
    Kind.SYSTEM_DESIGN: (
        "Start with who uses it and how often, then draw the path of one request.",
        "Put rough numbers on it: how much data, how fast, how many machines?",
        "Take one part after the other and ask what happens when it fails.",
    ),
    Kind.BEHAVIOURAL: (
        "Pick one real situation, and tell what you did and how it ended.",
        "Say what was at stake, what you decided, and why.",
        "It need not be a success. Tell me what you learned.",
    ),
}
_REPEAT_LEADS = ("Of course.", "Sure, once more.", "Gladly.", "Here it is again.")
_CLOSINGS = {
    "completed": "That was the last question. Thank you for your time. Your report is ready.",
    "ended by the person": "All right, we stop here. Thank you for your time. Your report is ready.",
    "time is up": "Our time is up. Thank you. Your report is ready.",
    "no questions left": "I have no more questions on what you chose. Thank you. Your report is ready.",
}


def greeting(plan: Plan) -> str:
    """The first words of an interview: what is going to happen."""
    total = planned_length(plan)
    count = "one question" if total == 1 else f"{_in_words(total)} questions"
    time = f"We have {plan.minutes} minutes and about {count}." if plan.minutes else f"I have {count} for you."
    return f"{_pick(_GREETINGS, plan.seed, 0)} {time}"


def ask(question: Question, number: int, plan: Plan, *, after_skip: bool = False, lead_in: str = "") -> str:
    """A question with the words around it: a greeting before the first, a transition before the others.

    Args:
        question: what is asked; its spoken form is used.
        number: its place in the interview, from 1.
        plan: tells how many there are, and the seed.
        after_skip: whether the person skipped the question before.
        lead_in: what comes first because of what was before; may be empty.

    """
    total = planned_length(plan)
    parts = [lead_in] if lead_in else []
    if number == 1:
        parts += [*([] if plan.talks else [greeting(plan)]), _pick(_FIRST, plan.seed, 0)]
    else:
        if after_skip:
            parts.append(_pick(_AFTER_SKIP, plan.seed, number))
        parts.append(_pick(_LAST if number == total else _NEXT, plan.seed, number))
    return " ".join([*parts, speakable(question.spoken)])


def acknowledgement(seed: int, turn: int) -> str:
    """What is said while an answer is being graded; tells nothing about how good it was.

    Args:
        seed: the plan's.
        turn: which answer of the interview it is, from 0. Any 323 turns in a row get different words.

    """
    total = len(_ACK_OPENERS) * len(_ACK_CLOSERS)
    # The lengths share no factor, so stepping both lists at once meets every pair before any comes again.
    place = (seed + turn) % total
    return f"{_ACK_OPENERS[place % len(_ACK_OPENERS)]} {_ACK_CLOSERS[place % len(_ACK_CLOSERS)]}"


def acknowledge_last(state: State) -> str:
    """The acknowledgement of the last answer of an interview; empty before the first."""
    answers = sum(len(question.answers) for question in state.asked)
    return acknowledgement(state.plan.seed, answers - 1) if state.plan and answers else ""


def follow_up(question: Question, kind: FollowUpKind, criterion_id: str, *, quote: str, turn: int, seed: int) -> str:
    """A follow-up: the criterion's own probe, or a neutral question that gives nothing away.

    Args:
        question: with its rubric.
        kind: why it is asked.
        criterion_id: what is drilled.
        quote: a few of the person's own words on it, fit to be said; may be empty.
        turn: how many follow-ups the question had already.
        seed: the plan's.

    Raises:
        KeyError: the rubric has no such criterion.

    """
    if question.rubric is None:
        raise KeyError(criterion_id)
    probe = speakable(question.rubric.criterion(criterion_id).probe)
    if not probe and quote:
        probe = _pick(_QUOTED, seed, turn).format(quote=quote)
    if not probe:
        probe = _pick(_NEUTRAL[question.kind], seed, turn)
    return f"{_pick(_FOLLOW_UP_LEADS[kind], seed, turn)} {probe}"


def hint(question: Question, given: int, seed: int) -> str:
    """A hint: the question's own first, then nudges that fit any question of its kind.

    Args:
        question: the open one.
        given: how many hints it got already.
        seed: the plan's.

    """
    own = speakable(question.hint)
    nudges = _NUDGES[question.kind]
    said = own if own and given == 0 else _pick(nudges, seed, given)
    return f"{_pick(_HINT_LEADS, seed, given)} {said}"


def repeat(asked: AskedQuestion, turn: int, seed: int) -> str:
    """The open question again, or its last follow-up where one was asked."""
    last = asked.follow_ups[-1].said if asked.follow_ups else speakable(asked.question.spoken)
    return f"{_pick(_REPEAT_LEADS, seed, turn)} {last}"


def closing(ended: InterviewEnded) -> str:
    """The last words of an interview."""
    return _CLOSINGS[ended.reason]


def _in_words(number: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[number] if number < len(words) else str(number)


def _pick(choices: Sequence[str], seed: int, turn: int) -> str:
    return choices[(seed + turn) % len(choices)]

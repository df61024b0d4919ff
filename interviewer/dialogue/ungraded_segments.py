"""What is said in the parts of an interview in which nothing is graded, and when time is used up. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.dialogue.about_the_interview.rules import on_the_interview, surely_on_the_interview
from interviewer.dialogue.templates import GO_AHEAD
from interviewer.session.plan import Plan, SegmentKind
from interviewer.speech.speakable_text import speakable
from interviewer.text import sentences
from interviewer.understanding.closing_request import asks_for_time
from interviewer.understanding.segment_cues import only_asks
from interviewer.understanding.stop_words import stems

_WARM_UP = (
    "To warm up, tell me in a minute or two what you've been working on lately.",
    "Before we start: what have you built recently that you enjoyed working on?",
    "Let's start with something easy. Tell me briefly about a project you know well.",
)
_OPENING = "Let's warm up. I saw this in the background you gave me: {opening}. Tell me briefly what you did there."
_AFTER_WARM_UP = (
    "Thanks, that helps me get a sense of your background.",
    "Thanks for the background.",
    "Thank you, that gives me some context.",
)
_NERVOUS = re.compile(r"\b(?:nervous|anxious|my first (?:\w+ )?interview)\b", re.IGNORECASE)
_AFTER_NERVES = "Thank you, and take your time. You can ask me what I mean, or ask for a hint, whenever you like."
_AFTER_OFFER = "Thank you, that's plenty to start with."
_ASKED_BACK = "Either one is fine. Let's skip this part and go straight to the questions."
_AFTER_THEIR_QUESTION = "Thank you. Let's save that for the end, when it's your turn to ask."
_ASKS_LEAVE = re.compile(
    r"\b(?:is|would) it (?:be )?(?:okay|ok|fine|all right|alright|possible|a problem)\b"
    r"|\b(?:can|may|could|am) i (?!go\b|say\b|tell\b|give\b)|\b(?:do|would) you mind\b",
    re.IGNORECASE,
)
_WITHOUT_PROBLEM = re.compile(r"\ba problem\b|\bmind\b", re.IGNORECASE)
_LEAVE = {False: "Yes, of course.", True: "Not at all."}
"""Said to whoever asks whether they may do something, by whether they ask if it is a problem."""
_AFTER_TIME = {
    True: "The page shows how much time is left.",
    False: "There's no clock running, so take the time you need.",
}
"""Said to whoever asks at the end of the warm-up how much time there is, by whether a clock runs."""
_OFFERS_MORE = re.compile(
    r"\b(?:should|shall|can|could) i (?:go (?:on|into|deeper|further)|say|tell|give|explain|continue)\b[^.?!]*\?\s*$"
    r"|\b(?:want|like|need) (?:me to|to hear|more)\b[^.?!]*\?\s*$|\b(?:enough|move on)\b[^.?!]*\?\s*$"
    r"|\bhow (?:far|deep|much|detailed|long)\b[^.?!]*\b(?:you|me|i|here)\b[^.?!]*\?\s*$",
    re.IGNORECASE,
)
"""Asks at the end whether more is wanted, or how much."""
_INVITATIONS = (
    "That was my last question. Is there anything you'd like to ask me about what came up?",
    "That's all from me. What would you like to ask about the topics we covered?",
    "Those were my questions. Do you have any for me about what came up today?",
)
_FROM = (
    "Here's what my notes say on that. {said}",
    "The closest I have is this: {said}",
    "Here's what I have on that: {said}",
)
_TO_CHECK = {
    False: "I can't settle that here. Check it against this: {said}",
    True: "I have my doubts about that. Check it against this: {said}",
}
"""Said to whoever asks whether they were right, by whether what they said seems false."""
_NOT_KNOWN = "I can't answer that one."
_LOOK_AT = "Take a look at {reading}."
_NOTHING_NEAR = (
    "I can't answer that one. I couldn't find it in my notes, and I'd rather not guess.",
    "I don't know that one. My notes don't say, and a guess wouldn't help you.",
    "My notes have nothing on that, so I'd rather not answer.",
)
_DOUBTS = "I have my doubts about that, but my notes don't settle it. It's worth looking up."
_NOT_READY = "My documents are still loading, so I can't look that up right now."
_HOW_DID_I_DO = (
    "Your report is next. It has every point I was after, with your own words beside it, and a model answer."
)
_NO_HURRY = "There's no hurry. This part is for your questions, and it ends when you say so."
_ALSO = "As for your other question: {said}"
_MORE = ("Is there anything else?", "What else would you like to know?", "Anything else?")
_NO_MORE = "That's as many questions as I can take."
_NO_TIME_LEFT = "Sorry, we're out of time on this one. Give me the short version, and then we'll move on."
_MOVING_ON = "We've used up the time for that one, so let's move on."

_FEWEST_WORDS = 4
"""Words of a question that can be looked up alone; "Which I skipped?" belongs to the one before."""
_MOST_AT_ONCE = 2

_HOW = re.compile(
    r"\bhow (did|have|was|am) i (do|done|doing|been)\b|\bhow was i\b|\b(?:did|was|am|were) i (?:do |doing )?"
    r"(?:really |that |too |very |so )?(?:badly|bad|well|terrible|good enough|off)\b"
    r"|\bwhat (?:did|does|was|would|is|should) (?:(?:i|my \w+)\b[^.?!]{0,40} (?:lack|lacking|miss|missing|improve)"
    r"|(?:lacking|missing) (?:in|from) (?:my|it|that))\b|\b(did|have) i pass|\bmy (score|result|marks?)\b"
    r"|\b(?:points?|things?|what) (?:were|was|did|are) you"
    r" (?:hop(?:e|ing)|look(?:ing)?|listen(?:ing)?|wait(?:ing)?|after)\b"
    r"|\b(?:which|what)\b[^.?!]*\bi (?:did(?:n't| not) (?:mention|say|cover|get)|left out|missed|skipped)\b"
    r"|\bdid i (?:miss|leave out|forget|skip)\b|\b(?:was|am) i (?:the )?(?:weak|strong|worst|best)\w*\b"
    r"|\bwould (?:that|it|i|this) pass\b"
    r"|\b(?:like|want|wanted|liked|hope|hoped|expect|expected)(?: me)? to (?:hear|say|see)\b"
    r"|\b(?:good|right|ideal|perfect|strong|model|correct|expected) answers?\b"
    r"|\bwas (?:i|that|my \w+|the \w+(?: \w+)?) (?:right|wrong|okay|ok|too \w+)\b"
)


def opening(part: SegmentKind, plan: Plan) -> str:
    """The first words of a part.

    Args:
        part: which.
        plan: its seed chooses the words; its opening is what the warm-up asks about.

    """
    if part is SegmentKind.THEIR_QUESTIONS:
        return _INVITATIONS[plan.seed % len(_INVITATIONS)]
    own = speakable(plan.opening).rstrip(".")
    return _OPENING.format(opening=own) if own else _WARM_UP[plan.seed % len(_WARM_UP)]


def asks_for_marks(text: str) -> bool:
    """Whether the person asks how they did, or what would have been right."""
    return bool(_HOW.search(text.casefold()))


def is_answered_at_once(question: str) -> bool:
    """Whether one question needs no look into the documents."""
    return asks_for_marks(question) or asks_for_time(question)


def is_looked_up(text: str) -> bool:
    """Whether the documents are asked for any of what the person asks."""
    return not all(map(is_answered_at_once, questions_in(text)))


def questions_in(text: str) -> tuple[str, ...]:
    """What is asked, each question alone, at most two; all of the text where it asks one thing."""
    if claimed := doubted(text) or _answer_wanted_on(text):
        return (claimed,)
    asked = [said for said in sentences(text.strip()) if said.endswith("?")]
    asked = [said for said in asked if len(said.split()) >= _FEWEST_WORDS and not _GOES_ON.match(said)]
    asked = [said for said in asked if not _QUOTED.match(said)] or asked
    return tuple(asked[:_MOST_AT_ONCE]) if len(asked) > 1 else (text,)


def _answer_wanted_on(text: str) -> str:
    """What somebody describes before they ask what a good answer to it would have been; empty where they do not."""
    parts = sentences(text.strip())
    wanted = next((place for place, part in enumerate(parts) if _GOOD_ANSWER.search(part)), 0)
    said = max(parts[:wanted], key=lambda part: len(stems(part)), default="")
    return said.rstrip(".") if len(stems(said)) >= _FEWEST_TO_LOOK_UP else ""


_GOOD_ANSWER = re.compile(
    r"\bwhat (?:would|is|was|should) (?:a |an |the |your )?(?:good|right|ideal|strong|better|correct) answer\b",
    re.IGNORECASE,
)
_FEWEST_TO_LOOK_UP = 5
_GOES_ON = re.compile(
    r"(?:(?:and|or|so|but) )?(?:i (?:said|thought|guessed) [^,?]+, (?!.*\b(?:right|wrong|true|correct)\b))?"
    r"(?:is|are|does|do|did|was|would|can|should|has) (?:it|that|this|they)\b",
    re.IGNORECASE,
)
"""Goes on with the question before, and says nothing alone."""
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]\s*\?")
"""Only repeats the interviewer's words, which the next sentence asks about."""


def doubted(text: str) -> str:
    """What the person said before and asks about whether it was right; empty where they ask something else."""
    inside = _WHETHER_RIGHT.search(text)
    if inside is not None and len(stems(inside["claim"])) >= _FEWEST_OF_A_CLAIM:
        return inside["claim"].strip(" ,?.!")
    before, *last = sentences(text.strip())[-2:]
    if not last or not _IS_IT_RIGHT.fullmatch(last[0].strip().casefold()):
        return ""
    claim = _LED_UP.sub("", before).strip(" ,?.!")
    return claim if len(stems(claim)) >= _FEWEST_OF_A_CLAIM else ""


_FEWEST_OF_A_CLAIM = 2
_WHETHER_RIGHT = re.compile(
    r"\b(?:(?:was|am|were) i|is it|was it) (?:right|wrong|correct|mistaken|true)"
    r"(?: (?:on|in|with|about) (?:the |my )?(?:[\w-]+ ){1,3}?(?:question|one|answer))?"
    r" (?:(?:when i said|to say|in saying|that|about)\b ?)+(?P<claim>.+)",
    re.IGNORECASE | re.DOTALL,
)
_IS_IT_RIGHT = re.compile(
    r"(?:(?:so|and|but|or|um+|uh+|well)[, ]+)*(?:(?:was|is|were) (?:that|it|this|i|those) "
    r"(?:really |actually |even )?(?:right|wrong|true|correct|accurate|so)"
    r"|(?:am|was) i (?:right|wrong|correct|mistaken)|right|correct|true)(?: there| about that| or not| or wrong)?\W*"
)
_LED_UP = re.compile(
    r".*?\b(?:i (?:said|claimed|told you|mentioned|stated|wrote|answered)|when i said)\b (?:earlier |before )?"
    r"(?:that )?",
    re.IGNORECASE | re.DOTALL,
)
"""What leads up to a claim that somebody comes back to."""


def replies(answers: Sequence[str], turn: int, *, last: bool = False) -> str:
    """One reply out of the answers to what was asked at once.

    Args:
        answers: as ``answer`` gave them, at least one.
        turn: how many replies there were before.
        last: no further question is taken.

    """
    # What the report tells comes last.
    first, *others = dict.fromkeys(sorted(answers, key=lambda said: said == _HOW_DID_I_DO))
    said = first
    for other in others:
        new = " ".join(each for each in sentences(other) if each not in said)
        if new:
            said = f"{said} {new if new == _HOW_DID_I_DO else _ALSO.format(said=new)}"
    return f"{said} {_NO_MORE if last else _MORE[turn % len(_MORE)]}"


def answer(
    text: str,
    found: str,
    turn: int,
    *,
    look_at: str = "",
    ready: bool = True,
    first: bool = True,
    claimed: bool = False,
    doubts: bool = False,
) -> str:
    """The answer to one question of the person's.

    Args:
        text: what they asked.
        found: the sentences of the documents that answer it; empty where none does.
        turn: how many were answered before.
        look_at: what to look at where none does; may be empty.
        ready: whether the documents could be searched.
        first: whether it was asked alone or first.
        claimed: whether they ask if something that they said was right.
        doubts: whether that seems false.

    """
    if is_answered_at_once(text):
        return _HOW_DID_I_DO if asks_for_marks(text) else _NO_HURRY
    told = surely_on_the_interview(text) or (on_the_interview(text) if not found and _TO_THEM.search(text) else "")
    if told:
        return told
    if found:
        lead = _TO_CHECK[doubts] if claimed else _FROM[turn % len(_FROM)] if first else "{said}"
        return lead.format(said=found)
    if doubts:
        return _DOUBTS
    if not look_at:
        return _NOTHING_NEAR[turn % len(_NOTHING_NEAR)] if ready else _NOT_READY
    return f"{_NOT_KNOWN} {_LOOK_AT.format(reading=speakable(look_at))}" if ready else _NOT_READY


_TO_THEM = re.compile(r"\b(?:you|your|interview|this|mine|my)\b", re.IGNORECASE)


def time_called() -> str:
    """What is said when the time for a question is used up while the person is to speak."""
    return _NO_TIME_LEFT


def lead_in(*, number: int, warmed_up: str, overran: bool, plan: Plan) -> str:
    """What comes before a question because of what was before it; may be empty.

    Args:
        number: the question's place, from 1.
        warmed_up: what the person told last in the warm-up; whoever told nothing is not thanked.
        overran: the question before used up its time.
        plan: the interview's.

    """
    if number == 1 and warmed_up.rstrip().endswith("?") and asks_for_time(warmed_up):
        return f"Thank you. {_AFTER_TIME[plan.minutes is not None]}"
    if number == 1 and only_asks(warmed_up):
        return _ASKED_BACK
    if number == 1 and warmed_up.rstrip().endswith("?"):
        return _after_their_question(sentences(warmed_up)[-1], plan)
    if number == 1 and _NERVOUS.search(warmed_up):
        return _AFTER_NERVES
    if number == 1:
        return _AFTER_WARM_UP[plan.seed % len(_AFTER_WARM_UP)] if warmed_up else ""
    return _MOVING_ON if overran else ""


def in_warm_up(text: str, plan: Plan) -> str:
    """The reply to whoever asks how the warm-up is meant, and has told nothing yet."""
    asked = sentences(text.strip())[-1]
    if asks_for_time(text):
        return f"{_AFTER_TIME[plan.minutes is not None]} {GO_AHEAD[0]}"
    if told := on_the_interview(asked, plan):
        return f"{told} {GO_AHEAD[0]}"
    if " or " in asked.lower():
        return "Either is fine. Take the one you'd rather talk about."
    if _ASKS_LEAVE.search(asked):
        return f"{_leave(asked)} Go ahead."
    return "Whatever you'd like me to know about your work. Go ahead."


_WHICH_OF_THEM = re.compile(
    r"\b(?:do|are|would|should) (?:you|i)\b[^.?!]*\b(?:care|prefer|interested|rather|more|focus)\b[^.?!]*\bor\b",
    re.IGNORECASE,
)


def _after_their_question(asked: str, plan: Plan) -> str:
    """What is said to whoever ended the warm-up with a question."""
    if _WHICH_OF_THEM.search(asked):
        return "Thank you. I'm interested in both."
    if _OFFERS_MORE.search(asked):
        return _AFTER_OFFER
    if told := on_the_interview(asked, plan):
        return f"Thank you. {told}"
    return f"Thank you. {_leave(asked)}" if _ASKS_LEAVE.search(asked) else _AFTER_THEIR_QUESTION


def _leave(asked: str) -> str:
    return _LEAVE[_WITHOUT_PROBLEM.search(asked) is not None]

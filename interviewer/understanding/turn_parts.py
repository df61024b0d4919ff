"""What a turn consists of: an addition before the rest, questions alone, a guess, an objection. Pure rules."""

from __future__ import annotations

import re

from interviewer.text import plain, sentences
from interviewer.understanding import question_references
from interviewer.understanding.correction_cues import mends_earlier
from interviewer.understanding.fluent_speech import fluent, without_fillers
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import ahead, intent_of
from interviewer.understanding.stop_words import EMPTY, stems
from interviewer.understanding.turn_requests import tells_own_action
from serving.frozen import FrozenModel

_ASIDE = frozenset(
    {Intent.ANSWER, Intent.CORRECTION, Intent.EARLIER, Intent.THINKING, Intent.CHECK, Intent.SAID_ALREADY}
)
"""What may still be a part of the addition."""

_ON = r"(?:(?:and|so|okay|ok|but|well|right|then|alright|all right|good)[, ]+)*"
_BACK = (
    r"(?:(?:(?:let me|let's|i(?:'ll| will)|i want to|i'd like to) (?:now )?)?"
    r"(?:(?:com(?:e|ing)|go(?:ing)?|get(?:ting)?|turn(?:ing)?|mov(?:e|ing)|switch(?:ing)?) )?(?:back|over"
    r"|on) (?:now )?to"
    r"|returning to|to (?:get|come|go) back to|to return to)"
)
_OF = r"(?:as (?:for|to)|to|for|on|about|regarding|concerning|with|in)"
_THIS = (
    r"(?:this (?:one|question|follow-?up|last point)|the (?:present|current|open|new|actual) (?:one|question)"
    r"|(?:your|the) (?:last |latest |current |present |open |new )?(?:question|follow-?up)(?: (?:now|at hand))?)"
)
_NAMED = rf"(?:{_THIS}|{question_references.QUESTION})"
_LEADS = re.compile(
    rf"\b{_ON}(?:now[, ]+(?:{_BACK} |{_OF} )?|{_BACK} )(?P<named>{_NAMED})\b[ ,:;.-]*"
    rf"|(?<=[.?!] ){_ON}(?:{_OF} |{_BACK} )(?P<other>{_NAMED})\b[ ,:;.-]*"
)
"""Goes on to a question by its name; the first form needs no new sentence, since recognized speech has few."""

_NOW = re.compile(rf"{_ON}now[, ]+(?:please[, ]+)?")
_ADD_IT = re.compile(r"(?:(?:can|could|would|will) you )?(?:please )?(?:add|count|note|put) (?:it|that|this)\b")
_SUBJECT = re.compile(
    rf"{_ON}(?:now[, ]+(?:{_OF} )?|{_OF} |{_BACK} )(?:the |your |my |that )?(?P<thing>[\w' -]{{2,40}}?)"
    r"(?:[,:;]| -|\.(?= ))"
    rf"|{_ON}(?:my|the) (?P<lost>[\w -]{{2,40}}?) (?:answer |reply |part )?(?:got|was|is|went|has been) (?:lost"
    rf"|missing|dropped)\b"
)
"""Goes on to a thing: "Now the bridges: …", "My bridge answer got lost."."""


class TurnParts(FrozenModel):
    """What a turn consists of.

    Attributes:
        earlier: the addition, with the words that lead over to the rest.
        present: what is said to the open question, or asked.

    """

    earlier: str
    present: str


def turn_parts(text: str, *, number: int = 0, about: str = "") -> TurnParts | None:
    """An addition to an earlier answer and what follows it; ``None`` where a turn is not both.

    Args:
        text: what was said.
        number: of the open question; 0 where none is open.
        about: what was asked last.

    """
    low = plain(text)
    if "```" in text or not mends_earlier(ahead(low)):
        return None
    place = min(filter(None, (_named(low, number), _begun(low, about))), default=None)
    words = [found.start() for found in re.finditer(r"\S+", text)]
    first = len(low[:place].split())
    if place is None or not 0 < first < len(words):
        return None
    return TurnParts(earlier=text[: words[first]].strip(), present=text[words[first] :].strip())


def addition_alone(text: str, *, number: int) -> str:
    """An addition without what follows it once the open question is gone back to by its name.

    Args:
        text: the addition and what follows it.
        number: of the open question.

    """
    place = _named(plain(text), number)
    return text if place is None else " ".join(text.split()[: len(plain(text)[:place].split())])


def _named(low: str, number: int) -> int | None:
    """Where the words begin that follow the naming of the open question."""
    for found in _LEADS.finditer(low):
        named = found["named"] or found["other"]
        reference = question_references.find_reference(named)
        others = reference is not None and reference.place is not question_references.Place.PRESENT
        if found.start() > 0 and (not others or (reference is not None and 0 < number == reference.number)):
            return found.end()
    return None


def _begun(low: str, about: str) -> int | None:
    """Where a sentence begins that asks for something, or goes on to what was asked last."""
    parts = sentences(low)
    wanted = stems(about, EMPTY)
    place = len(parts[0]) + 1
    for index, part in enumerate(parts[1:], start=1):
        lead = _NOW.match(part)
        rest = "" if _ADD_IT.match(part) else " ".join(parts[index:])
        intent = intent_of(_NOW.sub("", rest, count=1) if lead else rest)
        asks_last = index == len(parts) - 1 and rest.endswith("?") and intent is Intent.ANSWER
        if intent not in _ASIDE or asks_last:
            return place + (lead.end() if lead else 0)
        thing = _SUBJECT.match(part)
        if thing is not None and stems(thing["thing"] or thing["lost"] or "", EMPTY) & wanted:
            return place
        place += len(part) + 1
    return None


_LONGEST_OF_QUESTIONS = 60
"""Words of the longest turn that consists of questions."""

_MOST_BESIDE = 8
"""Words beside the questions of such a turn, as in "just so that I'm on the same page"."""

_MOST_OF_THEM = 16
"""The same where they speak of the person or the interviewer, as in "I never got to tell you about the project"."""

_OF_THEM = re.compile(r"\b(?:i|i'd|i'm|i've|me|my|you|your|we|let's)\b")
_KNOWS_NOT = re.compile(
    r"\bi (?:don't|do not) know\b|\b(?:no idea|not sure|never)\b(?! (?:got|told|what you|which you))"
)
"""An answer, if only that one lacks it."""

_SHORT_QUESTION = 10
"""Words of a question that goes on with the one before it, whatever it begins with."""
_SHORT_GUESS_AT_MEANING = 14
BY_IT_YOU_MEAN = r"(?:by|with) [\w' -]{2,40}?,? (?:do )?you mean\b"
"""Matches how a word of the question is read."""
_WHAT_IS_MEANT = re.compile(
    rf"(?:(?:oh|hm+|hum|um+|uh+|okay|ok|so|well|sorry|wait)[, ]+)*{BY_IT_YOU_MEAN}"
    r"|[^.?!]*\byou mean\b[^.?!]*,? (?:right|write|correct|or)\b[^.?!]*[.?]?$"
)
"""Asks whether a word of the question is meant so; recognition hears "right" as "write", and ends it with a period."""

_AFTER_QUESTIONS = re.compile(
    r"(?<=\?) (?:and |because |since )?(?:funny|you say|i'm asking|i'd (?:say|guess|assume)|that changes"
    r"|i (?:got|had|ask|read|take|understand|assume|guess|was (?:at|still (?:at|on|with))))\b[^?]{3,90}$"
)
"""Why one asks, or a remark, behind the questions."""

_ON_WHAT_WAS_SAID = re.compile(
    r"\b(?:is|was|does|did|would) (?:that|this|it)\b"
    r"(?! (?:on|for|at|per|during|across|in|with)\b(?![^?]*\b(?:right|track|point|least|most|all|ballpark|direction"
    r"|line|order|level|detail|depth)\b))"
    r"|\b(?:if|whether) (?:that|this|it) (?:is|was)\b"
    r"|\b(?:am|was) i\b|\bmake sense\b"
    r"|\b(?:should|shall|can|may) i (?:also |just )?(?:go|say|explain|continue|mention|tell)\b"
)
"""Asks about what was just stated, which is an answer then."""

_LEAD_IN = re.compile(
    r"(?:(?:oh|well|so|okay|ok|right|yes|yeah|and|but|sorry|hey|wait|hm+|actually|also|or|then|please|just"
    r"|(?:hold|hang) on|quick question|one question"
    r"|by the way|before (?:that|i (?:answer|start|begin))"
    r"|(?:(?:can|may|could) i ask (?:you )?|i have )(?:a|one|another) (?:quick )?(?:question|thing)(?: (?:back|first))?"
    r"(?: (?:about|on) [\w ]{3,24})?"
    r"|(?:just )?(?:to|so) (?:be|i'm|that i'm|we're) [\w' ]{3,24}|when [\w' ]{3,40}|in [\w' ]{3,24})\b[\s,.:;-]*)+"
)
_ASKS = re.compile(
    r"(?:with |in |for |on |at |by |to |from )?(?:what|which|how|why|when|where|who|whose)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|can|could|may|might|must|should|shall|would|will|am|isn't|aren't|don't"
    r"|doesn't)\b"
)
_ADDRESSED = re.compile(
    r"\b(?:(?:do|did|are|were|would|can|could|should) you|you (?:mean|want|said|say|asked?|ask for)"
    r"|you(?:'re| are) (?:asking|after|looking|talking|interested)|your question|the question"
    r"|i (?:suppose|assume|take it|presume)|or (?:both|either|neither|something else|only|just)\b)"
)
"""Speaks to the interviewer about what they asked."""

_GUESS = re.compile(
    r", (?:right|no|yes|correct|isn't it|aren't they|doesn't it|don't they|wouldn't it|won't it|is that right)\?$"
)
_WANTS_QUESTIONS = re.compile(r"\bask(?:s|ed|ing)?\b|\bquestions?\b")
"""In what was asked: it wants questions for an answer."""


def asks_only(text: str, *, asked: str = "") -> bool:
    """Whether a turn puts questions to the interviewer and states nothing.

    A statement with "right?" after it states something, unless it is on what the interviewer meant.

    Args:
        text: what was said.
        asked: what was asked last; where it wants questions, they are the answer.

    """
    said = _FACTS_WANTED.sub("", without_fillers(plain(text)).replace("...", ","))
    count = len(said.split())
    if count <= _LONGEST_GUESS and _UNMARKED.match(said):
        return True
    if count <= _SHORT_GUESS_AT_MEANING and _WHAT_IS_MEANT.match(said):
        return True
    said = _AFTER_QUESTIONS.sub("", said)
    if not said.endswith("?") or count > _LONGEST_OF_QUESTIONS or _WANTS_QUESTIONS.search(plain(asked)):
        return False
    parts = sentences(said)
    questions = [part for part in parts if part.endswith("?")]
    beside_them = (part for part in parts if not part.endswith("?") and not _only_thinks(part))
    stated = [_LEAD_IN.sub("", part) for part in beside_them]
    beside = sum(len(part.split()) for part in stated)
    of_them = (
        not _KNOWS_NOT.search(said)
        and not any(map(tells_own_action, stated))
        and (not parts[-1].startswith("or ") or parts[-2:][0].endswith("?"))
        and beside <= (_MOST_BEFORE_MEANING if _YOU_MEAN.search(parts[-1]) else _MOST_OF_THEM)
        and all(map(_OF_THEM.search, stated))
        and not _ON_WHAT_WAS_SAID.search(parts[-1])
    )
    if not any(map(_is_question, questions)):
        return False
    return (beside <= _MOST_BESIDE or of_them) and all(
        _is_question(each) or len(each.split()) <= _SHORT_QUESTION for each in questions
    )


_FOR_A_MOMENT = re.compile(
    r"(?:just )?(?:give me|let me have|i need|hold on|wait|one|a) (?:just )?(?:a |one )?(?:moment|second|minute)\b"
)
_MOST_BEFORE_MEANING = 24
"""Words that repeat what was asked, before it is asked what was meant."""
_YOU_MEAN = re.compile(r"\b(?:do|did) you mean\b")
_FACTS_WANTED = re.compile(
    r"(?:(?<=[.!] )|^)(?:[\w',-]+ ){0,6}(?:(?:few|couple of|some|two|three|several) (?:[\w-]+ )?(?:facts|questions"
    r"|things|details|clarifications?|requirements))\b[^.?!:]{0,40}: "
)
"""As in "before that, a few facts I'd want on the table: …"."""


def _only_thinks(sentence: str) -> bool:
    """Whether a sentence says no more than that somebody thinks."""
    said = _LEAD_IN.sub("", sentence)
    aloud = _ALOUD.search(said) is not None and len(said.split()) <= _MOST_OF_THEM
    return aloud or _FOR_A_MOMENT.match(said) is not None


_WHICH_OF_IT = re.compile(
    r", (?:is|are|was|were|does|do|can|could|may|might|should|must|will|would) "
    r"(?:that|it|this|they|these|those|there)\b"
)
"""In "the p in there, is that the mean?"."""


_ONE_THING = re.compile(r"(?:just |only )?one (?:more |last |quick |small )?(?:thing|point)(?: first)?\s?[,:;.-]\s?")


def _is_question(said: str) -> bool:
    bare = _LEAD_IN.sub("", _ONE_THING.sub("", said, count=1))
    if _ADDRESSED.search(said) or _WHICH_OF_IT.search(said):
        return True
    return bool(_ASKS.match(bare)) and not _GUESS.search(said) and not _GIVES_A_REASON.match(bare)


def guesses(text: str) -> bool:
    """Whether a short turn is thinking aloud: it says so, or ends with a statement that is to be confirmed."""
    said = plain(text)
    if len(said.split()) > _LONGEST_GUESS:
        return False
    if _ALOUD.search(said) or _FOR_A_START.match(_MERE_SOUNDS.sub("", said)) or said.endswith(("...", "…")):
        return True
    if names_two_readings(text):
        return True
    if not said.endswith("?"):
        return False
    return _GUESS.search(said) is not None or _GIVES_A_REASON.match(_LEAD_IN.sub("", said)) is not None


_LONGEST_GUESS = 30
_ALOUD = re.compile(
    r"\b(?:let me|i(?:'ll| will)|i'm) (?:just )?(?:think|thinking) (?:(?:about )?(?:this|it|that) )?"
    r"(?:out loud|aloud)\b"
)
_FOR_A_START = re.compile(
    r"(?:(?:just )?give me|i need|one) (?:just )?(?:a |one )?(?:second|sec|moment|minute)\b[,.;: ]"
    r"|(?:let me|i have to|i need to) (?:think|look)\b(?: (?:about|at) (?:it|this|that))?"
    r"(?:[,.;:]|(?: for)?(?: just)? (?:a|one) (?:second|sec|moment|minute|bit)\b)"
)
_GIVES_A_REASON = re.compile(r"(?:is|was|would|could|might) (?:it|that|this) (?:be )?(?:because|due to|since)\b")
_ONE_READING_OR_OTHER = re.compile(
    r"(?!(?:(?:so|well|hm+|um+|uh+|oh|and|but|okay|maybe|perhaps|probably)[, ]+)*(?:it|that|this|there|i|you|we|they"
    r"|because|since|maybe|perhaps|probably|isn't|wouldn't|by|with|use|using|yes|yeah|no|either|both)\b)"
    r"(?:[^.?!:]|\.(?=\d)){3,120}, or (?!(?:am|is|are|was|were|do|does|did|have|has|can|could|should|not|something"
    r"|you|we|it|they|i)\b)(?:[^.?!:]|\.(?=\d)){3,80}\?"
)
_UNMARKED = re.compile(
    r"(?:(?:oh|hm+|hum|um+|uh+|okay|ok|so|well)[, ]+)*sorry[, ]+(?!.*\bi (?:meant?|said)\b)[^?]*"
    r"\bor (?:both|either|neither|only|just|all|something else)\b"
)
"""A question about the task that recognition ended with a period."""

_ADDS_FIRST = re.compile(
    r"(?:before (?:that, (?:one|a|i|let)\b|i (?:answer|get to|come to|say)|we (?:go|move) on|going on)\b"
    r"|(?:one|a|just one|a (?:small|quick)|one (?:small|quick|more)) (?:correction|addition)(?: first)?[:,.]"
    r"|(?:one|just one) (?:more )?thing (?:i (?:forgot|left out|wanted|should)|to add)"
    r"|(?:i )?(?:forgot|wanted) to (?:say|add|mention)"
    r"|(?:let me|can i|could i|i(?:'d| would) like to|i (?:want|need) to) (?:first |just |quickly )*"
    r"(?:add|correct|take back)\b"
    r"|(?:you cut me off|i was(?:n't| not) (?:quite |yet )?(?:done|finished))"
    r"|hold that(?: thought| one| question)?\b|(?:let me|i(?:'d| would) (?:like|want) to|i want to) (?:just |quickly )?"
    r"(?:lay out|draw|sketch|finish|give) (?:the|my|you the) [\w ]{2,30}? first\b)"
)
_ON_TO_IT = re.compile(
    r"[.?!;] (?:(?:so|and|but|okay|ok|well) )*(?:now|as (?:for|to)|to your question|on your question|back to)\b"
)
_LONGEST_ADDITION = 70


def adds_first(text: str) -> bool:
    """Whether a turn only adds to what was said before on the question, and leaves what was asked last for later."""
    said = _MERE_SOUNDS.sub("", plain(text))
    first, *rest = sentences(said)
    # "Give me a second. Before that, one correction: …"
    begins = [said, *([" ".join(rest)] if rest and len(first.split()) <= _SHORT_LEAD else [])]
    return (
        len(said.split()) <= _LONGEST_ADDITION
        and (not said.endswith("?") or _ON_WHAT_WAS_SAID.search(sentences(said)[-1]) is not None)
        and any(_ADDS_FIRST.match(_MERE_SOUNDS.sub("", each)) for each in begins)
        and _ON_TO_IT.search(said) is None
    )


_SHORT_LEAD = 6
_MERE_SOUNDS = re.compile(
    r"^(?:(?:u+h+m*|u+m+|h+m+|hum|oh|ah|okay|ok|so|well|sorry|wait|no|actually|and|also|hold on|hang on|just)\b"
    r"[\s,.!]*)+"
)

_IN_THE_CODE = re.compile(
    r"(?:(?:well|but|um+|uh+m*|hm+|oh|sorry|no|yes|hey)[, ]+)*(?:isn't )?(?:that(?:'s| is)?|this is) "
    r"(?:exactly |just |already )*(?:what (?:the|my) (?:code|program|function|class|solution)\b"
    r"|what (?:you|i) (?:have |had |'ve )?(?:just )?(?:said|quoted|submitted|wrote|described|read out)\b"
    r"|in (?:the|my) code\b)"
    r"|(?:(?:well|but|um+|uh+m*|hm+|oh|sorry|wait)[, ]+)*"
    r"(?:isn't (?:that|this|it)|is (?:that|this|it) not|didn't you)\b"
    r"[^.?!]*\b(?:same question|what i (?:just |already )?(?:said|described|told)|(?:just|already) (?:asked|ask))\b"
    r"|(?:(?:well|but|um+|uh+m*|hm+|oh|sorry|a)[, ]+)*(?:like|as|kind of|kinda|a kind of) (?:just )?said\b"
)
"""Says that the code does it, or that it was just quoted."""

_SAID_SO = re.compile(
    r"(?:(?:well|but|um+|uh+m*|hm+|as|like|oh|sorry|i (?:think|believe)|that's what|isn't that what|did|didn't)[, ]+)*"
    r"(?:that |this |it )?i(?:'ve| have| had| did)? ?(?:already |just |kind of )*"
    r"(?:said|say|mention(?:ed)?|told you|answered|covered|explained|gave)(?: (?:that|this|it|so|exactly that|you))?"
    r"(?: (?:already|before|earlier|above|just now|a (?:moment|minute) ago|at the (?:start|beginning)))?\b",
)
_SO = re.compile(
    r"already|before|earlier|above|just|\bdid\b|\bago\b|at the (?:start|beginning)|^as\b|\bdidn't\b"
    r"|i (?:think|believe)\b"
)


def says_so_already(text: str) -> bool:
    """Whether a turn begins by saying that this was said before."""
    begins = plain(fluent(text)).strip(" ,")
    if _IN_THE_CODE.match(begins):
        return True
    said = _SAID_SO.match(begins)
    return said is not None and _SO.search(said[0]) is not None


def compares_terms(text: str) -> bool:
    """Whether somebody asks whether something is the same as another thing, or what one calls it."""
    return _COMPARES.search(plain(text)) is not None


_COMPARES = re.compile(
    r"\bis (?:this|that|it) (?:about |basically |really |just )*(?:the same|different|similar|related|like)\b[^?]*\?"
    r"|\bwhat(?:'s| is) the difference\b[^?]*\?|\b(?:called|calling (?:this|that|it))\b[^?]*\?"
)


def asks_which(text: str) -> bool:
    """Whether the interviewer is to choose between going on with something and something else."""
    return _WHICH_TO_DO.search(plain(text)) is not None


_WHICH_TO_DO = re.compile(r"\b(?:should|shall|do you want me to|would you like me to)\b[^?]*\bor\b[^?]*\?\W*$")


def left_by_mistake(text: str) -> bool:
    """Whether somebody says that they did not want to leave a question."""
    return _DID_NOT_LEAVE.search(plain(text)) is not None


_DID_NOT_LEAVE = re.compile(r"\bi (?:did not|didn't|never) (?:want|mean|intend|ask)(?:ed)? to (?:skip|leave|pass)\b")


def names_two_readings(text: str) -> bool:
    """Whether a short turn does no more than name two things with a question mark behind them.

    As in "All set to the constant 0.1, or the usual draw divided by ten?": a question what is meant, or a guess.
    """
    said = plain(text)
    return len(said.split()) <= _LONGEST_GUESS and _ONE_READING_OR_OTHER.fullmatch(said) is not None


def declines_to_write(text: str) -> bool:
    """Whether somebody says that they talk about their code and will not write it."""
    return _DECLINES_TO_WRITE.search(plain(text)) is not None


_WRITES = r"(?:typ|writ|cod|implement)(?:e|ing)?"
_THE_CODE = (
    r"(?: (?:it|this|that|(?:all|any) of (?:it|this|that)|everything|(?:the |my |any |all (?:the |of the )?)?"
    r"(?:(?:whole|full|entire|actual) )?(?:code|class|function|method|program|solution|thing)))?"
    r"(?: (?:out|down|all))?(?=\W*$|[,.;])"
)
_DECLINES_TO_WRITE = re.compile(
    rf"\b(?:describ|explain|talk|say|tell|walk)\w*\b[^.?!]{{0,50}}"
    rf"\b(?:than|instead of|rather than) (?:to )?{_WRITES}{_THE_CODE}"
    rf"|\bi(?:'m| am) not going to {_WRITES}{_THE_CODE}|\bi(?:'d| would) rather not {_WRITES}{_THE_CODE}"
    rf"|\bi(?:'d| would) prefer not to {_WRITES}{_THE_CODE}"
    rf"|\bi (?:won't|will not|don't want to|do not want to) {_WRITES}{_THE_CODE}"
)

"""Which words of a person may be quoted, and before which question. Pure.

A quotation that is garbled, that is half a sentence, or that has nothing to do with the question after it is worse than
none: the question is then asked alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from interviewer.policy.answer_stages import Stage
from interviewer.understanding.stop_words import stems
from rubric.model import Criterion
from serving.speech.stt.transcript import Word

UNSURE = 0.35
"""Probability below which a recognized word keeps its clause from being quoted."""

_HUMS = frozenset({"ah", "er", "erm", "hm", "hmm", "mhm", "mm", "uh", "uhm", "um", "umm"})

_TWO_SENTENCES = re.compile(
    r"(?<=\s)(?:So|And|But|Then|It|The|We|In|This|That|There|They|You|Because|When|Where|He|She|If|Or|Also|Okay|Well)\b"
    r"|\w[.!?][A-Z]"
)
"""Words that begin a sentence, in the middle of one: what was between two sentences was lost."""

_HANGING = re.compile(
    r"\b(?:the|an?|of|to|in|on|for|with|over|by|from|at|into|onto|within|between|than|its|their|our|my),"
    r"|\b\d+, \d+ (?!and\b|or\b)[a-z]",
    re.IGNORECASE,
)
"""A part that stops where nothing can stop, or a number that fell apart."""

_NO_SUBJECT = re.compile(
    r"(?:means?|meant|had|have|has|did|does|was|were|is|are|would|could|will|should|said|told|made|took|got|went|wrote"
    r"|knew|saw|found|felt|thought|gave|kept|left|held|led|ran|put|\w{3,}ed)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose subject was not recognized."""

_SUBJECT = re.compile(
    r"\b(?:i|you|we|they|he|she|it|that|there|which|who|this|these|those|everybody|nobody|one)\b[\w'’ ]*? ?\w"
    r"|\w(?:['’](?:s|re|ll|ve|d)|n['’]t)\b",
    re.IGNORECASE,
)
_BASE = (
    r"accumulate|add|allocate|apply|ask|average|avoid|become|begin|block|break|bring|build|call|change|check|choose|come"
    r"|compare|compile|compute|contain|convert|copy|count|create|decay|decide|decrease|define|delete|depend|detach"
    r"|differ|disable|divide|dominate|drop|enable|exceed|expect|explain|fail|fall|fetch|find|fit|fix|follow|force|free"
    r"|freeze|gather|get|give|go|grow|happen|have|help|hold|hurt|ignore|improve|include|increase|keep|know|lead|learn"
    r"|leave|let|lie|look|lose|make|match|mean|measure|move|multiply|need|normalize|overlap|pay|pick|predict|prefer"
    r"|prevent|produce|put|raise|read|receive|recompute|reduce|remain|remove|replace|require|return|reuse|save|say|see"
    r"|seem|send|shrink|shuffle|skip|slow|sort|spend|split|spread|start|stay|stop|store|subtract|suffer|take|tell|think"
    r"|throw|try|turn|update|vanish|wait|want|write|yield"
)
_VERB = re.compile(
    rf"\b(?:is|are|was|were|be|has|had|do|does|did|can|cannot|could|will|would|may|might|must|should|got|kept|took|made"
    rf"|held|went|came|ran|gave|grew|wrote|saw|sent|fell|rose|lost|left|led|cut|chose|found|knew|meant|built|began|broke"
    rf"|copies|carries|applies|multiplies|tries|(?:{_BASE})(?:e?s)?|\w{{3,}}ed)\b",
    re.IGNORECASE,
)

_OWN = r"\b(?:i|we)(?:['’]ve| have| had)? (?:(?:then|first|also|finally|just|only|therefore|so|\w+ly) )?"
_DECIDED = re.compile(
    rf"{_OWN}(?:accepted|added|automated|began|blocked|built|changed|chose|cut|decided|declined|delayed|delegated"
    r"|did (?!not\b)|disabled|dropped|enabled|fixed|froze|increased|insisted|isolated|kept|left out|limited|merged"
    r"|moved|negotiated|picked|pinned|postponed|prioriti[sz]ed|proposed|pushed|put (?!down\b|together a )"
    r"|ran|reduced|refused|removed|replaced|retrained|reverted|rewrote|rolled|set (?:up|a|the)|simplified|skipped|split"
    r"|started|stopped|suggested|switched|tested|took (?!notes\b|part\b)|trained|tried|turned|upgraded|used (?!to\b)"
    r"|went (?:with|for|back)|wrote (?!to\b|down\b|(?:him|her|them|everybody|everyone)\b"
    r"|an? (?:\w+ )?(?:e-?mail|mail|message|note|summary|post|report)\b))",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\band (?:then |also |finally |after that )*(?:i|we|there|it|they)\b", re.IGNORECASE)
"""Goes on to something else, so that "that way" would mean either."""
_CALLED = re.compile(rf"{_OWN}(?:called|named|labeled|dubbed)\b", re.IGNORECASE)
_RESULT = re.compile(
    r"\d|\bper ?cent\b|\b(?:half|halved|doubled|twice|dropped|fell|rose|improved|saved|recovered|faster|slower|cheaper"
    r"|fewer|better|worse)\b",
    re.IGNORECASE,
)
_MEASURED = re.compile(r"\bmeasur\w+|\bcompared\b|\btested\b|\bbenchmark\w*|\btimed\b", re.IGNORECASE)
_BACKGROUND = re.compile(r"\b(?:was|were|had|needed|wanted|depended|broke|failed)\b", re.IGNORECASE)
_LESSON = re.compile(
    r"\b(?:learned|learnt|next time|hindsight|taught me|lesson|should have|would (?:now|today)|differently)\b",
    re.IGNORECASE,
)


def is_clean(quote: str, heard: Sequence[Word] = ()) -> bool:
    """Whether a quotation is one whole clause, as it was said.

    Args:
        quote: as it would be read out.
        heard: the recognized words of what was said, where it was spoken, in order.

    """
    plain = quote.strip(" .…?!")
    if _TWO_SENTENCES.search(plain) or _HANGING.search(plain) or _NO_SUBJECT.match(plain):
        return False
    return bool(_VERB.search(plain) or _SUBJECT.search(plain)) and not _holds_unsure(plain, heard)


def is_about(quote: str, criterion: Criterion) -> bool:
    """Whether a quotation has to do with what a follow-up on a point asks: with its question, or twice with the point.

    A point without a question of its own is asked about in words that fit anything.
    """
    said = stems(quote)
    return not criterion.probe or bool(said & stems(criterion.probe)) or len(said & stems(criterion.text)) > 1


def fits(stage: Stage, quote: str) -> bool:
    """Whether what is asked of anybody's words on a stage of a story makes sense after a quotation.

    "Why did you do it that way?" needs something that the speaker decided or did, not a label, not background, and not
    that others were told; "How did you measure that?" an outcome, and "How have you acted on that?" a lesson.
    """
    decided = bool(_DECIDED.search(quote)) and not _CALLED.search(quote)
    match stage:
        case Stage.ACTION:
            return decided and not _LESSON.search(quote) and not _GOES_ON.search(quote)
        case Stage.RESULT:
            return bool(_RESULT.search(quote)) and not decided and not _MEASURED.search(quote)
        case Stage.REFLECTION:
            return bool(_LESSON.search(quote))
        case Stage.SITUATION:
            return bool(_BACKGROUND.search(quote)) and not decided
        case _:
            return False


def _holds_unsure(quote: str, heard: Sequence[Word]) -> bool:
    """Whether a word that recognition was unsure of stands in a quotation, told by the word before or after it."""
    said = [plain for word in quote.split() if (plain := _letters(word))]
    pairs = set(pairwise(said))
    words = [(plain, word.probability) for word in heard if (plain := _letters(word.text)) and plain not in _HUMS]
    for place, (word, probability) in enumerate(words):
        if probability < UNSURE:
            before = (words[place - 1][0], word) if place else None
            after = (word, words[place + 1][0]) if place + 1 < len(words) else None
            if before in pairs or after in pairs:
                return True
    return False


def _letters(word: str) -> str:
    return re.sub(r"\W", "", word.lower())

"""What a person wants with what they said: to answer, or something else. Pure rules; no model is asked.

A request is recognized only when the whole utterance is one: each of its clauses has to be a request, a filler or a
courtesy. One clause of anything else makes it an answer, so that "skip connections add the input" skips nothing.
"""

from __future__ import annotations

import re

from interviewer.text import plain, sentences
from interviewer.understanding.correction_cues import mends_earlier
from interviewer.understanding.design_questions import LONGEST, asked_in, without_assumption
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_patterns import ASIDE, ORDER, REQUESTS

LONGEST_REQUEST = 16
"""Words of the longest utterance that can be a request; whatever is longer is an answer."""

LONGEST_QUESTION = 24
"""Words of the longest utterance that can ask what the question means, and have other words beside it."""


def intent_of(text: str) -> Intent:
    """What a person wants with an utterance, spoken or typed.

    An utterance that begins with "answer:" or "my answer" is an answer whatever follows, which is how a person
    insists when they were taken to want something else.

    """
    said = _plain(text)
    count = len(said.split())
    if not count or _INSISTS.match(said):
        return Intent.ANSWER
    if mends_earlier(ahead(said)):
        return Intent.EARLIER
    return Intent.ANSWER if _CODE.search(text) else _intent_of(said, count)


def _intent_of(said: str, count: int) -> Intent:
    if count <= LONGEST_REQUEST and (request := _request(said)) is not None:
        return request
    if _CORRECTS.match(said):
        return Intent.CORRECTION
    if _asks_back(said, count):
        return Intent.QUESTION if _OF_THE_SUBJECT.match(_led_in(said)) else Intent.CLARIFICATION
    if count <= LONGEST_REQUEST and _TRAILS_OFF.search(said):
        return Intent.THINKING
    return Intent.ANSWER


def leaves_too(text: str) -> bool:
    """Whether the wish to go back to another question says as well that the present one is to be left."""
    return any(_kind(clause) in {Intent.SKIP, Intent.LATER} for clause in _clauses(_plain(text)))


def leaves_whole_question(text: str) -> bool:
    """Whether a wish to skip is for the question and all that belongs to it, and not only for its last follow-up."""
    return bool(_WHOLE.search(_plain(text)))


_WHOLE = re.compile(
    r"\b(?:whole|entire|entirely|altogether|completely|topic|subject|next (?:main )?question|new question"
    r"|(?:another|different) (?:question|topic|subject)|(?:this|that|the) (?:question|exercise|task))\b"
)


def has_content(text: str) -> bool:
    """Whether a thought that is not finished says anything already, beyond fillers and "let me think"."""
    return any(_kind(clause) is None for clause in _clauses(_plain(text)))


_INSISTS = re.compile(r"(?:my |the )?answer\s*:|my answer (?:is|would be|stays)\b")
_CODE = re.compile(r"```|\w\(|\w\.\w+\(|[=\[\]{}]|\n\s*\n")


def _plain(text: str) -> str:
    said = " ".join(text.lower().replace("’", "'").replace("…", "...").split())
    return re.sub(r"[\"“”`*]", "", said)


def _clauses(said: str) -> list[str]:
    parts = [clause for part in re.split(r"[,.;:!?]+|\s-\s", said) if (clause := _bare(part))]
    return [clause for part in parts for clause in _wishes(part)]


def _wishes(part: str) -> list[str]:
    """The wishes that are joined by "and", where all of it are wishes; else the part as it is."""
    joined = [clause for piece in part.split(" and ") if (clause := _bare(piece))]
    apart = len(joined) > 1 and all(_kind(clause) is not None for clause in joined)
    return joined if apart else [part]


# What may stand around a request without changing it.
_BEFORE = re.compile(
    r"^(?:(?:u+h+m*|u+m+|h+m+|e+r+m*|a+h+|oh|well|so|okay|ok|right|yes|yeah|no(?= wait\b)|and|but|please"
    r"|sorry|hey|thanks|"
    r"thank you|actually|honestly|maybe|perhaps|just|then|i think|i guess|i'm afraid|i am afraid|to be"
    r" honest)\b[\s:]*)+"
)
_AFTER = re.compile(
    r"(?:\s+(?:please|thanks|thank you|sorry|then|now|for me|if possible|if you can|maybe|actually|though|"
    r"u+h+m*|u+m+|h+m+))+$"
)


_PUTS_OFF = re.compile(
    r"^(?:(?:u+h+m*|u+m+|h+m+|oh|okay|ok|so|well|sorry|wait|just|and)[, ]+)*"
    r"before (?:i (?:start|begin|answer|go on|get into)|we (?:start|begin|go on|move on))\b[^,.;:]{0,30}[,.;:]? "
)


def ahead(said: str) -> str:
    """An utterance without the fillers that it begins with, and without what it puts off."""
    said = _PUTS_OFF.sub("", said)
    return _BEFORE.sub("", f"{re.sub(r'^(?:wait|hold on|hang on)[,.]? ', '', said)} ").lstrip(" ,")


def _bare(clause: str) -> str:
    """A clause without fillers and courtesies; only these leave it empty."""
    return _AFTER.sub("", _BEFORE.sub("", f"{clause.strip()} ").strip() if clause.strip() else "").strip()


def _request(said: str) -> Intent | None:
    """The request that an utterance consists of; ``None`` where it says anything else."""
    clauses = _clauses(said)
    if not clauses:
        return _of_fillers_alone(said)
    kinds = [_kind(clause) for clause in clauses]
    if any(kind is None for kind in kinds):
        return None
    return next((intent for intent in ORDER if intent in kinds), None)


def _kind(clause: str) -> Intent | str | None:
    found = next((intent for intent, pattern in REQUESTS if pattern.match(clause)), None)
    if found is None and ASIDE.match(clause):
        return "aside"
    return found


def _of_fillers_alone(said: str) -> Intent | None:
    """What fillers alone are: a thought begun, or a word that the person did not understand."""
    words = re.sub(r"[^\w\s]", " ", said).split()
    if words and words[-1] in {"sorry"}:
        return Intent.REPEAT
    return Intent.THINKING if re.search(r"\b(?:u+h+m*|u+m+|h+m+|e+r+m*|so|well)\b", said) else None


_CORRECTS = re.compile(
    r"(?:(?:oh|hmm|no|ah|um|uh|oops|sorry|wait)[, ]+)*"
    r"(?:wait[, ]+(?:it(?:'s| is)|that(?:'s| is))\b|(?:that|this) (?:was|is|isn't|wasn't) (?:wrong|right"
    r"|not right|not it)\b"
    r"|"
    r"(?:wait[,. ]+(?:no|that|it|i (?:meant|said))\b"
    r"|(?:no|hang on|hold on)[, ]+wait\b"
    r"|(?:hang on|hold on)[, ]+(?:that|it)\b"
    r"|(?:no[, ]+)?sorry[, ]+(?:i (?:meant|said|mean)|that)\b"
    r"|no[, ]+i mean\b"
    r"|(?:no[, ]+)?actually[, ]+(?:no\b|scratch|it(?:'s| is) the other way|i was wrong|that (?:was|is) wrong)"
    r"|actually i was wrong"
    r"|(?:let me |i (?:want|need|have) to |i'd like to )(?:correct|rephrase|take (?:that|it) back)"
    r"|let me fix (?:that|this|it)"
    r"|(?:sorry|no|ah|oh|wait)\b.{0,40}\bi meant\b"
    r"|(?:hang on|hold on|wait|sorry|no|oh|ah)[, ]+i (?:mixed|confused|got (?:that|it|this) (?:wrong|backwards"
    r"|mixed))"
    r"|i (?:mixed (?:that|it|this|them|those) up|got (?:that|it|this) (?:wrong|backwards))"
    r"|scratch that|strike that|correction\b|i (?:misspoke|take (?:that|it) back|said (?:that|it) wrong)"
    r"|what i meant\b|i meant\b|or rather\b|on second thought\b"
    r"|(?:earlier |before )?i said .* (?:but|though) (?:i (?:meant|mean)|it|that|actually)"
    r"|no[, ]+actually\b|no[, ]+sorry\b))"
)

_ASKS_BACK = re.compile(
    r"(?:do|did|would) you (?:mean|want|need|expect|care|have in mind)\b"
    r"|you (?:mean|want)\b.*\?$"
    r"|(?:should|shall|must|do) i\b(?! think| believe| know)"
    r"|(?:can|may|could) i (?:assume|use|also|take it|ignore|ask)\b|(?:can|may|could) i\b.*\?$"
    r"|(?:can|could|may|might) (?:it|this|that) (?:(?:also|even|just) )*(?:be|come) "
    r"(?:from|about|something|anything|any|an example|a (?:story|project))\b.*\?$"
    r"|(?:can|could|would) you (?:please )?say what you\b"
    r"|(?:can|could|would) you (?:please )?tell me (?:which|what|whether|if|how)\b"
    r"|would you like me to\b"
    r"|(?:by|with|when you say|for) [^.?!]{1,40}?,? (?:do|did|are) you (?:mean|meaning|talking|referring|thinking)\b"
    r"|[^.?!]{1,60}? (?:is that|as in|you mean|meaning|or is it|or do you mean) [^.?!]{1,60}\?$"
    r"|(?:when|why|where|who) (?:is|are|was|were|do|does|did|would|should|could|can|might|will)\b.*\?$"
    r"|should (?:this|it|we|that|the \w+) (?:work|run|support|handle|scale|fit|assume|also|only)\b.*\?$"
    r"|am i (?:allowed|supposed|right|free)\b"
    r"|are (?:we|you|they|the|there)\b.*\?$"
    r"|do (?:we|they)\b.*\?$"
    r"|does (?:it|the|this|that)\b.*\?$"
    r"|is (?:it (?:for|about|a|with|on)|this|that|the|there)\b.*\?$"
    r"|(?:what|which|how|in which|in what|for what|on what|with which)\b.*\?$"
    r"|(?:what|which) (?:exactly )?(?:do|does|did) (?:you|that|this|it)\b.*(?:mean|ask)"
    r"|(?:which|what) (?:framework|version|optimi[sz]er|shape|size|kind|model|level|setting)\b"
    r"|(?:can|could|would) you (?:please )?(?:clarify|explain|specify|elaborate|be (?:a bit |a little"
    r" )?more|define|give (?:me )?an example)"
    r"|i(?:'m| am)? (?:don't|do not|didn't|did not|not)(?: quite| really)?(?: sure i)? (?:understand|get"
    r"|follow)\b.*(?:question|ask|mean|want)"
    r"|(?:just )?to (?:clarify|be sure|be clear|confirm)\b[^.!]*\?$"
    r"|is it (?:okay|ok|allowed|fine|possible|correct to assume)\b"
    r"|this is (?:about|for|on)\b.*\?$"
    r"|you(?:'re| are) (?:asking|talking|interested)\b.*\?$"
    r"|in terms of\b.*\?$"
    r"|(?:quick question|one question(?: first)?|when you say)\b"
    r"|(?:for )?(?:training|inference|\w+) or (?:for )?(?:training|inference|serving)\s*\?"
    r"|for \w+ or for \w+"
)

# Asks the interviewer for their own view, or for a reason or an occasion: that is about the subject, and about the
# question hardly ever.
_OF_THE_SUBJECT = re.compile(
    r"(?:what|when|where|why|how|which(?: \w+)?|who)(?: \w+)? (?:would|do|did|have|are|were|should|could) you"
    r"(?! (?:mean|have in|want|need|expect|ask|asking|refer|look|looking|like (?:me|it|the)|referring|say"
    r"|prefer (?:me|i|that)|think of"
    r"|after|measur|count|defin))"
    r"|(?:do|did|have|would|are) you (?:(?:guys|all|personally|actually|usually|ever|yourself) )*"
    r"(?:use|used|see|seen|run|tried|try|prefer|recommend|pick|choose|believe|agree|like)\b(?! me)"
    r"|(?:is|are) (?:it|that|this|they|these) (?:really |actually |usually )*(?:normal|common|usual|typical|true|really"
    r"|better|safe|standard)\b|(?:do|does|did) (?:companies|people|teams|engineers|everybody|everyone|most)\b"
    r"|why\b|when (?:would|do|does|is|are|should|might|can|will)\b|how come\b|where (?:would|do|does"
    r"|is) \w+ (?:use|come)\b"
)

# Questions that a person asks of the matter and answers themself, or guesses put as questions.
_RHETORICAL = re.compile(r"\?\s*\w")
_TRAILS_OFF = re.compile(
    r"(?:\.\.\.|\b(?:let me (?:think|see)|u+h+m*|u+m+|h+m+|what was it|where was i))(?:[ ,.]*(?:wait|so"
    r"|and|hmm))*[ .,?]*$"
)


_HESITATION = r"(?:(?:u+h+m*|u+m+|h+m+|oh|well|so|okay|ok|right|sorry|wait|and|but)[ ,.]*)*"
_BEFORE_THE_ANSWER = (
    r"before i (?:answer|start|begin|dive in|go (?:on|ahead)|get into it)"
    r"|(?:just )?to (?:be (?:sure|clear)|clarify|confirm|check)"
)

_ANNOUNCES_A_QUESTION = re.compile(
    rf"^{_HESITATION}(?:{_BEFORE_THE_ANSWER}|(?:just )?(?:a|one) (?:quick )?question|quick question"
    r"|(?:can|may|could) i (?:just )?(?:ask|check)|let me (?:just )?(?:make sure|clarify|ask))\b[^.!]*\?$"
)


_ANNOUNCEMENT = re.compile(
    r"(?!.*\b(?:would|will|could|should|i'd|i'll)\b)"
    rf"{_HESITATION}(?:{_BEFORE_THE_ANSWER}|(?:(?:just )?(?:an?|one) )?(?:quick |short )?(?:question|clarification)"
    r"|(?:let me|i (?:just )?(?:want|need|have) to) (?:just )?(?:make sure|be sure|check|clarify|ask)"
    r")\b[^.?!]{0,60}[.!:]?"
)
"""A sentence that only says that a question follows; recognition ends it with a period."""


def _announced(said: str) -> bool:
    """Whether questions, and nothing else, follow on a sentence that announces them."""
    first, *rest = sentences(said)
    return bool(rest) and all(each.endswith("?") for each in rest) and _ANNOUNCEMENT.fullmatch(first) is not None


def _asks_back(said: str, count: int) -> bool:
    """Whether it asks what the question means; a person's own guess put as a question does not."""
    asked = _without_wish_to_wait(_CUT_IN_TWO.sub(r"\1 \2?", without_assumption(said)))
    if asked != said:
        said, count = asked, len(asked.split())
    if count <= LONGEST and (
        _ANNOUNCES_A_QUESTION.match(said) or _announced(said) or (said.endswith("?") and asked_in(said))
    ):
        return True
    if count > LONGEST_QUESTION:
        return False
    bare = _led_in(said)
    if _echoes(bare):
        return True
    return bool(_ASKS_BACK.match(bare)) and (bare.endswith("?") or not _RHETORICAL.search(bare))


def _echoes(bare: str) -> bool:
    """Whether it is one question that says the interviewer's words again and asks what is meant by them."""
    single = bare.endswith("?") and not re.search(r"[.?!]", bare[:-1])
    return single and _OF_WHICH.search(bare) is not None and _GUESSES.search(bare) is None


_OF_WHICH = re.compile(
    r"\b(?:on|of|in|for|with|at|by|from|to|as|than) "
    r"(?:what (?:kind|sort|type|size|scale|sense|way|respect)|which|how (?:much|many|long|far))\b"
)
_GUESSES = re.compile(r"\b(?:depends?|i(?: would|'d|'ll)? (?:say|think|guess|take|use))\b")


_CUT_IN_TWO = re.compile(r"\b(want|mean|or|about|prefer|like|with|for)\? (?:u+h+m*,? |u+m+,? )?([^.?!]{2,80})[.?]?$")
"""A question that recognition ended too early."""


def _without_wish_to_wait(said: str) -> str:
    """A question without the wish for a moment that stands before it."""
    first, *rest = sentences(said)
    return " ".join(rest) if rest and _request(first) in {Intent.WAIT, Intent.THINKING} else said


_LEAD_IN = re.compile(
    r"^(?:(?:u+h+m*|u+m+|h+m+|e+r+m*|a+h+|oh|well|so|okay|ok|right|yes|yeah|and|but|sorry|hey|thanks|thank you"
    r"|actually"
    r"|honestly|maybe|just|wait|hold on|hang on|hmm|like|quick question|one question|before i (?:answer|start)"
    r"|first|also"
    r"|by the way|out of curiosity|can i ask|may i ask|just to be (?:sure|clear))\b[\s:,.]*)+"
)


def _led_in(said: str) -> str:
    """A question without what leads up to it."""
    return _LEAD_IN.sub("", f"{said.strip()} ").strip(" ,")


def comes_back_to_part(text: str) -> bool:
    """Whether somebody says within an answer that they want to come back to a part of it."""
    return _PART_LATER.search(plain(text)) is not None


_PART_LATER = re.compile(
    r"\b(?:can|could|may) (?:we|i) (?:please |maybe |perhaps )*(?:come|get|go|circle) back to (?:that|it|this)\b"
    r"[^.?!]{0,20}\b(?:later|after (?:this|that)|afterwards|at the end|in a (?:minute|moment|bit))\b"
)

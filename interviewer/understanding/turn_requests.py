"""Reads a turn that no rule for one wish knows: one of several sentences, and one in which somebody thinks aloud. Pure.

A turn of two or three sentences is a request where each of them asks, or says why it is asked; it stays an answer as
soon as a single one states anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from interviewer.text import plain, sentences
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import has_content

LONGEST = 60
"""Words of the longest turn that is read by its sentences."""

_ASKS = (Intent.HINT, Intent.REPEAT, Intent.CLARIFICATION, Intent.QUESTION)
"""What a turn can ask for, what is likelier meant first: who asks for a hint says on what."""

_BESIDE = {*_ASKS, Intent.THINKING}
"""What a sentence can be that states nothing."""

_WHY_IT_IS_ASKED = re.compile(
    r"\W*(?:(?:so|and|but|because|sorry|um+|uh+|well|okay),? )*"
    r"(?:i(?:'m| am)? (?:just |only |really )*(?:asking|not (?:\w+ )?sure|unsure|want(?:ed)? to|need to|would like to|"
    r"don't want to|wanna)|i'd (?:just |only )?(?:like|want) to|just (?:want|need|checking|to)|to be sure"
    r"|(?:so )?that i)\b"
    r".*\b(?:you mean|you meant|you want|you're after|you are after|assum\w+|answer\w*|which (?:one|way|of)|"
    r"misunderst\w+|the wrong|the right|know|clear|sure|off track|same page|focus)\b",
    re.IGNORECASE,
)

_ASKED_BECAUSE = re.compile(
    r"\W*(?:i(?:'m| am) (?:just |only )?asking|i(?: just| only)? ask) (?:because|since|as)\b", re.IGNORECASE
)
"""Says why something is asked, whatever follows."""

_EITHER = r"(?:(?:in|on|for|with|of|by|per|at|to|as) )?(?:the |an? )?[\w-]+(?: [\w-]+)?"
_ONE_OR_OTHER = re.compile(
    rf"\W*(?:(?:um+|uh+|hm+|sorry|wait|so|and|okay),? )*{_EITHER},? or {_EITHER}\s*\?", re.IGNORECASE
)
"""As in "In a or in b?"."""

_HELP = re.compile(r"\b(?:hints?|clues?|nudge|help|tips?|pointers?|push|stuck)\b", re.IGNORECASE)

_REASON = re.compile(r"\W*(?:because|since|cause|'cause)\b", re.IGNORECASE)

LONGEST_THOUGHT = 40
"""Words of the longest turn in which asking for a moment says that nothing was answered yet."""

_THINKS = re.compile(
    r"\b(?:(?:give me|just|need|i'll need|let me take) (?:a|one) (?:quick )?(?:second|sec|moment|minute|bit)\b"
    r"|(?:i (?:have to|need to|want to|would like to|must|gotta)|i'd like to|i'm (?:still )?trying to"
    r"|let me(?: just| first)*) "
    r"(?:sort (?:out|through)|figure out|think(?! back)|recall|remember|place|untangle|get (?:this|it) straight)\b)",
    re.IGNORECASE,
)


def thinks_aloud(text: str) -> bool:
    """Whether somebody ends a short turn with the wish for a moment, whatever they said before it."""
    return len(text.split()) <= LONGEST_THOUGHT and _THINKS.search(sentences(text)[-1]) is not None


_OWN_ACTION = re.compile(
    r"\b(?:i|we)(?:'d| would) (?!(?:(?:just|also|rather|really) )*(?:like|love|want|need|ask|rather|prefer|be|have"
    r"|say|know|answer|assume|guess|clarify|check|confirm|start|begin|first)\b)\w"
    r"|\b(?:i|we) (?:measured|changed|wrote|built|fixed|showed|labeled|decided|reran|rolled|trained)\b"
)


def tells_own_action(sentence: str) -> bool:
    """Whether a sentence, in lower case, tells what the person did or would do: it answers then, and asks nothing."""
    return _OWN_ACTION.search(sentence) is not None


_MOMENT = re.compile(
    r"\b(?:(?:can|could|may) (?:i|you)|let me (?:take|have)|give me|i(?:'d| would)? (?:need|like|want))\b[^.?!]{0,20}?"
    r"\b(?:a|one|two|some|half a|a few|a couple(?: of)?) (?:quick |short )?(?:seconds?|secs?|moments?|minutes?)\b"
    r"(?!-| (?:of|per|late|long|on|a|window))",
    re.IGNORECASE,
)
_LONGEST_WITH_A_MOMENT = 32


def wants_a_moment(text: str) -> bool:
    """Whether a short turn asks for a moment to think or to read, and then says nothing, or asks something else.

    Unlike ``thinks_aloud`` it counts for turns that are taken for a question as well.
    """
    parts = sentences(text)
    at = next((place for place, part in enumerate(parts) if _MOMENT.search(part)), None)
    short = len(text.split()) <= _LONGEST_WITH_A_MOMENT
    return at is not None and short and all(part.endswith("?") for part in parts[at + 1 :])


_MEANT = re.compile(
    r"^(?!.*\bor (?:do|did) you\b).*?\b(?:you (?:do |really |actually )*(?:mean|meant)|so (?:that )?i understand)\b"
    r"[^?]*\?\W*$",
    re.IGNORECASE,
)
LONGEST_MEANT = 30
"""Words of the longest turn that asks whether something was meant."""

_MAY_I = re.compile(
    r"(?:.*?[,;] )?(?:(?:so|but|and|okay|well|sorry|hm+|um+|uh+|wait)[, ]+)*(?:before i \w+[^,?]*, )?"
    r"(?:(?:can|could|may|should|shall) i (?:still |just |maybe |quickly |also )*(?:first )?"
    r"|(?:is|would) it (?:be )?(?:fine|okay|ok|alright|all right) if i (?:first )?)"
    r"(?:give|add|sketch|show|draw|explain|walk|lay out|describe|ask|start (?:with|by)|come (?:back )?to|talk|tell"
    r"|answer|finish)\b"
    r"[^?]*\?\W*",
    re.IGNORECASE,
)
_WOULD_RATHER = re.compile(
    r"\W*(?:(?:so|but|and|okay|well|sorry|no)[, ]+)*i(?:'d| would) (?:rather|like to|love to|prefer to) (?:talk about"
    r"|go on (?:with|to)|cover|get to|go into) (?!(?:something|anything) else|another|an?other|a different|the next"
    r"|the last|the first|question)[^.?!]{2,60}\W*",
    re.IGNORECASE,
)
"""Says what the person would go on with."""
_NOT_YET = re.compile(
    r"\W*(?:(?:i|we)(?:'d|'ve)? (?:still |really |just |only )*"
    r"(?:haven't|have not|hadn't|didn't|have|had|asked|wanted|meant)\b"
    r"|(?:[\w ]{1,16}, )?you(?:'d| had|'ve)? (?:just |also )?asked\b[^.?!]*\bi (?:never|didn't|haven't|hadn't)\b)",
    re.IGNORECASE,
)


def ends_with_request(text: str, found: Intent, read: Callable[[str], Intent]) -> Intent:
    """What a turn wants: its last sentence tells the wish for a hint, or to put something off, from what is near them.

    Whoever says what they thought of, and then asks for a nudge on it, asks nothing about the task; and to come back to
    something later is not to go back to what was left.

    Args:
        text: what was said.
        found: what the whole was taken for.
        read: what one sentence wants.

    """
    if len(text.split()) > LONGEST_THOUGHT or found not in _TAKEN_FOR:
        return found
    if _MEANS_A_HINT.search(text) and found is not Intent.RETURN:
        return Intent.HINT
    last = read(sentences(text)[-1])
    return last if last in _TAKEN_FOR[found] else found


_TAKEN_FOR: dict[Intent, set[Intent]] = {
    Intent.ANSWER: set(),
    Intent.CLARIFICATION: {Intent.HINT, Intent.SKIP},
    Intent.QUESTION: {Intent.HINT, Intent.SKIP},
    Intent.CHECK: {Intent.SKIP},
    Intent.RETURN: {Intent.LATER},
}
_MEANS_A_HINT = re.compile(
    r"\bi (?:just |only |really )?(?:mean|meant|want|wanted|need|asked for|was asking for) (?:a|an|some|another)"
    r" (?:(?:small|little) )?(?:hint|nudge|clue|tip)\b"
    r"|(?:^|[.?!] )(?:can|could) you (?:maybe |please )?point me in (?:a|the|some)(?: right)? direction\b[^.!]*\?",
    re.IGNORECASE,
)
_TO_BE_SURE = re.compile(
    r"\W*(?:(?:so|and|but|okay|sorry|wait|hm+|um+|uh+|well)\b[, ]*)*"
    r"(?:just )?(?:so (?:that )?i (?:get|understand|have|read)\b|to (?:be sure|make sure|check|clarify|confirm)\b)"
    r"[^?:]{0,40}?[:,] ?[^?]*\?\W*",
    re.IGNORECASE,
)
"""As in "Just so I get you right: is it the one or the other?"."""


_SORRY_WHICH = re.compile(
    r"\bsorry,? (?:but )?(?:which|what|how|in what)(?: \w+){0,3} exactly\b|\bsorry,? (?:which|what) (?:way|one|of)\b",
    re.IGNORECASE,
)
"""Asks what was meant, however recognition ends it."""


def asks_what_was_meant(text: str) -> bool:
    """Whether a short turn ends by asking whether something was meant: "by that you mean the network of cables?"."""
    *before, last = sentences(text)
    if len(text.split()) <= LONGEST_MEANT and _SORRY_WHICH.search(last):
        return True
    if not before and len(text.split()) <= LONGEST_THOUGHT and _TO_BE_SURE.fullmatch(text):
        return True
    return len(text.split()) <= LONGEST_MEANT and not any(map(has_content, before)) and _MEANT.search(last) is not None


def asks_leave_to_go_on(text: str) -> bool:
    """Whether somebody asks no more than whether they may tell something first, or ask it later."""
    parts = [each.strip() for each in sentences(text)]
    if len(parts) == 1 and _WOULD_RATHER.fullmatch(text):
        return True
    if len(text.split()) > LONGEST_THOUGHT or not any(map(_MAY_I.fullmatch, parts)):
        return False
    return all(_MAY_I.fullmatch(each) or _NOT_YET.match(each) or _THINKS.search(each) for each in parts)


def request_by_sentences(text: str, read: Callable[[str], Intent]) -> Intent | None:
    """What a turn asks for; ``None`` where one of its sentences is part of an answer, or it is too long.

    Args:
        text: what was said, taken for an answer as a whole.
        read: what one sentence wants.

    """
    parts = [each.strip() for each in sentences(text)]
    if len(text.split()) > LONGEST:
        return None
    if _ONE_OR_OTHER.fullmatch(parts[0]) and all(map(_says_why, parts[1:])):
        return Intent.CLARIFICATION
    asked = [part for part in parts if not _WHY_IT_IS_ASKED.match(part) and not _ASKED_BECAUSE.match(part)]
    wanted = {intent for part in asked if (intent := _of(part, read)) is not Intent.ANSWER or has_content(part)}
    return next((each for each in _ASKS if each in wanted), None) if len(parts) > 1 and wanted <= _BESIDE else None


_FRAGMENT = re.compile(
    r"\W*(?:(?:and|or|but|so|oh|also)\b[, ]*)*(?:the|which|what|how|when|where|this|that)\b[^?]*\?", re.IGNORECASE
)
_LONGEST_FRAGMENT = 6
"""Words of a question without a verb, as in "And the time?"."""

_ASKS_YES_OR_NO = re.compile(
    r"\W*(?:(?:so|and|but|okay|ok|sorry|wait|hm+|um+|uh+|well|quick question|one question|(?:just )?to be sure)\b"
    r"[,:. ]*)*(?:am|is|are|was|were|do|does|did|can|may|should|shall|must|will)\b"
    r"(?! (?:you|that|this|it) (?:see|know|right))[^?]*\?",
    re.IGNORECASE,
)
_HANGS_ON_IT = re.compile(
    r"\W*(?:(?:since|because|and|as|so)\b[, ]*)?(?:it|that|this)(?:'d| would|'ll| will| can| could)? "
    r"(?:really |completely |just )*(?:changes?|matters?|decides?|makes? (?:a|some|all) |determines?|affects?)\b",
    re.IGNORECASE,
)
"""Says what hangs on the answer to what was asked."""
_MOST_BESIDE = 14
"""Words behind a question that only say why it is asked."""


def asks_first(text: str) -> bool:
    """Whether a turn asks for a fact of the task, and behind it only says what hangs on it.

    As in "Is that per direction, or both together? It changes the answer by a factor of two."
    """
    first, *rest = (each.strip() for each in sentences(text))
    behind = sum(len(each.split()) for each in rest)
    asks = _ASKS_YES_OR_NO.fullmatch(first) is not None and len(first.split()) <= LONGEST_MEANT
    return asks and 0 < behind <= _MOST_BESIDE and all(_HANGS_ON_IT.match(each) or _AND.match(each) for each in rest)


_AND = re.compile(r"(?:and|or) (?:which|what|how) \w+(?: \w+){0,4}\W*$", re.IGNORECASE)
"""Asks for one thing more, without a verb: "And which version"."""


_WHICH_RATHER = re.compile(
    r"\b(?:which|what)(?: (?:one|story|example|project|of (?:them|these|those|the two)))? "
    r"(?:(?:would|do|should) (?:you|i)) (?:rather |like to |want to |prefer to |better )?"
    r"(?:hear|prefer|like|want|rather|tell|take|talk about|pick|start with)\b[^.?!]*\?\W*$"
    r"|\bwould you (?:rather|prefer(?: to)?|like to) (?:hear|have|see|talk about)\b[^.?!]*\bor\b[^.?!]*\?\W*$",
    re.IGNORECASE,
)


def asks_which_rather(text: str) -> bool:
    """Whether a short turn ends by asking which of the things that it names the interviewer would rather hear."""
    return len(text.split()) <= LONGEST_THOUGHT and _WHICH_RATHER.search(sentences(text)[-1]) is not None


def _of(sentence: str, read: Callable[[str], Intent]) -> Intent:
    intent = read(sentence)
    if intent is Intent.ANSWER and len(sentence.split()) <= _LONGEST_FRAGMENT and _FRAGMENT.fullmatch(sentence):
        return Intent.CLARIFICATION
    return Intent.CLARIFICATION if intent is Intent.HINT and not _HELP.search(sentence) else intent


def _says_why(sentence: str) -> bool:
    return bool(_REASON.match(sentence) or _WHY_IT_IS_ASKED.match(sentence))


_LONGEST_WISH = 40
_MOST_BESIDE_A_WISH = 16


class _Wish(NamedTuple):
    """A wish that stands among other words.

    Attributes:
        intent: what is wanted.
        form: matches a sentence that says so.
        most_beside: words beside that sentence: with more it is an answer that ends with it.
        last: whether only questions may come after it: what is stated there is an answer.
        reason: what else may, as it only says why.

    """

    intent: Intent
    form: re.Pattern[str]
    most_beside: int = _MOST_BESIDE_A_WISH
    last: bool = False
    reason: re.Pattern[str] | None = None

    def may_end(self, after: Sequence[str]) -> bool:
        """Whether these sentences may come after it."""
        return not self.last or all(
            part.endswith("?") or (self.reason is not None and self.reason.search(part)) for part in after
        )


_LOST = re.compile(
    r"\bi (?:don't|do not|didn't|did not|can't|couldn't)(?: \w+){0,2} (?:follow|understand|get)"
    r"(?: (?:it|that|this|you))?\W*$"
)
"""Says why the question is to be put in other words, and states nothing."""

_WISHES = (
    _Wish(
        Intent.LATER,
        re.compile(
            r"\b(?:can|could|may) i (?:say|answer|do|tell|talk)\b[^.?!]{0,40}\bat the end\b"
            r"|\b(?:come|get|go|circle) back to (?:this|that|it)\b(?: one| question)?[^.?!]{0,30}"
            r"\b(?:at the (?:very )?end|later|afterwards?|after (?:that|the))\b"
        ),
    ),
    _Wish(
        Intent.RETURN,
        re.compile(
            r"\b(?:can|could|may|shall) (?:we|i) (?:please |just |quickly )*(?:come|get|go|jump|step) back to"
            r" (?:that|it|the (?:last|previous) one)\b[^.?!]{0,40}\b(?:first|before (?:this|that|we)"
            r"|for (?:a|one) (?:second|moment|minute|bit))\b"
        ),
        most_beside=24,
        last=True,
    ),
    _Wish(
        Intent.RESUME,
        re.compile(
            r"\b(?<!if )(?<!because )(?<!that )(?<!since )(?<!as )i ha(?:ve|d)(?:n't| not)(?: even| yet| really)* "
            r"(?:answered|started|begun|said anything)"
            r"(?: (?:it|that|this|yet|(?:the|your) question)){0,3}(?: (?:about|on) [\w -]{2,40})?(?:[,;.!?]|$)"
            r"|\b(?:can|could|may) i (?:please |just |first )*(?:answer|finish) (?:that|this|it)\b"
        ),
        most_beside=24,
        last=True,
    ),
    _Wish(
        Intent.HINT,
        re.compile(
            r"\b(?:(?:can|could|may|might) (?:i|you)|would you|do you have|is there)\b[^.?!]{0,24}"
            r"\b(?:hints?|clues?|nudge|(?:a|any|some|another) pointers?)\b[^.?!]*\?"
            r"|\b(?:give me|i(?:'d| would)? (?:really |just |maybe )?(?:need|like|want)) a (?:small |little |tiny )?"
            r"(?:hint|nudge|clue)\b[^.?!]{0,20}[?.]?$"
            r"|^(?:(?:hm+|so|well|okay|sorry|um+|uh+)[, ]+)*(?:can|could|may) i (?:please |maybe )?(?:have|get)"
            r" (?:a |some |another )?(?:\w+ ){0,2}(?:of a )?(?:hint|nudge|clue)\b"
        ),
        last=True,
    ),
    _Wish(
        Intent.REPEAT,
        re.compile(
            r"\b(?:can|could|will) you (?:please |maybe |just |perhaps )*(?:say|put|phrase|ask|word|rephrase|reword"
            r"|explain)(?: (?:that|it|this|the question|your question|that one))?,? (?:in )?(?:(?:a |an|some )?"
            r"(?:different|other|simpler|another) (?:way|words)|differently|more simply)\b[^.?!]{0,30}\?"
        ),
        last=True,
        reason=_LOST,
    ),
    _Wish(
        Intent.CLARIFICATION,
        re.compile(
            r"\b(?:show|tell|give) me (?:all (?:of )?)?(?:the|any|some|your)"
            r" (?:requirements|constraints|numbers|facts)\b"
            r"|^(?:(?:so|and|but|hm+|wait|sorry|um+|uh+)[, ]+)*[\w']+(?: [\w']+){0,4} what, [^?.!]{3,60}\bor\b"
            r"[^?.!]{3,60}\?$"
        ),
    ),
    _Wish(
        Intent.SKIP,
        re.compile(
            r"\b(?:can|could|may|shall) we (?:please |just )*(?:leave|drop|swap|skip)(?: out)? (?:this|that)"
            r"(?: (?:one|question|exercise|task))?(?: out)?\b(?! (?:for|until))[^.?!]{0,20}[?.]?$"
            r"|\b(?:i(?:'d| would) (?:really |much )?(?:like|rather|prefer) (?:to )?|let's |let us )"
            r"(?:just )?(?:skip|drop|leave out|leave) (?:this|the) (?:whole )?(?:one|question|exercise|task)"
            r"(?: out)?(?:,? (?:if|please|for (?:now|today)|then|since|because)\b[^.?!]{0,40})?[.]?$"
            r"|^(?:(?:hm+|so|well|okay|honestly|sorry|actually|um+|uh+)[, ]+)*i(?:'d| would) (?:really |much )?"
            r"(?:like to|rather|prefer to) skip that (?:one|question)"
            r"(?:,? (?:if|please|for now|then)\b[^.?!]{0,40})?[.]?$"
            r"|\bi(?:'d| would) skip (?:this|that)(?: one)?,? and (?:go|move) on,? if (?:that|it)(?:'s| is)"
            r" (?:okay|ok|fine|all right)\b[^.?!]{0,20}[.]?$"
        ),
    ),
)
"""Wishes that stand among other words of a short turn."""


def wish(text: str) -> Intent | None:
    """The wish that a short turn holds beside other words: to come back later, to answer first, or for a hint."""
    parts = sentences(plain(text))
    count = sum(len(part.split()) for part in parts)
    if count > _LONGEST_WISH:
        return None

    def stands(each: _Wish, place: int) -> bool:
        short = count - len(parts[place].split()) <= each.most_beside
        return short and each.form.search(parts[place]) is not None and each.may_end(parts[place + 1 :])

    return next((each.intent for each in _WISHES for place in range(len(parts)) if stands(each, place)), None)


def puts_off(text: str) -> bool:
    """Whether a turn does no more than ask to come back later to what was asked last."""
    parts = sentences(plain(text))
    found = [(part, match) for part in parts if (match := _PUTS_OFF.search(part)) is not None]
    if not found or sum(len(part.split()) for part in parts) > _LONGEST_WISH:
        return False
    ends = all(_NO_MORE.fullmatch(part[match.end() :]) or finishes_first(part[match.end() :]) for part, match in found)
    long = (part for part in parts if len(part.split()) > _MERE_REMARK)
    rest = [part for part in long if not any(each.search(part) for each in (_PUTS_OFF, _MEANWHILE, _ASKS_MEANWHILE))]
    return ends and not has_content(" ".join(rest))


def finishes_first(text: str) -> bool:
    """Whether somebody who puts something off says that they want to say something else before it."""
    return _FINISHES_FIRST.search(plain(text)) is not None


_MERE_REMARK = 5
_THAT = r"(?:that|this|it|your question|the question)(?: one)?"
_PUTS_OFF = re.compile(
    r"\b(?:let me|let's|let us|i(?:'ll| will)|i'd (?:like|prefer|rather)(?: to)?|(?:can|could|may) (?:i|we)"
    rf"|mind if i)\b[^.?!:]{{0,20}}\b(?:(?:come|get|go|circle) back to {_THAT}\b(?: again)?"
    rf"|(?:park|shelve|postpone) {_THAT}\b|put {_THAT} (?:aside|off|on hold)\b"
    r"|(?:take|answer) (?:that|this) one (?=later))"
)
_NO_MORE = re.compile(
    r"(?:[ ,]*(?:please|then|okay|if (?:that's|it's|that is|it is|you don't mind|possible|i may)[^,.;:?!]{0,20}"
    r"|for (?:now|a (?:moment|minute|second|bit))|(?:a (?:bit|little) )?later(?: on)?|afterwards?|at the (?:very )?end"
    r"|in a (?:minute|moment|second|sec|bit)|after (?:this|that)|and (?:come|get|go) back to (?:it|that|this)"
    r"|(?:when|once) (?:i|we)(?:'ve| have) [^,.;:?!]{3,30}))*\W*"
)
"""What may stand behind such a wish: when, and that it would be nice."""
_ASKS_MEANWHILE = re.compile(
    r"^\W*(?:i(?:'d| would) (?:rather|like to) |(?:can|could|may) i )(?:first )?ask you\b[^.!]*\?"
)
_MEANWHILE = re.compile(r"\b(?:ask me (?:something|anything) else|meantime|meanwhile|something else first)\b")
_FINISHES_FIRST = re.compile(
    r"\b(?:finish|complete|wrap up|get through)\b[^.?!]{0,40}\bfirst\b"
    r"|\b(?:first|before that|before i do)\b[^.?!]{0,20}\b(?:finish|complete|wrap up|get through)\b"
    r"|\b(?:first|before that)\b[^.?!]{0,20}\b(?:add|say) (?:something|one (?:more )?thing|what i)\b"
)

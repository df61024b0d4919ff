"""What an answer ends with beside the answer: a question to the interviewer, an offer to go on, a wish to be done.

Pure rules. Whoever listens takes such words up; the answer itself stays an answer.
"""

from __future__ import annotations

import re
from enum import StrEnum

from interviewer.text import plain, sentences
from serving.frozen import FrozenModel

FEWEST_WORDS = 10
"""Words of the answer before: what is shorter is a request alone, and read by the rules for those."""

_LONGEST = 32
"""Words of the longest question that is taken up."""


class Closing(StrEnum):
    """What an answer ends with."""

    CHECK = "check"
    """Asks whether the interviewer can follow, or has what they wanted."""
    MEANT = "meant"
    """Asks whether something else was meant."""
    OFFER = "offer"
    """Asks whether to go on to something."""
    HELP = "help"
    """Asks for a hint on what is missing."""
    EXAMPLE = "example"
    """Asks for an example."""
    SUBJECT = "subject"
    """Asks about the subject itself."""
    WRONG = "wrong"
    """Asks what of it is wrong, or why."""
    ENOUGH = "enough"
    """Asks whether it goes deep enough."""
    TRICK = "trick"
    """Asks whether the question is a trap."""
    MEANING = "meaning"
    """Asks what the interviewer meant by their words."""
    LATER = "later"
    """Wants to come back to a part of it later."""
    VIEW = "view"
    """Asks what the interviewer does or knows of themselves."""
    CASE = "case"
    """Asks for a fact of the case that the question is about."""
    TASK = "task"
    """Asks how something in the task is to be."""
    TIME = "time"
    """Asks how much time is left."""
    FOLLOW_UPS = "follow-ups"
    """Asks how many follow-ups are left."""
    DONE = "done"
    """Says that the question is finished with."""
    OPINION = "opinion"
    """Asks for the interviewer's opinion."""
    TERM = "term"
    """Asks what a term means."""
    FORMAT = "format"
    """Asks how the interview works."""
    FLOOR = "floor"
    """Wants to go on speaking after a moment, or to say something else first."""
    REMARK = "remark"
    """Says something about the question, or about themselves, that is no part of an answer."""


class ClosingRequest(FrozenModel):
    """What an answer ends with.

    Attributes:
        kind: which it is.
        words: as they were said.

    """

    kind: Closing
    words: str


_DONE = r"(?:i(?:'m| am)(?: i(?:'m| am))? (?:all )?(?:done|finished) with (?:this|that|it)(?: (?:one|question))?)"
_ALL = (
    r"(?:that(?:'s| is) (?:it|all)|this is (?:it|all))"
    r" (?:from (?:me|my side)|(?:that )?i (?:have|know|had|can say|wanted to say))"
    r"(?: (?:on|for) (?:this|that)(?: (?:one|question))?)?"
)
_TIME_LEFT = (
    r"(?:(?:how (?:much (?:more |of (?:our|the|my|your) )?time|many (?:more )?(?:minutes|questions)|long)\b"
    r"[^.?!]{0,30}?\b(?:left|remain\w*|have|got|to go)"
    r"|(?:what's|what is|how's|how is|how are we (?:doing )?(?:on|for)) (?:the |my |our )?(?:remaining )?time(?: left)?"
    r"(?! (?:t|steps?|complexity|series|axis|dimension|constant|per|to first|drawn|sampled|embedd\w*|encod\w*|spent)\b)"
    r"|is there (?:any |enough |much |still )*time left"
    r"|(?:do we|have we)(?: still| got| have)* (?:any |enough |some )*time)\b[^.?!]{0,80})"
)
_FOLLOW_UPS_LEFT = r"how many (?:more )?follow-? ?ups?(?: questions)?\b[^.?!]{0,60}"
_END = r"(?:,? (?:so far|to you|please|though|or (?:not|what)|at all|i (?:think|guess)|now|then))*\W*$"
_ADDRESSED: tuple[tuple[Closing, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:^|[\s,.;:?!])(?:(?:so|and|or|but|uh+m*|um+|hm+|well"
    rf"|please)[ ,]+)*({said}){_END}", re.IGNORECASE))
    for kind, said in (
        (
            Closing.DONE,
            rf"{_DONE}|(?:moving on|let's move on|next question|that's my (?:final )?answer(?! so far)|{_ALL})",
        ),
        (Closing.TIME, _TIME_LEFT),
        (Closing.FOLLOW_UPS, _FOLLOW_UPS_LEFT),
        (
            Closing.WRONG,
            r"(?:(?:which|what)(?: (?:part|bit|half|point|one|sentence|piece|claim|of (?:it|that|those|them"
            r"|the two)))?"
            r"(?: of (?:it|that|what i said|my answer))?"
            r" (?:(?:do|did) you (?:think |believe |say |find |mean )?|would you say |exactly |are you |is |was "
            r"|isn't |seems )"
            r"[^.?!]{0,24}?\b(?:wrong|incorrect|mistaken|not right|not true|false|disagree\w*|doubt\w*|object\w*"
            r"|off)\b"
            r"[^.?!]{0,90}"
            r"|what(?:'s| is| was)(?: exactly)? wrong (?:with|about|in|there)[^.?!]{0,40}"
            r"|what did i get wrong[^.?!]{0,30}"
            r"|where (?:exactly )?(?:am i|was i|did i go|is (?:my|the) (?:mistake|error))(?: exactly)?(?: wrong)?"
            r"|why (?:is|was) (?:that|this|it) (?:wrong|not right|incorrect)"
            r"|why (?:wouldn't|doesn't|won't|shouldn't|would|should) (?:it|that|this)(?: not)? (?:hold|work|be (?:true"
            r"|right|so))\b[^.?!]{0,40}"
            r"|(?:do|did) you (?:think|mean|say) (?:that )?(?:that|it|this|i)(?:'s| is| was|'m| am) (?:wrong"
            r"|not right|incorrect)"
            r"|(?:with )?(?:what|which (?:part|bit|half|point|one|sentence))"
            r" (?:do you not|(?:don't|didn't|wouldn't) you)"
            r" (?:agree|like|believe)\b[^.?!]{0,30}"
            r"|(?:what|where|how|which (?:part|bit|half|point|one|sentence)) (?:exactly )?(?:do|did|would) you (?:see"
            r" (?:it |that |this )?differently|disagree)\b[^.?!]{0,40}"
            r"|why (?:don't you|do you not) (?:agree|believe|see it)\b[^.?!]{0,40})",
        ),
        (
            Closing.TRICK,
            r"(?:is|was) (?:this|that|it) (?:(?:a|some|kind of|sort of|one of those) )*(?:trick|trap"
            r"|catch)(?: questions?)?"
            r"|is there (?:a|some) (?:trick|catch|trap)(?: in (?:it|that|this|there|the question))?"
            r"|are you (?:trying to )?(?:trick|tricking|test|testing) me",
        ),
        (
            Closing.ENOUGH,
            r"(?:is|was|would) (?:that|this|it)(?: be)? (?:(?:deep|detailed|precise|concrete|specific|long|far"
            r"|technical|much"
            r"|thorough|exact) enough|enough (?:detail|depth|for)|(?:the|at the) (?:right )?(?:level|depth|amount"
            r"|kind)\b"
            r"|too (?:much|long|detailed|short|shallow|deep|little|general|vague))[^.?!]{0,50}"
            r"|(?:is|was) (?:that|this|it) the (?:sort|kind) of (?:depth|detail)[^.?!]{0,30}"
            r"|(?:is|was) (?:that|this|it) (?:al(?:l )?right|okay|ok|fine|good|enough),? or (?:do|would|should|shall)\b"
            r"[^.?!]{0,80}"
            r"|(?:would|will|do|can|could) you (?:accept (?:that|this|it)\b|count (?:that|this|it) as)[^.?!]{0,80}"
            r"|(?:does|did) (?:that|this|it) (?:answer|cover) (?:it|that|your question),? or (?:do|should|did)\b[^?]*"
            r"|(?:can|may|could) i (?:assume|take it) (?:that )?you (?:don't|do not|won't) (?:want|need|expect)"
            r"[^.?!]{0,90}"
            r"|(?:do|would|did) you (?:need|want|like) (?:more|less)(?: (?:detail|details|depth))?[^.?!]{0,30}",
        ),
        (
            Closing.LATER,
            r"(?:(?:can|could|may|shall|should|might) (?:we|i|you)|let's|let us|i(?:'d| would) (?:like|love"
            r"|prefer) to|i want to)"
            r" (?:(?:maybe|perhaps|please|also|then|just|possibly) )*"
            r"(?:(?:come|go|get|circle|return) (?:back )?to|talk (?:more )?about|discuss|do|add|explain|finish)"
            r" [^.?!]{2,50}? (?:later|afterwards?|at the end|in the end|another time|in a (?:moment|minute|bit))"
            r"(?:,? (?:on|again|in the interview|if (?:there's|there is|we have|i have) time))*",
        ),
        (
            Closing.MEANING,
            r"(?:what (?:exactly )?(?:do|did) you mean\b|what(?:'s| is| was) meant by\b"
            r"|how do you mean\b)[^.?!]{0,90}",
        ),
        (
            Closing.HELP,
            r"(?:(?:can|could|may|might) (?:i|you)|i(?:'d| would) (?:like|take|need)|i (?:want|need)|do you have)"
            r"[^.?!]{0,24}\b(?:hints?|clues?|pointers?|nudge)\b[^.?!]{0,60}",
        ),
        (
            Closing.EXAMPLE,
            r"(?:(?:can|could|would|will) you (?:please |maybe )?give me|(?:can|could|may) i have|do you have)"
            r" (?:an?|some|one|another) (?:\w+ )?examples?\b[^.?!]{0,80}",
        ),
        (
            Closing.OFFER,
            r"(?:should|shall|could|can|may) i (?:also |just |maybe |then |quickly |still )*"
            r"(?:go (?:in ?to|on|over|deeper|through|further)|talk (?:about|more)|cover|mention|explain|describe"
            r"|expand"
            r"|elaborate|keep going|say (?:more|something)|tell you|walk you|continue|start with|get into"
            r"|(?:add|correct) (?:one|a|another|some)(?: \w+)?)\b[^.?!]{0,90}"
            r"|i(?:'d| would) (?:rather|like to|love to|prefer to) (?:talk about|go on (?:with|to)|cover|get to"
            r"|go into) (?!(?:something|anything) else|another|an?other|a different|the next)[^.?!]{2,60}"
            r"|is there (?:anything|something|more) (?:about|on|in)\b[^.?!]{2,60}\byou(?:'d| would)? (?:want"
            r"|like)\b[^.?!]{0,20}"
            r"|(?:may|can|should|shall) i (?:still |now |just )*(?:change|fix|mend|correct|rewrite|resubmit|run)"
            r" (?:it|that|this|the)\b[^.?!]{0,40}"
            r"|(?<!what )(?:do|would) you (?:want|like) (?:me to|to (?:hear|know|see))\b[^.?!]{0,90}"
            r"|(?:(?<![a-z] )do you |(?<![a-z] )would you |(?<![a-z] ))(?:also )?(?:want|need) (?:an?|some|the|another)"
            r" (?:\w+ )?(?:examples?|numbers?|names?|results?|outcome|sketch|story|rest|end|code)\b"
            r"(?! (?:per|of|for|with)\b)[^.?!]{0,50}(?=\?)",
        ),
        (
            Closing.MEANT,
            r"(?:is there (?:something|anything|a|some)\b[^.?!]{0,40}\byou(?:'re|r| are| were) (?:getting at|after"
            r"|looking for|thinking of)"
            r"|is (?:the|your|this) question (?:about|on|aimed at)|(?:do|did) you (?:mean|want|have in mind)"
            r"|were you (?:asking|thinking|after)|are you (?:asking|thinking)"
            r"|you mean(?:t)?)\b[^.?!]{0,90}",
        ),
        (
            Closing.CHECK,
            r"(?:(?:does|did|do) (?:that|this|it|all that)(?: all)? (?:make (?:any )?sense"
            r"|go in the (?:right )?direction[^.?!]{0,30}|answer (?:it|that"
            r"|your question"
            r"|the question)|help|work for you|cover (?:it|that|everything|what you (?:wanted|asked|were after)))"
            r"|(?:is|was) (?:it|that) (?:wrong|right|correct|bad)[, ]+what i (?:said|did|answered)"
            r"|(?:is|was) what i (?:said|answered) (?:wrong|right|correct|okay)"
            r"|(?:is|was) (?:that|this|it) (?:about |roughly |really |kind of )?(?:right|correct|okay|ok|clear|enough"
            r"|(?:what|the thing|something) (?:that )?(?:was|you(?:'re|'d|'ve| are| were| had| have| want\w*| mean\w*"
            r"| ask\w*| expect\w*| look\w*| need\w*| hop\w*| like\w*))\b[^.?!]{0,50})"
            r"|(?:did|do) (?:i|you) (?:answer (?:it|that|your question)|follow(?: me)?|get (?:that|it|what i mean))"
            r"|(?:can|could|would) you (?:tell me|say) (?:if|whether) (?:that|this|it|i)(?:'s| is| was)"
            r" (?:right|correct|okay)"
            r"|(?:did i (?:miss|forget|leave out) (?:anything|something)|is there (?:anything|something) (?:that )?i "
            r"(?:missed|forgot|left out))[^.?!]{0,20}|am i (?:right|on the right track"
            r"|making sense)|know what i mean)",
        ),
    )
)  # fmt: skip
_SUBJECT = re.compile(
    r"(?:(?:so|and|but|or|by the way|uh+m*|um+|hm+|well|actually|also|anyway)[ ,]+)*"
    r"(?:(?:do|would) you (?:happen to )?know )?"
    r"(?:(?:in |for |with |at )?(?:what|which|how|why|when|where|who)\b|(?:is|are|does|do|did|has|have|can|could"
    r"|would|will)"
    r" (?!i\b|you\b|we\b))",
    re.IGNORECASE,
)
_FINISHES = re.compile(
    rf"(?:(?:other than that|apart from that|otherwise|then|so|okay|ok|well|yeah|and|i (?:think|guess)|uh+m*|um+"
    rf"|hm+)[ ,.]+)*"
    rf"(?:{_DONE}|{_ALL}|i(?:'m| am) (?:done|finished))(?:,? (?:i (?:think|guess)|now|here|then))*\W*"
    r"(?:i (?:don't|do not) (?:know|have) (?:what|anything) (?:else|more)(?: to (?:say|add))?"
    r"|(?:i have )?nothing (?:else|more) to (?:say|add))?\W*",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:,|\bor) (?:right|no|yes|yeah|correct|okay|ok|huh|(?:is|are|does|do|was|were|would|can)(?:n't| not)? (?:it"
    r"|they|that|we|i))"
    r"\W*$",
    re.IGNORECASE,
)
_NAMES_VIEW = re.compile(
    r"(?:(?:so|and|but|or|by the way|uh+m*|um+|well|actually|also|may i ask|can i ask|out of curiosity)[ ,]+)*"
    r"(?:[\w',]+ ){0,9}?(?:(?:do|does) (?:you|your (?:team|group|company|people|lab))|have you(?: guys)?)"
    r"(?: (?:guys|folks|all|people|really|actually|personally|usually|ever|yourself|even|also|still|often))*"
    r" (?:use|used|allow|forbid|see|seen|run|prefer|like|try|tried|rely|work|deal|handle|train|serve|do|done|hit"
    r"|meet)\b",
    re.IGNORECASE,
)
_NAMES_CASE = re.compile(
    r"(?:(?:so|and|but|or|by the way|uh+m*|um+|well|actually|also|may i ask|can i ask)[ ,]+)*"
    r"(?:(?:[\w'’,“”\"-]+ ){0,9}?(?:did|have) you (?:measured?|check(?:ed)?|look(?:ed)?|test(?:ed)?|count(?:ed)?"
    r"|profiled?)\b"
    r"|(?:do|did) (?:you|we) have\b|how (?:many|much)(?: [\w-]+){1,3}? (?:do|does|did|can) (?:you|we|they|the)\b"
    r"|how (?:bad|big|large|many|much|long|fast|old|often) (?:is|are|was|were|do|does|did) (?:it|the|that|this"
    r"|your|we|you"
    r"|these|those|[“\"'‘]))",
    re.IGNORECASE,
)
_OF_A_VIEW = re.compile(r"\b(?:would|did|have|are) you\b|\bdo you (?!know|happen)", re.IGNORECASE)
"""Asks for the interviewer's own view, which no document holds."""

_NAMES_TASK = re.compile(
    r"(?:(?:so|and|but|or|by the way|uh+m*|um+|well|actually|also)[ ,]+)*"
    r"should (?:it|this|that|the|they|these|those|both|each|every|an?)\b",
    re.IGNORECASE,
)
_OTHERS = ((Closing.TASK, _NAMES_TASK), (Closing.CASE, _NAMES_CASE), (Closing.VIEW, _NAMES_VIEW))

_CODE = re.compile(r"```|\n\s*\n\s*\S+.*[=({]")


_ASKED_ALONE = frozenset(
    {Closing.TIME, Closing.FOLLOW_UPS, Closing.WRONG, Closing.TRICK, Closing.ENOUGH, Closing.MEANING}
)
"""Kinds whose words within a statement ask nothing."""


def alone(text: str) -> Closing | None:
    """Which of the short questions that make sense only now an utterance is; ``None`` where it is none of them.

    Args:
        text: what was said.

    """
    said = " ".join(text.replace("’", "'").split())
    if len(said.split()) > _LONGEST or _CODE.search(text):
        return None
    kinds = {Closing.WRONG, Closing.TRICK}
    lead = r"(?:(?:so|and|but|oh|okay|ok|hm+|sorry|wait|uh+m*|um+|well|interesting|really)[ ,.?]+)*"
    return next(
        (
            kind
            for kind, form in _ADDRESSED
            if kind in kinds
            and (found := form.search(said))
            and re.fullmatch(lead, said[: found.start(1)], re.IGNORECASE)
        ),
        None,
    )


def objects(text: str) -> bool:
    """Whether a turn begins by asking what of an answer is wrong, and goes on.

    Args:
        text: what was said.

    """
    said = " ".join(text.replace("’", "'").split())
    first, *rest = sentences(said)
    # "Hm. What do you see differently?"
    if rest and len(first.split()) <= _MERE_LEAD:
        first, *rest = [f"{first} {rest[0]}", *rest[1:]]
    return bool(rest) and alone(first) is Closing.WRONG


_MERE_LEAD = 2


def asks_for_time(text: str) -> bool:
    """Whether a turn ends by asking how much time, or how much else, is left.

    Args:
        text: what was said.

    """
    return asks_for_follow_ups(text) or _FOR_TIME.search(without_reason(text)[-1]) is not None


def without_reason(text: str) -> list[str]:
    """The sentences of a turn, in lower case, without why something is asked at its end."""
    *before, last = sentences(plain(text))
    return before if before and _WHY_ASKED.match(last) else [*before, last]


def asks_for_follow_ups(text: str) -> bool:
    """Whether a turn ends by asking how many follow-ups are left."""
    return _FOR_FOLLOW_UPS.search(sentences(plain(text))[-1]) is not None


_FOR_TIME = re.compile(
    rf"\b{_TIME_LEFT}\?|^(?:(?:and|but|so|what about|how about)\b[, ]*)*(?:the|my) (?:remaining )?time(?: left)?\?",
    re.IGNORECASE,
)
_WHY_ASKED = re.compile(
    r"(?:just )?(?:so (?:that )?i|because i|i just (?:want|wanted|need)|only to|i ask because"
    r"|i'm (?:only |just )?asking because)\b"
)
"""Says why somebody asks."""
_FOR_FOLLOW_UPS = re.compile(rf"\b{_FOLLOW_UPS_LEFT}\?", re.IGNORECASE)


def finishes(text: str) -> bool:
    """Whether a person says that they are done with the question, and nothing else."""
    return bool(_FINISHES.fullmatch(" ".join(text.replace("’", "'").split())))


def closing_request(text: str, read: Closing | None = None) -> ClosingRequest | None:
    """What an answer ends with beside itself; ``None`` where it ends with itself.

    A guess that is put as a question ("it copies, right?") is a part of the answer, and so is a question that the
    person goes on to answer.

    Args:
        text: what was said.
        read: what its last sentence was read as (``RequestHead.beside``), which counts where no rule knows it.

    """
    found = _by_rules(text)
    if read in {Closing.OFFER, Closing.FLOOR} and _OFFERS_NOTHING.search(sentences(plain(text))[-1]):
        read = None
    if read is Closing.CASE and _OF_THE_WORLD.search(sentences(plain(text))[-1]):
        read = Closing.SUBJECT
    if read is None or (found is not None and read not in _RATHER.get(found.kind, ())):
        return found
    asked, last = ["", *sentences(" ".join(text.split()))][-2:]
    return ClosingRequest(kind=read, words=last if last.endswith("?") or not asked.endswith("?") else f"{asked} {last}")


_OFFERS_NOTHING = re.compile(
    r"\bquestions? for you\b|\b(?:i'd|i would|let me|i'll) (?:rather )?(?:skip|leave out|not (?:go|get) into|spare)\b"
    r"|\bi (?:honestly |really |just )*(?:don't|do not)(?: really)? know\b"
    r"(?! (?:if|whether)\b|.*\b(?:should|shall|can|could|may) i\b)"
)
"""Says what is left out, not known, or asked later, which offers nothing."""

_OF_THE_WORLD = re.compile(
    r"\b(?:is|are) there (?:actually |really |still |even )*any\b[^?]*"
    r"\b(?:models?|papers?|librar(?:y|ies)|frameworks?)\b[^?]*\b(?:that|who|which)\b"
    r"|\b(?:do|does) (?:people|any(?:one|body)) (?:still|actually|really)\b"
)
"""Asks what others do, which no case gives."""

_RATHER: dict[Closing, frozenset[Closing]] = {
    Closing.SUBJECT: frozenset(
        {Closing.CHECK, Closing.TIME, Closing.OPINION, Closing.TERM, Closing.OFFER, Closing.CASE, Closing.MEANT}
    ),
    Closing.MEANT: frozenset({Closing.OFFER, Closing.OPINION}),
    Closing.TASK: frozenset({Closing.OPINION, Closing.TIME, Closing.TERM}),
    Closing.CASE: frozenset({Closing.TIME}),
}
"""What counts in place of what a wide rule found."""


def asks_which_part(text: str) -> bool:
    """Whether a turn ends by asking which of several things to go on with."""
    last = sentences(text)[-1]
    return _WHICH_PART.search(last) is not None and _DEEPER_OR_NOT.search(last) is None


_DEEPER_OR_NOT = re.compile(
    r"\bor (?:(?:should|shall|do|can|could) (?:i|we) )?(?:just )?(?:move on|go on|leave (?:it|that)|stop(?: here)?"
    r"|is (?:that|this|it) (?:enough|fine|okay|ok|too much)|is it clear|(?:does|will|would) (?:that|this|it) (?:do|be)"
    r"|are we (?:done|finished|good))\b[^.?!]{0,30}\W*$",
    re.IGNORECASE,
)
_WHICH_PART = re.compile(
    r"\bor\b(?! (?:not|so|something|is (?:that|this|it)|should i leave)\b)[^.?!]{3,90}\W*$"
    r"|(?:^|[,;] )(?:(?:so|and|or|but|okay|well)[, ]+)*(?:which|what)\b[^.?!]*\?\W*$",
    re.IGNORECASE,
)


def _by_rules(text: str) -> ClosingRequest | None:
    said = " ".join(text.replace("’", "'").split())
    if len(said.split()) < FEWEST_WORDS or _CODE.search(text):
        return None
    last = sentences(said)[-1]
    before = len(said.split()) - len(last.split())
    for kind, form in _ADDRESSED:
        found = form.search(last[-160:])
        # "Then I find out what was wrong" asks nothing.
        if found is not None and (last.endswith("?") or kind not in _ASKED_ALONE or not last[: found.start(1)].strip()):
            words = found[1].strip(" ,")
            answered = len(said.split()) - len(words.split()) >= FEWEST_WORDS
            return ClosingRequest(kind=kind, words=words) if answered else None
    if not last.endswith("?") or len(last.split()) > _LONGEST or _TAG.search(last) or before < FEWEST_WORDS:
        return None
    other = next((kind for kind, form in _OTHERS if form.match(last)), None)
    if other is None and _SUBJECT.match(last) and not _OF_A_VIEW.search(last):
        other = Closing.SUBJECT
    return ClosingRequest(kind=other, words=last) if other is not None else None

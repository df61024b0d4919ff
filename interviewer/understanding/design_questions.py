"""Questions about requirements, as people put them to the interviewer of a design round. Pure.

An utterance asks when every sentence of it is a question, or leads up to one. Whoever answers the question themself, or
puts a proposal as a question, answers.
"""

from __future__ import annotations

import re

from interviewer.text import plain, sentences
from interviewer.understanding.fluent_speech import fluent

LONGEST = 45
"""Words of the longest utterance that asks one thing and does not answer."""

LONGEST_OF_SEVERAL = 90
"""The same where several things are asked."""


def asked_in(text: str) -> tuple[str, ...]:
    """The questions that an utterance consists of, in lower case without what leads up to them; empty where it answers.

    Args:
        text: what the person said in a design round.

    """
    said = without_assumption(fluent(text.lower().replace("’", "'"), longest=2))
    longest = LONGEST_OF_SEVERAL if said.count("?") > 1 else LONGEST
    if not said or len(said.split()) > longest or _CODE.search(said):
        return ()
    parts = [part for part in _sentences(said) if not _LEADS_UP.fullmatch(part.strip())]
    bare = (_LEAD_IN.sub("", f"{part.strip()} ").strip(" ,:;-") for part in parts)
    found = [question for part in bare if part for question in _listed(part)]
    if found and _SHOULD_ASSUME.match(found[-1]) and not re.search(r"\d", said):
        return (found[-1],)
    return tuple(found) if found and all(map(_asks, found)) else ()


def asked_at_end(text: str) -> tuple[str, ...]:
    """The questions with which an utterance ends, in lower case; empty where it ends with a statement or a proposal.

    Args:
        text: what the person said in a design round.

    """
    said = fluent(text.lower().replace("’", "'"), longest=2)
    if _CODE.search(said) or proposes(said):
        return ()
    found: list[str] = []
    for part in reversed(_sentences(said)):
        bare = _LEAD_IN.sub("", f"{part.strip()} ").strip(" ,:;-")
        asks = part.strip().endswith("?") and _QUESTION.match(bare) and not _OFFERS.match(bare)
        if not asks:
            break
        found.insert(0, bare)
    return tuple(found)


def without_assumption(said: str) -> str:
    """The questions without what the person would assume otherwise, where they say so at the end.

    Args:
        said: in lower case, on one line.

    """
    found = _ASSUMES.search(said)
    return said[: found.start()].rstrip() if found is not None else said


def assumes_otherwise(said: str) -> bool:
    """Whether questions end with what the person would assume otherwise.

    Args:
        said: in lower case, on one line.

    """
    return _ASSUMES.search(said) is not None


def proposes(text: str) -> bool:
    """Whether an utterance in a design round is a proposal put as a question, and so an answer."""
    said = plain(text)
    parts = [_LEAD_IN.sub("", f"{part} ").strip(" ,:;-") for part in _sentences(said)]
    return any(_PROPOSES.match(part) or _TAG.search(part) for part in parts)


def estimates_or_lists(text: str) -> bool:
    """Whether an utterance begins as an answer: with a number, or with what the person would ask."""
    return bool(_BEGINS.match(plain(text)))


def _sentences(said: str) -> list[str]:
    """The sentences of an utterance; what stands before a colon leads up to what stands behind it."""
    return [piece for part in sentences(said) for piece in _pieces(part)]


def _pieces(sentence: str) -> list[str]:
    pieces = re.split(r"(?<=\w):\s", sentence)
    # What stands behind the colon of a question is what to choose from.
    asks = sentence.endswith("?") and _QUESTION.match(_LEAD_IN.sub("", f"{pieces[0].strip()} ").strip(" ,:;-"))
    return [sentence] if asks and len(pieces) > 1 else pieces


def _listed(sentence: str) -> list[str]:
    """The questions of a sentence that lists what it asks for before it asks: "Model size, peak, and is there …?"."""
    found = _LISTS.fullmatch(sentence)
    if found is None or not _QUESTION.match(found["asks"]):
        return [sentence]
    return [*(f"what is the {thing.strip()}?" for thing in found["things"].split(",")), found["asks"]]


def _asks(sentence: str) -> bool:
    if _PROPOSES.match(sentence) or (_TAG.search(sentence) and not _ASKS_ALL_THE_SAME.match(sentence)):
        return False
    if sentence.endswith("?"):
        return bool(_QUESTION.match(sentence))
    return bool(_INVERTED.match(sentence.rstrip(".!"))) and not _STATES.search(sentence)


_OFFERS = re.compile(
    r"(?:shall|should) i (?!assume|use|take|plan|expect|count|design for)|(?:do|would) you (?:want|like) me to\b"
    r"|(?:what|where|which \w+) (?:do|would|should|shall) (?:you|we) (?:want|like|prefer)?(?: me)? ?(?:to )?"
    r"(?:pick|dig|drill|go|look|start|poke|push|hear|talk|continue)\b"
)
"""Asks where to go on, and for no requirement."""

_ASSUMES = re.compile(
    r"(?<=\?) (?:if (?:you (?:leave|don't|do not|can't|cannot|have no|want me)|nothing|it(?:'s| is) (?:not|open"
    r"|left|up)"
    r"|(?:that|this)(?:'s| is) (?:not|open)|not|there(?:'s| is) no)\b[^.?!,]{0,40},? ?(?:then )?"
    r"|otherwise,? |or else,? |else,? )i(?:'d|'ll| would| will)? (?:just |then )?(?:assume|take|say|use|go with"
    r"|choose|pick)\b"
    r"[^?]*$"
)
"""Tells after a question what the person would assume without an answer."""

_SHOULD_ASSUME = re.compile(
    r"(?:what|which|how (?:many|much|large|big|long|fast))\b.*\bshould i (?:assume|use|take)\W*$"
)
"""Asks for a number, whatever was said before."""

_THING = (
    r"(?:(?!(?:i|i'd|i'll|we|we'd|you|they|it|it's|that|that's|there|is|are|has|have|do|does|use|uses|take|takes|keep|put"
    r"|add|with|so|because|if|then|first|can|will|would|should|must|may|not|no|yes)\b)[a-z][\w/'-]*)"
)
_LISTS = re.compile(
    rf"(?P<things>{_THING}(?: {_THING}){{0,5}}(?:, {_THING}(?: {_THING}){{0,5}})+),? and (?P<asks>[^?]+\?)"
)
"""Two things or more by their names alone, and a question."""

_CODE = re.compile(r"```|[=\[\]{}]")

_LEAD_IN = re.compile(
    r"^(?:(?:u+h+m*|u+m+|h+m+|e+r+m*|a+h+|oh|well|so|okay|ok|right|great|good|sure|got it|i see|thanks|thank you"
    r"|alright|all right|yes|yeah|and|but|also|then|actually|maybe|just|roughly|wait|hold on|sorry|please"
    r"|first(?:ly)?(?: of all)?|second(?:ly)?(?=,)|third(?:ly)?(?=,)|next(?=,)|finally|lastly|one more"
    r"|(?:a |one |two |three |some )?(?:quick |more |clarifying |few "
    r"|couple of )*questions?(?: first)?"
    r"|before (?:i|we) (?:start|begin|go on|answer|design(?: anything| it)?|dive in|draw \w+)|can i ask|may i ask"
    r"|i'd like to (?:ask|know|clarify)|i want to (?:ask|know|clarify)"
    r"|let me (?:ask|clarify)(?: this| first)?|just to (?:clarify|be (?:sure|clear))|to clarify"
    r"|(?:can|could) you (?:please )?tell me|do you know|by the way)\b[\s:,.!]*)+"
)

_NOUNS = r"(?:users?|customers?|people|requests?|data|images?|documents?|models?|labels?|jobs?|teams?|machines?)"
_WHO = (
    rf"(?:we|they|i|it|there|you|this|that|these|those|the|a|an|any|our|their|its|all|each|every|some|people"
    rf"|anybody|anyone|somebody|someone|everybody|everyone|{_NOUNS})"
)
_LEADS_UP = re.compile(
    r"(?:(?:okay|ok|so|well|right|and|but|sorry|great|good|thanks|hm+|um+|uh+)[, ]+)*"
    r"(?:before (?:i|we) \w+[^?.]*"
    r"|i(?:'d| would| also)? (?:like|want|need|have) "
    r"(?:to (?:pin down|understand|clarify|know|get|nail|ask|check)\b[^?.]*"
    r"|(?:a few|some|two|three|one|several) (?:\w+ )?questions?\b[^?.]*)"
    r"|(?:i think )?(?:you|we) (?:\w+ )?(?:skipped|missed|ignored|passed over|didn't (?:answer|get to))\b[^?.]*"
    r"|(?:the |some |a few )?(?:basics|constraints|facts|numbers|requirements) first"
    r"|that depends on (?:what|the)\b[^?.]*\b(?:asked?|question|requirements?)\b[^?.]*"
    r"|that (?:helps|makes sense|is clear)[^?.]*|that's (?:clear|helpful|good to know)[^?.]*"
    # What was told, said back.
    r"|(?:okay|ok|right|good|got it|alright),? so "
    r"(?![^?.]*\b(?:since|because|as|enough|needs?|i'd|i'll|would|should|could|takes?|will|therefore|means)\b)"
    r"(?:that's )?(?:[\w,'-]+ ){0,12}[\w,'-]+)[.!,:;]?"
)
"""A sentence that asks nothing itself and leads up to a question."""

_QUESTION = re.compile(
    rf"(?:(?:what|which|who|whose|where|when|how|why)\b"
    rf"|(?:in|for|on|at|by|to|from|with|of) (?:what|which|how|when)\b"
    rf"|(?:if|when|for|with|about) [^?]{{3,60}}?, (?:do|does|is|are|can|may|must|should|will) {_WHO}\b"
    r"|(?:if|when) [^?]{3,60}?, (?:how (?:fast|long|soon|quickly|many|much|late)|what|which|who)\b"
    rf"|(?:do|does|did|is|are|was|were|can|may|must|should|shall|will|would|has|have|am) {_WHO}\b"
    r"|(?:is|are)(?: [\w-]+){1,5} (?:acceptable|allowed|available|fine|fixed|given|important|known|needed|ok(?:ay)?"
    r"|possible|required|public)\b"
    r"|(?:do|does) [\w-]+ (?:need|have|want|get|matter|change|differ|exist|count)\b"
    r"|(?:can|may|must|will)(?: [\w-]+){1,4} (?:be|have|contain|appear|occur|arrive|change|differ)\b"
    rf"|could {_WHO}\b(?= (?:assume|expect|rely|count on|be|have))"
    rf"|(?:any|is there|are there|am i)\b)"
)
"""How a question begins that ends in a question mark."""

_INVERTED = re.compile(
    rf"(?:(?:how (?:many|much|big|large|long|often|fast|fresh|old|late|far|strict|accurate)|what|which)\b"
    rf"(?: \w+){{0,4}}? (?:do|does|did|is|are|can|may|must|should|will|would|has) {_WHO}\b(?: [\w-]+){{0,9}}"
    r"|how (?:many|much)(?: [\w-]+){1,4}"
    r"|how (?:big|large|long|often|fast|fresh|old|late|strict|accurate) (?:is|are|must|should|can|may|do|does|will)\b"
    r"(?: [\w-]+){1,9}"
    r"|what(?:'s| is| are) (?:the|our|your|their)(?: [\w-]+){1,7}"
    r"|(?:do|does|is|are|can|may|should|will|am) (?:we|they|i|it|there|the|our|this|that|users|customers)"
    r"(?: [\w-]+){1,9}"
    r"|any(?: [\w-]+){1,6})\Z"
)
"""A question that is typed, or recognized, without its mark."""

_STATES = re.compile(
    r"^what (?:matters|happens|counts|helps) is\b|\b(?:depends?|decides?|determines?|gives?|follows|because|since"
    r"|so that|i (?:think|guess|assume|would|'d)|is (?:simple|easy|clear|\d)|it's|that's)\b"
)
"""What shows that words which begin like a question go on as a statement."""

_PROPOSES = re.compile(
    r"(?:is it (?:because|due|the)\b|(?:could|might|may) it be\b|why not|how about|what if"
    r"|what about (?:a|an|using|we|just)\b"
    r"|(?:is|are|do|does|did|was|were|would|could|can|should|ca|wo|has|have)n't\b|cannot\b"
    r"|(?:could|can|should|would) (?:we|i|you|it) (?:just|simply|maybe|also|then|instead|not)\b"
    r"|how (?:would|should|do|can|could) (?:i|you|we) (?:do|build|design|shard|scale|store|keep|make|put|split|solve"
    r"|handle|avoid)\b|(?:is|would) (?:it|that) (?:about|around|roughly|\d)|(?:do|does) (?:that|this|it) make sense)"
)
"""A proposal, or the matter itself, put as a question."""

_TAG = re.compile(
    r",? (?:right|okay|ok|correct|no|yes|(?:does|is|are|do|would|could|was|can)n't (?:it|they|we|that|there)"
    r"|or something(?: like that)?|i (?:think|guess|suppose)) ?\?$"
)
"""What makes a question of a statement."""

_ASKS_ALL_THE_SAME = re.compile(
    r"how (?:many|much|fast|fresh|old|late|long|soon|quickly|often)\b|when [^?]{3,60}?, how\b"
    r"|(?:would|do|does|is|are|can) (?:people|users|we|they|it|there)\b"
    r"|[^?]{8,120}\bor (?:is|are|do|does|can|must|should) [^?]{3,60}\?$"
)
"""How a question begins that ends as a statement with a tag may: "… or is yesterday's value okay?"."""

_BEGINS = re.compile(
    r"(?:(?:so|well|um|uh|okay|first|then|maybe|say|let's say|that's|it's|about|around|roughly|nearly|almost)[ ,]+)*"
    r"(?:\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)"
    r" (?:hundred|thousand|million|billion|gpus|cards|machines|percent|seconds|milliseconds)\b"
    r"|(?:sixty|fifty|forty|thirty|twenty)\b|i(?:'d| would| might) (?:first |also )?(?:ask|want to know|clarify)\b"
    r"|my (?:first )?question)"
)

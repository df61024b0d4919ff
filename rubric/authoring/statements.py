"""Entries of a reference -> statements that can be understood alone and make one point each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rubric.authoring.english import (
    begins_with_verb,
    capital,
    has_verb,
    is_empty_talk,
    length,
    looks_back,
    plain,
    says_something,
    sentences,
    small,
    subject,
    tells,
    tidy,
    with_subject,
    without_connective,
)
from rubric.authoring.outline import Entry, comments, entries, named_faults
from rubric.words import content_words

SHORTEST, LONGEST = 4, 40
"""Words of a statement."""

_READ = 200
"""Words of a sentence that are read at all; what is longer is no sentence."""

_ENOUGH = 2
"""Statements from which the prose of a reference is enough and the comments of its code are not asked."""

_SEMICOLON = re.compile(r";\s+")
_COMMA_AND = re.compile(r",\s+and\s+")
_CONDITION = re.compile(
    r"^(?:if|when|while|because|since|although|though|as|unless|once|after|before|whereas|for each)\b", re.IGNORECASE
)
_BOUND = re.compile(r"\b(?:because|whereas|so that|while|unless|even though)\b", re.IGNORECASE)
_WHOLE = re.compile(r"(?:the|an?|each|every|all|one|its|their)\b", re.IGNORECASE)
_DOES = re.compile(r"(?:it|they)\s+(?!is\b|are\b|was\b|were\b)", re.IGNORECASE)
_OBJECT = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_UNCLEAR = re.compile(r"\b(?:this|these|those)\s+\w", re.IGNORECASE)
_PURPOSE = re.compile(r"\bto (?:avoid|prevent|reduce|keep|hide|save)\b|\bso (?:that|it)\b", re.IGNORECASE)
_ASIDE_IN_BRACKETS = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_CLAUSE_END = re.compile(r"(?:,|;|:| –| —)\s")


class Statement(NamedTuple):
    """One point of a reference.

    Attributes:
        text: the point, to be understood without the rest.
        labels: what it stands under in the reference, outermost first.
        section: counts the labeled parts of the reference.
        bold: whether the reference sets something of it in bold.
        aside: whether it stands under a label that promises no point of the answer itself.
        elaborated: whether the reference says more about it, in the same sentence or the next.
        later: whether it goes on with a bullet or paragraph that has made its first point already.
        unclear: whether it leans on what the reference said before ("this effect"), or is no whole clause.

    """

    text: str
    labels: tuple[str, ...] = ()
    section: int = 0
    bold: bool = False
    aside: bool = False
    elaborated: bool = False
    later: bool = False
    unclear: bool = False


def statements(reference: str, question: str) -> list[Statement]:
    """The points a reference makes, in its order, those that only repeat the question left out.

    Where the prose makes hardly any, what the comments of its code explain is taken as well; a single comment is
    too little to hold an answer against. What a comment says is wrong with the code is always taken.
    """
    known = content_words(question)
    found = list(_said(entries(reference), known))
    if found:
        found = [*_said(named_faults(reference), known), *found]
    if len(found) >= _ENOUGH:
        return found
    explained = list(_said(comments(reference), known))
    return found + explained if len(found) + len(explained) >= _ENOUGH else found


def _said(found: Iterable[Entry], known: frozenset[str]) -> Iterator[Statement]:
    topic = ""
    section = -1
    for place, entry in enumerate(found):
        topic = topic if entry.section == section else ""
        section = entry.section
        for number, (text, elaborated) in enumerate(_points(entry, topic, opening=place == 0)):
            own = () if entry.prose and number and subject(text) else entry.labels
            topic = subject(text) or topic
            for fitting in _fitted(_labeled(text, own)):
                named = content_words(" ".join(own))
                if says_something(fitting, known) or (named and says_something(fitting, named)):
                    later = number > 0
                    purpose = elaborated or bool(_PURPOSE.search(fitting))
                    unclear = bool(_UNCLEAR.search(sentences(text)[0])) if number == 0 else not has_verb(text)
                    yield Statement(fitting, own, entry.section, entry.bold, entry.aside, purpose, later, unclear)


def _points(entry: Entry, topic: str, *, opening: bool) -> list[tuple[str, bool]]:
    """What an entry says, point by point, and whether it says more about each.

    Args:
        entry: of a reference.
        topic: what was spoken of before it.
        opening: whether the reference begins with it: its "It" is what the question is about.

    """
    if entry.whole:
        return [(tidy(entry.text), False)]
    result: list[tuple[str, bool]] = []
    before = topic
    for sentence in sentences(entry.text):
        text = without_connective(" ".join(tidy(sentence).split()[:_READ]))
        if is_empty_talk(text) or text.endswith(":"):
            continue
        for part in _split(text):
            clear = with_subject(part, before) or part
            short = length(_labeled(clear, entry.labels)) < SHORTEST
            fragment = entry.prose and clear == part and not tells(part) and not _WHOLE.match(part)
            if result and (looks_back(clear) or short or fragment):
                result[-1] = (_joined(result[-1][0], clear), True)
            elif not looks_back(clear) or clear != part or (opening and not result and _DOES.match(part)):
                result.append((clear, bool(_BOUND.search(clear))))
            before = subject(clear) or before
    return result


def _joined(first: str, second: str) -> str:
    """Two sentences as one statement; the first alone where both are too long."""
    both = f"{first.rstrip('.')}. {second}" if first[-1:] not in ".!" else f"{first} {second}"
    return both if length(both) <= LONGEST else first


def _split(sentence: str) -> list[str]:
    """A sentence cut where two clauses with verbs of their own meet; reasons stay with what they explain."""
    parts: list[str] = []
    for half in _cut(sentence, _SEMICOLON):
        if _CONDITION.match(half) or _BOUND.search(half):
            parts.append(half)
        else:
            parts += _cut(half, _COMMA_AND)
    return parts


def _cut(text: str, at: re.Pattern[str]) -> list[str]:
    for match in at.finditer(text):
        first, second = text[: match.start()], text[match.end() :]
        if not _balanced(first) or length(first) < SHORTEST or length(second) < SHORTEST or not has_verb(first):
            continue
        spoken_of = subject(first)
        clear = with_subject(capital(second), spoken_of)
        if clear or (subject(second) and not looks_back(second) and not _OBJECT.search(second)):
            return [f"{first}.", *_cut(clear or capital(second), at)]
    return [text]


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0


def _labeled(text: str, labels: tuple[str, ...]) -> str:
    """A statement with those of its labels in front that it does not name itself."""
    named = content_words(text)
    headless = begins_with_verb(text)
    needed = [label for label in labels if headless or not (own := content_words(label)) or not own <= named]
    if not needed:
        return capital(text)
    if len(needed) == 1 and headless and not has_verb(needed[0]):
        return f"{capital(plain(needed[0]))} {small(text)}"
    front = capital(", ".join(plain(label) for label in needed))
    return f"{front}: {small(text)}"


def _beginning(text: str) -> str:
    """The first half of what a statement may hold; nothing where not even one piece between blanks is that short."""
    pieces = text.split()[: LONGEST // 2]
    # Between two blanks there may be any number of words: A/B-C.
    while length(" ".join(pieces)) > LONGEST:
        pieces.pop()
    return " ".join(pieces)


def _fitted(text: str) -> Iterator[str]:
    """The statement within its bounds: too long, it loses what is in brackets, then its last clauses."""
    if length(text) > LONGEST:
        text = _ASIDE_IN_BRACKETS.sub("", " ".join(text.split()[:_READ]))
    while length(text) > LONGEST:
        ends = [match.start() for match in _CLAUSE_END.finditer(text) if length(text[: match.start()]) >= SHORTEST]
        text = text[: ends[-1]] if ends else _beginning(text)
    if length(text) >= SHORTEST:
        yield text

"""Names what a question is about that says only “it”: asked alone, nobody would know what is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PRONOUNS = frozenset({"it", "its", "they", "them", "their"})
_SAYS_NOTHING = frozenset(
    [
        *("what", "when", "where", "which", "who", "why", "how", "should", "would", "could", "can", "may", "might"),
        *("must", "do", "does", "did", "is", "are", "was", "were", "will", "has", "have", "had", "you", "we", "i"),
        *("one", "not", "never", "ever", "always", "actually", "still", "also", "really", "then", "so", "and", "or"),
        *("but", "if", "in", "on", "of", "to", "for", "with", "from", "by", "about", "at", "as", "over", "than", "a"),
        *("an", "the", "there", "any", "some", "more", "most", "often", "usually", "only", "even", "just", "instead"),
    ]
)
"""Words that no pronoun stands for."""

_LEADS_TO = frozenset({"of", "to", "in", "on", "with", "for", "from", "about", "behind", "over"})
_WORD = re.compile(r"[a-z0-9_]+(?:['’-][a-z0-9_]+)*")
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.):]?\s+)")
_DEFINED = re.compile(
    r"^(?:what (?:is|are)|explain|describe|define)\s(?:an? |the )?(.{2,60}?)(?:[?.,]|\s(?:and|in|for)\b)",
    re.IGNORECASE,
)
_LONGEST = 80
"""Characters of a heading that can stand before a question."""


def with_subject(text: str, section: Sequence[str], near: str) -> str:
    """A question, behind what it is about where it only says “it”.

    Args:
        text: the question.
        section: the headings above it, outermost first.
        near: the question before and the answer; a heading whose words stand there is what they are about.

    """
    if not _dangles(text):
        return text
    said = set(_WORD.findall(near.casefold()))
    headings = (_NUMBER.sub("", heading).strip(" :*_#") for heading in reversed(section))
    named = [heading for heading in headings if len(heading) <= _LONGEST and _is_about(heading, said)]
    defined = _DEFINED.match(near)
    named += [f"{defined[1][:1].upper()}{defined[1][1:]}"] if defined else []
    return f"{named[0]}: {text[:1].lower()}{text[1:]}" if named else text


def _dangles(text: str) -> bool:
    """Whether a pronoun comes before anything that it could stand for."""
    words = _WORD.findall(text.casefold())
    at = next((at for at, word in enumerate(words) if word in _PRONOUNS), None)
    if at is None:
        return False
    # What stands right before it is what is done with it: “use it”.
    telling = [word for word in words[: max(at - 1, 0)] if word not in _SAYS_NOTHING]
    return not telling or (len(telling) == 1 and words[at - 1] in _LEADS_TO)


def _is_about(heading: str, said: set[str]) -> bool:
    words = [word for word in _WORD.findall(heading.casefold()) if word not in _SAYS_NOTHING]
    return bool(words) and not heading.endswith("?") and all(word in said for word in words)

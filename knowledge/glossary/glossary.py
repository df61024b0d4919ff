"""Terms of the field, each with a definition: what answers a person who asks what something is."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

import yaml
from pydantic import Field

from serving.frozen import FrozenModel

TERMS = Path(__file__).with_name("terms.yaml")

_READER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The same either way; the one in C, where PyYAML was built with it, takes an eighth of the time."""

_ARTICLES = frozenset({"a", "an", "the"})


class Term(FrozenModel):
    """A term of the field.

    Attributes:
        name: as it is written.
        aliases: other names of the same thing, short forms among them.
        definition: what it is and what it is good for, in one to three sentences that can be said aloud.
        reading: where to read more.
    """

    name: str = Field(min_length=2)
    aliases: tuple[str, ...] = ()
    definition: str = Field(min_length=20)
    reading: str = Field(min_length=5)


class Glossary:
    """Finds terms by any of their names; singular or plural, spelled with hyphens or without.

    Args:
        terms: all there are.

    Raises:
        ValueError: two terms have a name in common.
    """

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self.terms = terms
        self._by_name: dict[str, Term] = {}
        self._longest = 0
        for term in terms:
            for name in {_key(name) for name in (term.name, *term.aliases)}:
                if name in self._by_name:
                    raise ValueError(f"{term.name} and {self._by_name[name].name} have a name in common: {name}.")
                self._by_name[name] = term
            self._longest = max(self._longest, *(len(_keys(name)) for name in (term.name, *term.aliases)))

    def find(self, name: str) -> Term | None:
        """The term of that name; ``None`` where there is none."""
        return self._by_name.get(_key(name))

    def named_in(self, text: str) -> list[Term]:
        """The terms that a text names, each once, in its order; of names within each other the longest."""
        words, found, start = _keys(text), [], 0
        while start < len(words):
            for end in range(min(start + self._longest, len(words)), start, -1):
                if term := self._by_name.get("".join(words[start:end])):
                    found.append(term)
                    start = end - 1
                    break
            start += 1
        return list(dict.fromkeys(found))


@functools.cache
def load() -> Glossary:
    """Our own glossary."""
    rows: list[Mapping[str, object]] = yaml.load(TERMS.read_text(encoding="utf-8"), Loader=_READER)  # noqa: S506 - a safe one
    return Glossary(tuple(Term.model_validate(row) for row in rows))


def _key(name: str) -> str:
    return "".join(_keys(name))


def _keys(text: str) -> list[str]:
    words = [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in _ARTICLES]
    # A stemmer would take CLIP for clipping.
    return [word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word for word in words]

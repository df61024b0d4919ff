"""Makes the table of ``interviewer.speech.written_names`` from the bank: ``python -m interviewer.speech.name_table``.

In it is every name that an entry writes as code and that is said somewhere. A name whose spoken form also is plain
English in what the bank writes, such as "world size", is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from interviewer.speech.speakable_text import speakable
from interviewer.speech.written_names import TABLE
from knowledge.bank.parser import load_bank
from knowledge.model import Question

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?")
_PLAIN = frozenset({"dump snapshot", "fallback random", "gate up", "log probs", "restore value"})
"""Names that are no more than plain English where they are said."""

_HARDLY = 3
"""Times that something stands in what the bank writes up to which it is no word."""


def names_of(questions: Iterable[Question]) -> dict[str, str]:
    """The names that entries write as code and say aloud, by how they are said, in lower case.

    A name without a dot counts only where a part of it, such as "num" or "fn", is hardly a word in what the bank
    writes.
    """
    entries = [(_written(question), _words(" | ".join(map(speakable, _said(question))))) for question in questions]
    prose = _words(" ".join(_CODE.sub(" | ", written) for written, _ in entries))
    said = " | ".join(told for _, told in entries)
    words = Counter(prose.split())
    names = Counter(name for written, _ in entries for name in _CODE.findall(written) if _NAME.fullmatch(name))
    found: dict[str, str] = {}
    for name, _ in names.most_common():
        plain = _words(speakable(name)).strip()
        odd = any(len(part) > 1 and words[part] < _HARDLY for part in plain.split())
        if (
            " " not in plain
            or plain in _PLAIN
            or f" {plain} " in prose
            or f" {plain} " not in said
            or not ("." in name or odd)
        ):
            continue
        found.setdefault(plain, name.removesuffix("()") if "." in name else name.removesuffix("()").strip("_"))
    return dict(sorted(found.items()))


def _written(question: Question) -> str:
    texts = (question.text, question.reference, question.misconception, question.why_it_matters)
    return " | ".join(_FENCE.sub(" | ", text) for text in texts)


def _said(question: Question) -> Iterable[str]:
    yield from (question.spoken, question.hint, question.step_down, question.follow_on, question.change)
    yield from question.deep_dives
    for point in question.rubric.criteria if question.rubric else ():
        yield from (point.text, point.probe, *point.examples.met, *point.examples.contradicted)


def _words(text: str) -> str:
    """Words alone, in lower case, with a space around each; what stands apart stays apart."""
    return f" {' '.join(re.findall(r'[a-z0-9]+|[|]', text.lower()))} "


if __name__ == "__main__":
    lines = (f"{said}\t{name}\n" for said, name in names_of(load_bank()).items())
    TABLE.write_text("".join(lines), encoding="utf-8")

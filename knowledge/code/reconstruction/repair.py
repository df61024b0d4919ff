"""What pages do to code, undone: quotes made typographic, odd spaces, prompts, line numbers, wrapped lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from knowledge.code.reconstruction.indentation import compiles, restored
from knowledge.code.reconstruction.statements import Numbered, Scanner, statements
from serving.syntax import python_tree

MOST_WRAPS = 8
"""Wrapped lines that are joined in one block; more of them mean that the block is no Python."""

_ODD = str.maketrans(
    {"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u200b": None, "\u200c": None, "\u2060": None, "\ufeff": None}
)
_TYPESET = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "−": "-", "…": "...", "×": "*"}
)
_PROMPT = re.compile(r"\s*(>>>|\.\.\.|In \[\d+\]:)(?: |$)")
_GLUED = re.compile(r"\s*(\d{1,6})(?!\d)[.:|)]?(?:\t| ?)(.*)")


def mended(lines: Sequence[Numbered]) -> tuple[list[Numbered], bool]:
    """Python as it was before it stood on a page, as far as that can be told, and whether its indentation was lost.

    Code that is sound is left alone but for odd spaces. What cannot be made sound comes back as it was.
    """
    plain = [(number, text.translate(_ODD).rstrip()) for number, text in lines]
    if _sound(plain):
        return plain, False
    for steps in _ATTEMPTS:
        tried = plain
        for step in steps:
            tried = step(tried)
        if _sound(tried):
            return tried, False
        again = _indented(tried)
        if again is not None:
            return again, True
    return plain, False


def text_of(lines: Sequence[Numbered]) -> str:
    """The lines as one text."""
    return "\n".join(text for _, text in lines)


def seams(lines: Sequence[Numbered]) -> frozenset[int]:
    """Indices of lines behind a gap in the source."""
    return frozenset(i for i in range(1, len(lines)) if lines[i][0] != lines[i - 1][0] + 1)


def _sound(lines: Sequence[Numbered]) -> bool:
    text = text_of(lines)
    return compiles(text) and not _method_left_behind(text, lines)


def _method_left_behind(text: str, lines: Sequence[Numbered]) -> bool:
    """Whether a page break tore a method off its class: it parses, as a function with a parameter ``self``."""
    gaps = seams(lines)
    if not gaps:
        return False
    body = python_tree(text).body
    classes = [node.lineno for node in body if isinstance(node, ast.ClassDef)]
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.args.args and node.args.args[0].arg == "self":
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            if any(line < first for line in classes) and any(gap + 1 <= first for gap in gaps):
                return True
    return False


def _indented(lines: Sequence[Numbered]) -> list[Numbered] | None:
    kept = _without_blanks_at_gaps(lines)
    text = restored(text_of(kept), seams(kept))
    if text is None:
        return None
    return [(number, line) for (number, _), line in zip(kept, text.split("\n"), strict=True)]


def _without_blanks_at_gaps(lines: Sequence[Numbered]) -> list[Numbered]:
    kept: list[Numbered] = []
    for number, text in lines:
        gap = not kept or number != kept[-1][0] + 1
        if text.strip() or not gap:
            kept.append((number, text))
    return kept


def _straight(lines: Sequence[Numbered]) -> list[Numbered]:
    return [(number, text.translate(_TYPESET)) for number, text in lines]


def _unprompted(lines: Sequence[Numbered]) -> list[Numbered]:
    """Input without prompts, output as comments."""
    if not any((_PROMPT.match(text) and ">>>" in text[:20]) or text.startswith("In [") for _, text in lines):
        return list(lines)
    result = []
    for number, text in lines:
        match = _PROMPT.match(text)
        if match:
            result.append((number, text[match.end() :]))
        else:
            result.append((number, f"# {text.strip()}" if text.strip() else ""))
    return result


def _unnumbered(lines: Sequence[Numbered]) -> list[Numbered]:
    """Lines without the numbers that an editor printed in front of them."""
    matches = [_GLUED.fullmatch(text) for _, text in lines if text.strip()]
    numbers = [int(match[1]) for match in matches if match]
    counted = len(numbers) == len(matches) and all(b > a for a, b in pairwise(numbers))
    if len(numbers) < 3 or not counted or numbers[-1] - numbers[0] > 2 * len(lines):
        return list(lines)
    result = []
    width = max(len(str(number)) for number in numbers)
    for number, text in lines:
        match = _GLUED.fullmatch(text)
        # Short numbers are padded to the width of the longest, before or behind.
        rest = match[2] if match else ""
        padding = width - len(match[1]) if match and text[: match.start(1)] == "" else 0
        rest = rest[padding:] if rest[:padding].strip() == "" else rest
        result.append((number, rest))
    return result


def _unwrapped(lines: Sequence[Numbered]) -> list[Numbered]:
    """Lines joined that the page's width broke."""
    now = list(lines)
    for _ in range(MOST_WRAPS):
        at = _trouble(now)
        if at is None:
            return now
        joined = _joined_at(now, at)
        if joined is None:
            return list(lines)
        now = joined
    return list(lines)


def _trouble(lines: Sequence[Numbered]) -> int | None:
    """Index of the first line that no statement can hold; ``None`` where there is none."""
    position = 0
    while position < len(lines):
        text = lines[position][1].strip()
        scanner = Scanner()
        end = position
        while end < len(lines):
            scanner.feed(lines[end][1])
            end += 1
            if not scanner.open:
                break
        if scanner.open or not _readable("\n".join([text, *(line for _, line in lines[position + 1 : end])])):
            return position
        position = end
    return None


def _readable(text: str) -> bool:
    return not text or statements(text.split("\n")) is not None


def _joined_at(lines: list[Numbered], at: int) -> list[Numbered] | None:
    """The lines with one of them joined to its neighbor so that both together can be read."""
    number, text = lines[at]
    if at:
        before_number, before = lines[at - 1]
        if "#" in before and before.strip() and len(before) > 30:
            return [*lines[: at - 1], (before_number, f"{before} {text.strip()}"), *lines[at + 1 :]]
    if at + 1 < len(lines):
        following = lines[at + 1][1].strip()
        for glue in (" ", ""):
            if following and _readable(f"{text.strip()}{glue}{following}"):
                return [*lines[:at], (number, f"{text}{glue}{following}"), *lines[at + 2 :]]
    return None


def _sketched(lines: Sequence[Numbered]) -> list[Numbered]:
    """Lines with ``...`` put into bodies that hold nothing but comments."""
    result = list(lines)
    for index in range(len(lines) - 1, -1, -1):
        text = lines[index][1]
        if not text.strip() or text.strip().startswith("#") or not text.rstrip().endswith(":"):
            continue
        own = len(text) - len(text.lstrip())
        after = index + 1
        last = index
        while after < len(lines) and (not lines[after][1].strip() or lines[after][1].strip().startswith("#")):
            if lines[after][1].strip() and len(lines[after][1]) - len(lines[after][1].lstrip()) > own:
                last = after
            after += 1
        ended = after >= len(lines) or len(lines[after][1]) - len(lines[after][1].lstrip()) <= own
        if last > index and ended:
            margin = lines[last][1][: len(lines[last][1]) - len(lines[last][1].lstrip())]
            result.insert(last + 1, (lines[last][0], f"{margin}..."))
    return result


_Step = Callable[[Sequence[Numbered]], list[Numbered]]
_ATTEMPTS: tuple[tuple[_Step, ...], ...] = (
    (),
    (_sketched,),
    (_straight,),
    (_unprompted,),
    (_unnumbered,),
    (_straight, _unprompted, _unnumbered, _sketched),
    (_straight, _unprompted, _unnumbered, _unwrapped, _sketched),
)

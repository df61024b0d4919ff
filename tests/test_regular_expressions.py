"""No text makes a regular expression of the product run for long.

What is read by a pattern was often typed by somebody else, or stands in a document that nobody vouches for, and a
search that backtracks holds up everybody: Python's ``re`` lets no other thread run meanwhile. Every pattern is fed
texts that it likes: drawn from its own parts, one repetition made long, and an end that lets it fail. A pattern that
shares a run of characters among three repetitions, or reads one word in two ways again and again, takes minutes for
these; what is measured is the processor time of a process of its own, with a limit that others are far below.
"""

from __future__ import annotations

import ast
import importlib
import os
import random
import re
import re._constants as op  # type: ignore[import-untyped]
import re._parser as parser  # type: ignore[import-untyped]
import resource
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("interviewer", "knowledge", "rubric", "serving")
LENGTH = 2000
"""Characters of a text."""
LIMIT_CPU_S = 3
"""For all texts of one pattern. A search whose time grows with the square of the length takes a tenth of a second."""
ROUNDS = 2
ENDS = ("\x00", "x!", "\n\n \x00")
SAMPLES = " a1\t-*|#.,:uhm[A_`'\"/(\n"
"""Characters for what matches many of them."""
CATEGORIES = {
    op.CATEGORY_SPACE: " \t",
    op.CATEGORY_NOT_SPACE: "a1.-",
    op.CATEGORY_DIGIT: "19",
    op.CATEGORY_NOT_DIGIT: "a .",
    op.CATEGORY_WORD: "a1_",
    op.CATEGORY_NOT_WORD: " .-",
}
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
MANY = 50
"""Repetitions from which one counts as unbounded."""

Place = tuple[int, ...]
"""Where a part stands in a parsed pattern: an index for each level."""


def sample(kind: Any, value: Any, rng: random.Random) -> str:
    """A character that one item of a pattern matches."""
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.ANY:
        return rng.choice(SAMPLES[:-1])
    if kind is op.NOT_LITERAL:
        return rng.choice([each for each in SAMPLES if ord(each) != value])
    found: list[str] = []
    for item, what in value:
        if item is op.LITERAL:
            found.append(chr(what))
        elif item is op.RANGE:
            found += [chr(what[0]), chr(what[1])]
        elif item is op.CATEGORY:
            found += CATEGORIES[what]
    if value[0][0] is op.NEGATE:
        found = [each for each in SAMPLES if each not in found] or ["z"]
    return rng.choice(found)


def inner(kind: Any, value: Any) -> list[tuple[Place, Any]]:
    """The parts of an item that are patterns themselves, each with its place below the item."""
    if kind in REPEATS:
        return [((), value[2])]
    if kind is op.SUBPATTERN:
        return [((), value[3])]
    if kind is op.ATOMIC_GROUP:
        return [((), value)]
    if kind is op.BRANCH:
        return [((n,), each) for n, each in enumerate(value[1])]
    return []


def long_repetitions(pattern: Any, at: Place = ()) -> Iterator[Place]:
    """The places of all repetitions that may be long."""
    for n, (kind, value) in enumerate(pattern):
        place = (*at, n)
        if kind in REPEATS and value[1] >= MANY:
            yield place
        for below, part in inner(kind, value):
            yield from long_repetitions(part, (*place, *below))


def drawn(pattern: Any, long: Place | None, rng: random.Random, at: Place = ()) -> str:
    """A text that a pattern matches, one of its repetitions made long; other parts as they come."""
    out = []
    for n, (kind, value) in enumerate(pattern):
        place = (*at, n)
        parts = inner(kind, value)
        if kind in {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}:
            out.append(sample(kind, value, rng))
        elif long is not None and place == long:
            unit = drawn(value[2], None, rng, place)
            out.append(unit * max(1, LENGTH // max(1, len(unit))))
        elif long is not None and long[: len(place)] == place:
            below, part = next(each for each in parts if long[len(place) :][: len(each[0])] == each[0])
            out.append(drawn(part, long, rng, (*place, *below)))
        elif kind in REPEATS:
            times = max(value[0], rng.choice((0, 0, 1)) if value[1] else 0)
            out += [drawn(value[2], None, rng, place) for _ in range(times)]
        elif parts:
            below, part = rng.choice(parts)
            out.append(drawn(part, None, rng, (*place, *below)))
    return "".join(out)


def texts_for(pattern: re.Pattern[str]) -> Iterator[str]:
    """Texts that a pattern likes."""
    rng = random.Random(0)
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    places = list(long_repetitions(parsed))
    for _ in range(ROUNDS):
        for place in places:
            for end in ENDS:
                yield drawn(parsed, place, rng) + end


def held_in(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """The patterns in a value of a module, also those in tables."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 3 and isinstance(value, Mapping):
        yield from held_in([*value, *value.values()], depth)
    elif depth < 3 and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from held_in(each, depth + 1)


def written_in(source: str) -> Iterator[re.Pattern[str]]:
    """The patterns that calls of ``re`` name where they are used."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[ast.Constant(value=str(text)), *_]
            ) if name not in {"compile", "escape"}:
                yield re.compile(text)


def patterns_of(package: str) -> dict[tuple[str, int], tuple[str, re.Pattern[str]]]:
    """All patterns of a package, each with the module that it was found in first."""
    found: dict[tuple[str, int], tuple[str, re.Pattern[str]]] = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        held: Iterable[re.Pattern[str]] = ()
        # What runs in the sandbox, and what begins to run when it is imported, is read and not imported.
        if path.stem != "__main__" and not {"inside", "migrations"} & set(path.parts):
            held = held_in(list(vars(importlib.import_module(module)).values()))
        for pattern in (*held, *written_in(path.read_text(encoding="utf-8"))):
            found.setdefault((pattern.pattern, pattern.flags), (module, pattern))
    return found


def held_up(patterns: Sequence[re.Pattern[str]]) -> list[int]:
    """The places of those patterns that some text holds up.

    They run in a process of its own, which the kernel ends where one has computed for too long; the next process goes
    on behind that one.
    """
    found: list[int] = []
    begin = 0
    while begin < len(patterns):
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            _run(patterns, begin, tell)
        os.close(tell)
        with os.fdopen(told) as lines:
            last = int(lines.read().split()[-1])
        if os.waitpid(child, 0)[1] == 0:
            break
        found.append(last)
        begin = last + 1
    return found


def _run(patterns: Sequence[re.Pattern[str]], begin: int, tell: int) -> NoReturn:
    """Tell the place of each pattern, and feed it its texts, until all are through or the kernel ends this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for place, pattern in enumerate(patterns[begin:], begin):
        os.write(tell, f"{place}\n".encode())
        texts = list(texts_for(pattern))
        limit = int(time.process_time()) + 1 + LIMIT_CPU_S
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        for text in texts:
            pattern.search(text)
            pattern.fullmatch(text)
    os._exit(0)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_text_holds_up_a_pattern(package: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = patterns_of(package)
    assert found
    modules, patterns = zip(*found.values(), strict=True)
    assert [f"{modules[n]}: {patterns[n].pattern[:80]}" for n in held_up(patterns)] == []


@pytest.mark.parametrize(
    ("text", "fast"),
    [
        (r"(?: it| here| it here)*\Z", False),
        (r"a\s*\d*\.?\s*(?:\*\*)?\s*(?::|$)", False),
        (r"(?:uh+|u+h)*\Z", False),
        (r"(?: it| here)*\Z", True),
        (r"a\s*+\d*+\.?+\s*+(?:\*\*)?+\s*+(?::|$)", True),
    ],
)
def test_a_pattern_that_can_be_held_up_is_found(text: str, fast: bool) -> None:
    assert held_up([re.compile(text)]) == ([] if fast else [0])

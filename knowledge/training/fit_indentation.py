"""Fits the weights of ``indentation.json``: ``python -m knowledge.training.fit_indentation FOLDER…``.

A structured perceptron (Collins 2002) with averaged weights: pieces of real source files lose their indentation,
the search puts it back, and where it goes wrong the reasons of the true places gain and those of the chosen lose.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from knowledge.bank.parser import BANK, load_file
from knowledge.code.reconstruction.block_placement import START, Context, Reasons, place
from knowledge.code.reconstruction.indentation import WEIGHTS, best, column_of, contexts
from knowledge.code.reconstruction.statements import Statement, parsed, statements

ROUNDS = 4
MOST_SAMPLES = 2000
PRIORS = {"while never ends": -4, "lost name": -4, "function names itself": -4, "return in for": -3}
"""What is known before any data: weights that the first round starts with."""

MOST_FILES = 700
LONGEST = 60
SEED = 20


class Sample:
    """Code that lost its indentation, and the depths its statements had.

    Attributes:
        text: the code as it was.
        found: its statements.
        around: what stands before each.
        truth: the depth of each.

    """

    def __init__(self, text: str, found: list[Statement], around: list[Context], truth: list[int]) -> None:
        self.text, self.found, self.around, self.truth = text, found, around, truth


def sample(text: str, *, spaced: bool) -> Sample | None:
    """A sample out of sound code, with or without its blank lines; ``None`` where it has no blocks."""
    lines = [line for line in text.expandtabs(8).split("\n") if spaced or line.strip()]
    found = statements(lines)
    if not found or not any(statement.opens for statement in found):
        return None
    columns = [0]
    truth = []
    for statement in found:
        column = column_of(lines[statement.start])
        while columns[-1] > column:
            columns.pop()
        if columns[-1] < column:
            columns.append(column)
        truth.append(len(columns) - 1)
    flush = [line.strip() for line in lines]
    again = statements(flush)
    if again is None or len(again) != len(found):
        return None
    return Sample("\n".join(lines), again, contexts(flush, again), truth)


def pieces(files: Sequence[Path], draw: random.Random) -> Iterator[str]:
    """Runs of whole top-level statements of up to ``LONGEST`` lines, about as long as code in documents is."""
    for file in files:
        try:
            source = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        tree = parsed(source)
        if tree is None:
            continue
        lines = source.split("\n")
        run: list[str] = []
        goal = draw.randint(5, LONGEST)
        done = 0
        for node in tree.body:
            end = node.end_lineno or node.lineno
            part = list(lines[done:end])
            done = end
            if len(part) > LONGEST:
                part = list(_excerpt(node, lines))
            if run and len(run) + len(part) > goal:
                yield "\n".join(run)
                run, goal = [], draw.randint(5, LONGEST)
            run += part
        if run:
            yield "\n".join(run)


def examples(files: Sequence[Path]) -> Iterator[str]:
    """Interpreter sessions in docstrings, without their prompts and what was printed."""
    for file in files:
        try:
            source = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for session in re.split(r"\n[ \t]*\n", source):
            lines = re.findall(r"^[ \t]*(?:>>>|\.\.\.) ?(.*)$", session, re.M)
            text = "\n".join(lines)
            if len(lines) > 3 and parsed(text) is not None:
                yield text


def scripts(texts: Sequence[str], draw: random.Random) -> Iterator[str]:
    """Definitions with statements behind them, as examples in documents are: the bodies of other functions.

    Libraries hold little code outside functions, documents much of it.
    """
    bodies = []
    for text in texts:
        tree = parsed(text)
        for node in ast.walk(tree) if tree else []:
            if isinstance(node, ast.FunctionDef) and 2 <= len(node.body) <= 14:
                inside = [part for child in node.body for part in ast.walk(child)]
                bound = any(isinstance(part, ast.Return | ast.Yield | ast.YieldFrom | ast.Await) for part in inside)
                own = any(isinstance(part, ast.Name) and part.id in {"self", "cls", "super"} for part in inside)
                lines = text.split("\n")[node.body[0].lineno - 1 : node.end_lineno]
                if not bound and not own and node.body[0].lineno > node.lineno:
                    bodies.append(textwrap.dedent("\n".join(lines)))
    bodies = [body for body in bodies if parsed(body) is not None]
    for text in texts:
        if bodies and draw.random() < 0.5:
            parts = [text, draw.choice(bodies)]
            if draw.random() < 0.3:
                parts.append(draw.choice(texts))
            if draw.random() < 0.2:
                parts.insert(0, draw.choice(bodies))
            yield "\n".join(parts)


def _excerpt(node: ast.stmt, lines: Sequence[str]) -> list[str]:
    """A long class without all but its first short methods."""
    if not isinstance(node, ast.ClassDef):
        return []
    kept = list(lines[node.lineno - 1 : node.body[0].lineno - 1][:1])
    if not kept or not kept[0].rstrip().endswith(":"):
        return []
    for part in node.body:
        piece = lines[part.lineno - 1 - len(getattr(part, "decorator_list", [])) : part.end_lineno]
        if len(piece) < 20 and len(kept) + len(piece) < LONGEST:
            kept += piece
    text = "\n".join(kept)
    return kept if parsed(text) is not None else []


def reasons_of(found: Sequence[Statement], around: Sequence[Context], at: Sequence[int]) -> Counter[str] | None:
    """All reasons along one way, summed."""
    total: Counter[str] = Counter()
    state = START
    for index, (statement, depth, context) in enumerate(zip(found, at, around, strict=True)):
        placed = place(state, index, statement, depth, context)
        if placed is None:
            return None
        state, reasons = placed
        total.update(_counts(reasons))
    return total


def _counts(reasons: Reasons) -> dict[str, int]:
    return {name: int(count) for name, count in reasons.items()}


def fit(samples: Sequence[Sample], rounds: int = ROUNDS, start: Mapping[str, float] = PRIORS) -> dict[str, float]:
    """Averaged weights, starting from some."""
    now: dict[str, float] = defaultdict(float, start)
    total: dict[str, float] = defaultdict(float)
    step = 1
    draw = random.Random(SEED)  # noqa: S311
    order = list(samples)
    for _ in range(rounds):
        draw.shuffle(order)
        wrong = 0
        for item in order:
            step += 1
            ways = best(item.found, item.around, [None] * len(item.found), now)
            chosen = [way.depth for way in ways] if ways else []
            if ways is None or chosen == item.truth:
                continue
            wrong += 1
            truth = reasons_of(item.found, item.around, item.truth)
            taken = reasons_of(item.found, item.around, chosen)
            if truth is None or taken is None:
                continue
            for name in truth.keys() | taken.keys():
                change = truth[name] - taken[name]
                now[name] += change
                total[name] += change * step
        print(f"{wrong} of {len(order)} wrong", flush=True)
    return {name: round(now[name] - total[name] / step, 2) for name in sorted(now) if now[name] - total[name] / step}


def share_right(samples: Sequence[Sample], weight: Mapping[str, float]) -> dict[str, tuple[int, int]]:
    """By length in statements: how many samples come back exactly, of how many."""
    result: dict[str, tuple[int, int]] = {}
    for item in samples:
        ways = best(item.found, item.around, [None] * len(item.found), weight)
        right = ways is not None and [way.depth for way in ways] == item.truth
        for name in (length_class(len(item.found)), "all"):
            count, of = result.get(name, (0, 0))
            result[name] = (count + right, of + 1)
    return result


def length_class(count: int) -> str:
    """The class of a length."""
    return "up to 10" if count <= 10 else "11 to 20" if count <= 20 else "21 to 40" if count <= 40 else "over 40"


def samples_of(folders: Sequence[Path], most: int, seed: int) -> list[Sample]:
    """Samples out of the Python files of folders, a third of them with their blank lines."""
    draw = random.Random(seed)  # noqa: S311
    files = sorted(file for folder in folders for file in folder.rglob("*.py") if "test" not in str(file))
    draw.shuffle(files)
    made = []
    texts = list(pieces(files[:MOST_FILES], draw))
    for text in [*texts, *scripts(texts, draw), *examples(files)]:
        item = sample(text, spaced=draw.random() < 0.33)
        if item is not None:
            made.append(item)
    draw.shuffle(made)
    return made[:most]


def bank_samples(files: Sequence[Path], seed: int) -> list[Sample]:
    """Samples out of the code of our own documents, and of it with statements behind it."""
    draw = random.Random(seed)  # noqa: S311
    texts = [block.text for file in files for question in load_file(file) for block in question.code]
    texts = [text for text in texts if parsed(text) is not None]
    made = (sample(text, spaced=draw.random() < 0.3) for text in [*texts, *scripts(texts, draw)])
    return [item for item in made if item is not None]


def main() -> None:
    """Fits on the folders named and on every second document of the bank, and writes the mean of two fits."""
    folders = [Path(name) for name in sys.argv[1:]]
    own = sorted(BANK.glob("*.md"))[::2]
    fits = [fit(samples_of(folders, MOST_SAMPLES, seed) + 4 * bank_samples(own, seed)) for seed in (SEED, SEED + 1)]
    names = sorted({name for one in fits for name in one})
    weight = {name: round(sum(one.get(name, 0.0) for one in fits) / len(fits), 2) for name in names}
    WEIGHTS.write_text(json.dumps(weight, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Measures memory and search of a question index as it grows: ``make index-bench ARGS="--sizes 5000 20000"``.

The bank's entries are there as they are. Every further question is made of one of them: half of its words are another
entry's, and each of its vectors is the entry's, turned away by noise that is drawn: a part that all vectors of the
question share, and a part of its own. The cosine of a vector to the entry's is about .71, of two questions made of one
entry about .5: as near as different questions on one subject are. So the words are real, and no text has to be embedded
but the bank's. Like documents' questions, they have a text, an answer, and no criteria; with ``--entries`` they have
the criteria's texts as well, and as many vectors as an entry of the bank.

Each size is read by a process of its own without the encoder, which tells what memory is its own (anonymous pages)
after each step, and the processor time of searches for queries that were embedded before.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil

from knowledge.index import disk_store
from knowledge.index.chunking import pieces, titles_of
from knowledge.index.disk_store import SourceEntry
from knowledge.index.near_duplicates import Alike
from knowledge.index.question_index import QuestionIndex
from knowledge.index.shared_vectors import SharedVectors
from knowledge.ingestion.pipeline import is_bank, sync_bank
from knowledge.model import Question, Source
from rubric.model import Examples
from serving import paths
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.heap import return_freed_memory
from serving.models import catalogue
from tests.benchmarks.memory import kilobytes, own
from tests.benchmarks.retrieval import queries
from tests.locations import ROOT

SIZES = (320, 5_000)
"""What is measured where nobody asks for more: two minutes."""

QUERIES = 100
_WORD = re.compile(r"(\w+)")
SHARED, OWN = 0.8, 0.6
"""Length of the noise that the vectors of one question share, and of each vector's own."""

STEPS = ("read", "compared", "words indexed", "searched")
FIGURES = {
    f"growth.{size}_{name}": unit
    for size in SIZES
    for name, unit in (("own_mb", "MB"), ("search_median_ms", "ms"), ("search_p95_ms", "ms"))
}
"""The names of the figures that have budgets, with their units."""


def processor_s(work: Callable[[], object]) -> float:
    """Seconds of processor time of one call, which other work on the machine does not change much."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def most_mb() -> float:
    """The most megabytes that this process has had in memory, libraries included."""
    # What getrusage tells begins with what the process that started this one had.
    (line,) = (each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith("VmHWM:"))
    return kilobytes(line) * 1.024e-3


class Parent(NamedTuple):
    """An entry of the bank that questions are made of.

    Attributes:
        question: the entry.
        rows: its vectors, shape [chunks, dim].
        bare: which of them a document's question has: one of its text, and those of the answer.

    """

    question: Question
    rows: FloatArray
    bare: Sequence[int]


class Known:
    """An embedder that has the vectors of some queries and makes none.

    Args:
        texts: the queries.
        rows: their vectors, shape [queries, dim].
        name: of the model that made them.

    """

    def __init__(self, texts: Sequence[str], rows: FloatArray, name: str) -> None:
        self._rows = dict(zip(texts, rows, strict=True))
        self.name, self.dim = name, rows.shape[1]

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """See ``Embedder``."""
        return np.stack([self._rows[text] for text in texts])

    embed_documents = embed


def parents(embedder: SentenceTransformerEmbedder) -> list[Parent]:
    """The bank with its vectors, which are kept beside the models."""
    with tempfile.TemporaryDirectory() as home:
        index = QuestionIndex.open(Path(home), embedder, SharedVectors(paths.vectors(), is_bank))
        sync_bank(index)
        index.catch_up()
        stored = index.library().stored
    ends = np.cumsum([count for shelf in stored.shelves for count in shelf.chunks])
    bank = [question for shelf in stored.shelves for question in shelf.questions]
    rows = np.split(stored.vectors, ends[:-1])
    result = []
    for question, each in zip(bank, rows, strict=True):
        titles, answer = len(titles_of(question)), len(pieces(question.reference))
        result.append(Parent(question, each, [0, *range(titles, titles + answer)]))
    return result


def mixed(one: str, other: Sequence[str], rng: np.random.Generator) -> str:
    """A text with half of its words another's."""
    parts = _WORD.split(one)
    words = range(1, len(parts), 2)
    drawn = rng.integers(2 * len(other), size=len(words)).tolist()
    for place, number in zip(words, drawn, strict=True):
        if number < len(other):
            parts[place] = other[number]
    return "".join(parts)


def made(number: int, parent: Parent, other: Sequence[str], rng: np.random.Generator, *, entries: bool) -> Question:
    """A question that is made of an entry and another one's words."""
    entry = parent.question
    text = mixed(entry.spoken, other, rng)
    rubric = None
    if entries and entry.rubric is not None:
        criteria = [
            criterion.model_copy(update={"text": mixed(criterion.text, other, rng), "examples": Examples()})
            for criterion in entry.rubric.criteria
        ]
        rubric = entry.rubric.model_copy(update={"criteria": tuple(criteria)})
    return Question(
        id=f"made-{number}", text=text, spoken=text, reference=mixed(entry.reference, other, rng), kind=entry.kind,
        topic=entry.topic, level=entry.level, source=Source(path=f"{number // 500}.md", line=number + 1), rubric=rubric,
    )  # fmt: skip


def write(folder: Path, size: int, bank: Sequence[Parent], model: str, *, entries: bool) -> None:
    """Write an index of so many questions."""
    rng = np.random.default_rng(0)
    words = [re.findall(r"\w+", each.question.reference) for each in bank]
    questions = [each.question for each in bank[:size]]
    counts = [len(each.rows) for each in bank[:size]]
    blocks = [each.rows for each in bank[:size]]
    for number in range(len(questions), size):
        parent = bank[number % len(bank)]
        questions.append(made(number, parent, words[int(rng.integers(len(words)))], rng, entries=entries))
        rows = parent.rows if entries else parent.rows[parent.bare]
        noise = rng.standard_normal((len(rows) + 1, rows.shape[1]), dtype=np.float32)
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        turned = rows + SHARED * noise[0] + OWN * noise[1:]
        blocks.append(turned / np.linalg.norm(turned, axis=1, keepdims=True))
        counts.append(len(rows))
    vectors = np.concatenate(blocks)
    blocks.clear()
    shelf = SourceEntry(source="made", digest="made", questions=tuple(questions), chunks=tuple(counts))
    disk_store.save(folder, [shelf], vectors, model)


def held(folder: Path, *, compares: bool) -> dict[str, float]:
    """What this process needs for the index in a folder.

    Args:
        folder: where it is.
        compares: whether it is found out which questions ask the same; otherwise none are taken to.

    """
    asked = json.loads((folder / "queries.json").read_text())
    embedder = Known(asked, np.load(folder / "queries.npy"), "made")
    this = psutil.Process()

    def megabytes() -> float:
        gc.collect()
        # As a page does every minute.
        return_freed_memory()
        return own([this])

    figures = {"before_mb": megabytes()}

    def step(name: str, seconds_taken: float) -> None:
        figures[f"{name}_mb"], figures[f"{name}_s"] = megabytes(), seconds_taken

    opened = []
    step("read", processor_s(lambda: opened.append(QuestionIndex.open(folder, embedder))))
    index = opened[0]
    if not compares:
        vars(index.library())["alike"] = Alike((), {}, {})
    step("compared", processor_s(lambda: index.leads() and index.library().alike))
    step("words indexed", processor_s(lambda: index.library()._lexical))
    taken = [1000 * processor_s(partial(index.search, text, 5)) for text in [*asked[:5], *asked]][5:]
    step("searched", sum(taken) / 1000)
    figures["peak_mb"] = most_mb()
    figures["median_ms"], figures["p95_ms"] = map(float, np.percentile(taken, [50, 95]))
    figures["asked"] = float(len(index.leads()))
    return figures


def grown(
    size: int,
    bank: Sequence[Parent],
    asked: Mapping[str, FloatArray],
    *,
    entries: bool,
    compares: bool = True,
    keep: Path | None = None,
) -> dict[str, float]:
    """Memory and search of an index of so many questions, in a fresh process.

    Args:
        size: number of questions.
        bank: what they are made of.
        asked: queries with their vectors.
        entries: with as many vectors as the bank's have.
        compares: see ``held``.
        keep: where the index is kept and found again; nowhere if it is left out.

    """
    with tempfile.TemporaryDirectory() as made_for_now:
        folder = keep / f"{size}-{entries}" if keep else Path(made_for_now)
        if not disk_store.current(folder):
            write(folder, size, bank, "made", entries=entries)
        (file,) = folder.glob("gen-*/index.faiss")
        vectors = file.stat().st_size // (4 * len(next(iter(asked.values()))))
        disk = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        (folder / "queries.json").write_text(json.dumps([*asked]))
        np.save(folder / "queries.npy", np.stack([*asked.values()]))
        command = [sys.executable, "-m", "tests.benchmarks.index_growth", "--held", str(folder)]
        command += [] if compares else ["--without-comparing"]
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, env=dict(os.environ))
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {"questions": float(size), "vectors": float(vectors), "disk_mb": disk / 1e6, **figures}


def row(figures: Mapping[str, float]) -> str:
    """The figures of one size as a row of the table."""
    steps = ["before", *STEPS]
    grew = [figures[f"{b}_mb"] - figures[f"{a}_mb"] for a, b in pairwise(steps)]
    took = [figures[f"{name}_s"] for name in STEPS[:3]]
    cells = [
        f"{figures['questions']:,.0f} ({figures['asked']:,.0f} asked)", f"{figures['vectors']:,.0f}",
        f"{figures['vectors'] * 384 * 4e-6:,.0f}", f"{figures['searched_mb'] - figures['before_mb']:,.0f}",
        f"{figures['peak_mb']:,.0f}",
        " / ".join(f"{each:,.0f}" for each in grew), " / ".join(f"{each:.1f}" for each in took),
        f"{figures['median_ms']:.1f} / {figures['p95_ms']:.1f}", f"{figures['disk_mb']:,.0f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| questions | vectors | at 4 bytes a number, MB | own memory, MB | at most, with libraries, MB "
    "| read / compared / words indexed / searched, MB | read / compared / words indexed, s "
    "| a search, median / p95, ms | disk, MB |\n|---|---|---|---|---|---|---|---|---|"
)


def prepared() -> tuple[list[Parent], dict[str, FloatArray]]:
    """The bank with its vectors, and queries with theirs."""
    embedder = SentenceTransformerEmbedder(catalogue.ensure_embedder())
    texts = [query.query for query in queries()[:: max(1, len(queries()) // QUERIES)]][:QUERIES]
    return parents(embedder), dict(zip(texts, embedder.embed(texts), strict=True))


def measure(*, quick: bool = False) -> dict[str, float]:
    """Memory and search at ``SIZES``.

    Args:
        quick: with few questions, to see that it works.

    """
    bank, asked = prepared()
    figures = {}
    for size in SIZES:
        found = grown(min(size, 400) if quick else size, bank, asked, entries=False)
        print(row(found), flush=True)
        figures[f"growth.{size}_own_mb"] = found["searched_mb"] - found["before_mb"]
        figures[f"growth.{size}_search_median_ms"] = found["median_ms"]
        figures[f"growth.{size}_search_p95_ms"] = found["p95_ms"]
    return figures


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed."""
    for size in SIZES:
        mine, median, high = (figures[f"growth.{size}_{n}"] for n in ("own_mb", "search_median_ms", "search_p95_ms"))
        yield f"{size} questions: {mine:.0f} MB, a search {median:.1f} ms, p95 {high:.1f} ms"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of questions")
    parser.add_argument("--entries", action="store_true", help="as many vectors a question as the bank's have")
    parser.add_argument("--without-comparing", action="store_true", help="leave out which questions ask the same")
    parser.add_argument("--keep", type=Path, help="folder in which the indexes are kept, to be measured again")
    parser.add_argument("--held", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.held:
        print(json.dumps(held(given.held, compares=not given.without_comparing)))
        return
    bank, asked = prepared()
    print(HEAD)
    compares = not given.without_comparing
    for size in given.sizes:
        found = grown(size, bank, asked, entries=given.entries, compares=compares, keep=given.keep)
        print(row(found), flush=True)


if __name__ == "__main__":
    main()

"""Measures how well questions are found: ``make retrieval-bench`` (``MODELS="folder …"``, ``DOCUMENTS=folder``,
``ARGS=--rounded``).

Paraphrased queries with the bank's question that each one means (``retrieval_queries*.jsonl``), put to an index of the
bank, and again with the documents' questions as distractors. Dense is the mean cosine of a question's nearest chunks
alone, lexical BM25 alone, fused what the product does. A hit on any question of the right cluster counts, and on one
that a reader of both found to answer the query as well (``also``). The queries are dealt into two halves by their
place, which shows how far the figures depend on the queries.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from knowledge.bank.parser import load_bank
from knowledge.documents.reader import read
from knowledge.extraction.extractor import questions as extracted
from knowledge.index import chunk_vectors
from knowledge.index.question_index import QuestionIndex
from knowledge.index.snapshot import IndexSnapshot
from knowledge.model import Question
from serving.encoders.sentence_encoder import Embedder, SentenceTransformerEmbedder
from serving.frozen import FrozenModel
from serving.models import catalogue

HERE = Path(__file__).parent
DRAWS = 1000

Ranks = np.ndarray


class Query(FrozenModel):
    """A line of the set.

    Attributes:
        query: what somebody types or says.
        id: the bank's question that is meant.
        also: others that answer it as well.
        short: whether it is short and spoken.

    """

    query: str
    id: str
    also: tuple[str, ...] = ()
    short: bool = False


def queries() -> list[Query]:
    """All sets, in the order of the files, each wording once."""
    lines = [
        line for path in sorted(HERE.glob("retrieval_queries*.jsonl")) for line in path.read_text("utf-8").splitlines()
    ]
    return list({query.query: query for query in map(Query.model_validate_json, lines)}.values())


def ranks(scores: np.ndarray, right: Sequence[Sequence[int]]) -> Ranks:
    """Rank of the best of the right questions, from 1, shape [queries]; scores [queries, questions]."""
    own = np.array([row[list(each)].max() for row, each in zip(scores, right, strict=True)])[:, None]
    return 1 + (scores > own).sum(axis=1)


def interval(values: np.ndarray) -> tuple[float, float]:
    """95 % interval of a mean by bootstrap over queries."""
    rng = np.random.default_rng(0)
    means = values[rng.integers(len(values), size=(DRAWS, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def figures(found: Ranks) -> str:
    """recall@1, recall@5 and MRR with their intervals, as cells of a table."""
    cells = []
    for values in (found == 1, found <= 5, 1 / found):
        low, high = interval(values.astype(float))
        cells.append(f"{values.mean():.3f} ({low:.2f}-{high:.2f})")
    return " | ".join(cells)


def scores(library: IndexSnapshot, embedder: Embedder, asked: Sequence[Query]) -> dict[str, np.ndarray]:
    """Scores [queries, questions] of each way of searching; -9 for questions that are not their cluster's lead."""
    made: dict[str, list[np.ndarray]] = {"dense": [], "lexical": [], "fused": []}
    for query, vector in zip(asked, embedder.embed([query.query for query in asked]), strict=True):
        _, meaning, words = library.signals(query.query, vector[None])
        made["dense"].append(meaning)
        made["lexical"].append(words)
        made["fused"].append(library.fused(query.query, meaning, words))
    leads = {question.id for question in library.leads}
    mask = np.array([question.id in leads for question in library.questions])
    return {way: np.where(mask, np.stack(rows), -9.0) for way, rows in made.items()}


def milliseconds(call: Callable[[str], object], texts: Sequence[str]) -> str:
    """Median and 95th percentile of a call, in milliseconds."""
    taken = []
    for text in texts:
        begin = time.perf_counter()
        call(text)
        taken.append(1000 * (time.perf_counter() - begin))
    return f"{np.median(taken):.1f} / {np.percentile(taken, 95):.1f}"


def measure(folder: Path, bank: Sequence[Question], documents: Sequence[Question], asked: Sequence[Query]) -> None:
    """Print the rows of one model."""
    embedder = SentenceTransformerEmbedder(folder)
    embedder.embed(["warm"])
    for name, others in (("bank", ()), ("bank and documents", documents)):
        if name != "bank" and not others:
            continue
        with tempfile.TemporaryDirectory() as home:
            index = QuestionIndex.open(Path(home), embedder)
            begin = time.perf_counter()
            index.replace_all({"bank/all": bank, "documents": others})
            seconds = time.perf_counter() - begin
            library = index.library()
            place = {question.id: number for number, question in enumerate(library.questions)}
            right = [
                [place[library.references(name)[0].question_id] for name in (query.id, *query.also)] for query in asked
            ]
            short = np.array([query.short for query in asked])
            odd = np.arange(len(asked)) % 2 == 1
            for way, rows in scores(library, embedder, asked).items():
                found = ranks(rows, right)
                halves = f"{(found[~odd] == 1).mean():.3f} / {(found[odd] == 1).mean():.3f}"
                lengths = f"{(found[short] == 1).mean():.3f} / {(found[~short] == 1).mean():.3f}"
                print(f"| {embedder.name} | {name} | {way} | {figures(found)} | {halves} | {lengths} |")
                if way == "fused":
                    alone = ranks(rows, [each[:1] for each in right])
                    print(f"only the question that was meant: {figures(alone)}")
                    missed = [(int(found[n]), asked[n].query, asked[n].id) for n in np.flatnonzero(found > 5)]
                    print("not among five:", *missed, sep="\n  ") if missed else None
            took = milliseconds(partial(index.search, k=5), [query.query for query in asked[:50]])
            print(f"{embedder.name}, {name}: indexed in {seconds:.1f} s, a query takes {took} ms (median / p95)")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=Path, nargs="*", default=None, help="folders of embedding models")
    parser.add_argument("--documents", type=Path, default=None, help="folder of documents for distractors")
    parser.add_argument("--rounded", action="store_true", help="round the vectors to 8 bits, as those of many are")
    given = parser.parse_args()
    if given.rounded:
        chunk_vectors.EXACT = 0
    bank = load_bank()
    files = sorted(given.documents.glob("*.txt")) if given.documents else []
    documents = [question for path in files for question in extracted(read(path))]
    known = {question.id for question in bank}
    everything = queries()
    asked = [query for query in everything if query.id in known]
    short = sum(query.short for query in asked)
    print(f"{len(asked)} queries ({short} short), {len(bank)} bank questions, {len(documents)} of documents")
    if len(asked) < len(everything):
        print("no such question:", sorted({query.id for query in everything} - known))
    print("| model | index | way | recall@1 | recall@5 | MRR | recall@1 first / second half | recall@1 short / long |")
    print("|---|---|---|---|---|---|---|---|")
    for folder in given.models or [catalogue.ensure_embedder()]:
        measure(folder, bank, documents, asked)


if __name__ == "__main__":
    main()

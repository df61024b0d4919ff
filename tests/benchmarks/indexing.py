"""Measures an index of 5,000 questions with the real embedding model: ``make index-bench [N]``.

The questions are made of parts (subject, ask, circumstance), so that they share subjects and words as those of many
documents do; their answers are words of the bank's references, as often as they come there: made-up words would be
read in three times as many tokens, so that every answer filled the encoder. Twenty documents of equal size.
"""

from __future__ import annotations

import itertools
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from knowledge.bank.parser import load_bank
from knowledge.index.question_index import QuestionIndex
from knowledge.model import Kind, Level, Question, Source
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue
from tests.benchmarks.timing import seconds

COUNT, SOURCES, WORDS = 5000, 20, 80
QUERIES = 50
ONCE = {
    "index.indexed_s": "indexed",
    "index.clusters_s": "clusters",
    "index.first_query_s": "first query, words indexed",
    "index.replaced_s": "one of the documents replaced",
    "index.replaced_again_s": "the same again",
    "index.opened_s": "opened again",
}
"""What is done once, with what is printed of it."""
OFTEN = {
    "index.query": "query",
    "index.embedding": "of that embedding it",
    "index.search": "searching alone",
    "index.filtered": "searching alone, all filters",
}
"""What is done again and again."""
FIGURES = {
    "index.questions": "",
    "index.vectors": "",
    "index.asked": "",
    **dict.fromkeys(ONCE, "s"),
    **{f"{name}_{what}_ms": "ms" for name in OFTEN for what in ("median", "p95")},
}
"""The names of the figures that are measured here, with their units."""

SUBJECTS = (
    "gradient accumulation", "mixed precision", "the data loader", "activation checkpointing", "weight decay",
    "layer normalisation", "attention masks", "learning rate warmup", "tensor parallelism", "pinned memory",
    "quantisation", "the KV cache", "in-place operations", "custom autograd functions", "forward hooks",
    "distributed sampling", "early stopping", "label smoothing", "graph breaks", "broadcasting", "strided views",
    "state dicts", "random seeds", "beam search", "knowledge distillation",
)  # fmt: skip
ASKS = (
    "How does {} work", "When would you not use {}", "What goes wrong with {}", "How do you test {}",
    "What does {} cost", "How would you explain {}", "Which alternatives to {} are there", "How do you debug {}",
    "What changed about {} in recent releases", "How do you measure {}",
)  # fmt: skip
CASES = (
    "on one GPU", "on eight GPUs", "with tiny batches", "for long sequences", "in production", "on a laptop",
    "with sparse inputs", "for a vision model", "for a language model", "under a memory limit", "in half precision",
    "with compiled models", "for streaming data", "with frozen layers", "during fine-tuning", "in a notebook",
    "over a slow network", "with ragged batches", "for small datasets", "behind an API",
)  # fmt: skip


def made(count: int) -> list[Question]:
    """Questions with answers, the same ones each time."""
    rng = np.random.default_rng(0)
    vocabulary = np.array([word for entry in load_bank() for word in re.findall(r"[A-Za-z]+", entry.reference)])
    kinds, levels = list(Kind), list(Level)
    result = []
    for number, (subject, ask, case) in enumerate(itertools.product(SUBJECTS, ASKS, CASES)):
        text = f"{ask.format(subject)} {case}?"
        result.append(
            Question(
                id=f"q{number}",
                text=text,
                spoken=text,
                reference=" ".join(rng.choice(vocabulary, WORDS)),
                kind=kinds[number % len(kinds)],
                level=levels[number % len(levels)],
                topic=subject,
                source=Source(path=f"{number % SOURCES}.md", line=number + 1),
            )
        )
    return result[:count]


def spread(name: str, call: Callable[[], object]) -> dict[str, float]:
    """Median and 95th percentile of several calls, by the figures' names."""
    median, high = np.percentile([1000 * seconds(call) for _ in range(QUERIES)], [50, 95])
    return {f"{name}_median_ms": float(median), f"{name}_p95_ms": float(high)}


def measure(*, quick: bool = False, count: int = COUNT) -> dict[str, float]:
    """Index and search.

    Args:
        quick: with few questions, to see that it works.
        count: number of questions.

    """
    questions = made(200 if quick else count)
    embedder = SentenceTransformerEmbedder(catalogue.ensure_embedder())
    embedder.embed(["warm"])
    sources = {f"{number}.md": questions[number::SOURCES] for number in range(SOURCES)}
    query = "why does a frozen layer still use memory when I fine-tune"
    vector = embedder.embed([query])
    figures = {"index.questions": float(len(questions))}
    with tempfile.TemporaryDirectory() as home:
        index = QuestionIndex.open(Path(home), embedder)
        figures["index.indexed_s"] = seconds(lambda: index.replace_all(sources))
        figures["index.vectors"] = float(len(index.library().stored.vectors))
        figures["index.clusters_s"] = seconds(lambda: index.library().alike)
        figures["index.asked"] = float(len(index.leads()))
        figures["index.first_query_s"] = seconds(lambda: index.search(query, 5))
        figures |= spread("index.query", lambda: index.search(query, 5))
        figures |= spread("index.embedding", lambda: embedder.embed([query]))
        every = {"topics": (), "kinds": (), "levels": (), "sources": (), "exclude": ()}
        figures |= spread("index.search", lambda: index.library().search(query, vector, 5, **every))
        chosen = {
            "topics": SUBJECTS[:10], "kinds": (Kind.CONCEPT, Kind.CODING), "levels": (Level.MID, Level.SENIOR),
            "sources": ("1.md", "2.md", "3.md", "4.md", "5.md"), "exclude": frozenset(q.id for q in questions[:1000]),
        }  # fmt: skip
        figures |= spread("index.filtered", lambda: index.library().search(query, vector, 5, **chosen))
        changed = [question.model_copy(update={"text": f"{question.text} Really?"}) for question in sources["0.md"]]
        figures["index.replaced_s"] = seconds(lambda: index.replace("0.md", changed))
        figures["index.replaced_again_s"] = seconds(lambda: index.replace("0.md", changed))
        figures["index.opened_s"] = seconds(lambda: QuestionIndex.open(Path(home), embedder))
    return figures


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed."""
    questions, vectors, asked = (figures[f"index.{what}"] for what in ("questions", "vectors", "asked"))
    yield f"{questions:.0f} questions of {SOURCES} documents, {vectors:.0f} vectors, {asked:.0f} questions are asked"
    for name, what in ONCE.items():
        yield f"{what}: {figures[name]:.2f} s"
    for name, what in OFTEN.items():
        yield f"{what}: {figures[f'{name}_median_ms']:.1f} ms, p95 {figures[f'{name}_p95_ms']:.1f} ms"


def main() -> None:
    """Print the figures."""
    print("\n".join(lines(measure(count=int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))))


if __name__ == "__main__":
    main()

"""Measures an index of 5,000 questions with the real embedding model: ``make index-bench [N]``.

The questions are made of parts (subject, ask, circumstance), so that they share subjects and words as those of many
documents do; their answers are made-up words. Twenty documents of equal size.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from knowledge.index.question_index import QuestionIndex
from knowledge.model import Kind, Level, Question, Source
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue

COUNT, SOURCES, WORDS = 5000, 20, 80

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

ENDS = tuple(
    f"{vowel}{end}" for vowel in ("a", "e", "i", "o", "ai", "ou") for end in ("ter", "lin", "ned", "sor", "mic")
)
"""Of the made-up words that answers consist of: these share no more words than answers to different questions do."""


def made(count: int) -> list[Question]:
    """Questions with answers, the same ones each time."""
    rng = np.random.default_rng(0)
    vocabulary = np.array([f"{one}{two}{end}" for one in "bdfgklmnprst" for two in ENDS for end in ENDS])
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


def timed(what: str, call: Callable[[], object], times: int = 1) -> None:
    """Print how long a call takes: once, or the median and the 95th percentile of several."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    if times == 1:
        print(f"{what}: {taken[0]:.2f} s", flush=True)
    else:
        print(f"{what}: {1000 * np.median(taken):.1f} ms, p95 {1000 * np.percentile(taken, 95):.1f} ms", flush=True)


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    questions = made(count)
    embedder = SentenceTransformerEmbedder(catalogue.ensure_embedder())
    embedder.embed(["warm"])
    sources = {f"{number}.md": questions[number::SOURCES] for number in range(SOURCES)}
    query = "why does a frozen layer still use memory when I fine-tune"
    vector = embedder.embed([query])
    with tempfile.TemporaryDirectory() as home:
        index = QuestionIndex.open(Path(home), embedder)
        timed(f"{count} questions of {SOURCES} documents indexed", lambda: index.replace_all(sources))
        print(f"{len(index.library().stored.rows())} vectors")
        timed("clusters", lambda: index.library().alike)
        print(f"{len(index.leads())} of {count} questions are asked")
        timed("first query, words indexed", lambda: index.search(query, 5))
        timed("query", lambda: index.search(query, 5), 50)
        timed("of that embedding it", lambda: embedder.embed([query]), 50)
        every = {"topics": (), "kinds": (), "levels": (), "sources": (), "exclude": ()}
        timed("searching alone", lambda: index.library().search(query, vector, 5, **every), 50)
        chosen = {
            "topics": SUBJECTS[:10], "kinds": (Kind.CONCEPT, Kind.CODING), "levels": (Level.MID, Level.SENIOR),
            "sources": ("1.md", "2.md", "3.md", "4.md", "5.md"), "exclude": frozenset(q.id for q in questions[:1000]),
        }  # fmt: skip
        timed("searching alone, all filters", lambda: index.library().search(query, vector, 5, **chosen), 50)
        changed = [question.model_copy(update={"text": f"{question.text} Really?"}) for question in sources["0.md"]]
        timed(f"one document of {len(changed)} questions replaced", lambda: index.replace("0.md", changed))
        timed("the same again", lambda: index.replace("0.md", changed))
        timed("opened again", lambda: QuestionIndex.open(Path(home), embedder))


if __name__ == "__main__":
    main()

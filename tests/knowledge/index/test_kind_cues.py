from __future__ import annotations

import pytest

from knowledge.index.kind_cues import kind_asked_for, kinds_not_meant
from knowledge.model import Kind


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("a story about chasing NaNs in training", Kind.BEHAVIORAL),
        ("Tell me about a time when a launch went wrong.", Kind.BEHAVIORAL),
        ("How did you settle it?", Kind.BEHAVIORAL),
        ("debugging exercise on p99 latency", Kind.DEBUGGING),
        ("Find the bug in this loop", Kind.DEBUGGING),
        ("Implement an LRU cache", Kind.CODING),
        ("How would you write a ring buffer?", Kind.CODING),
        ("code top-p sampling", Kind.CODING),
        ("context extension code", Kind.CODING),
        ("How would you design a feature store?", Kind.SYSTEM_DESIGN),
        ("system design round on ranking", Kind.SYSTEM_DESIGN),
    ],
)
def test_the_words_of_a_query_name_a_kind(query: str, kind: Kind) -> None:
    assert kind_asked_for(query) is kind


@pytest.mark.parametrize(
    "query",
    [
        "",
        "what to do when a coding agent outgrows its window",
        "how do several ranks write one checkpoint",
        "replacing a function at runtime to debug it",
        "how are the weights designed to be shared",
        "what does the history of a run hold",
        "error-correcting codes",
        "the implementation of autograd",
    ],
)
def test_most_queries_name_none(query: str) -> None:
    assert kind_asked_for(query) is None


@pytest.mark.parametrize("query", ["Why does adding gradients help?", "is quicksort stable", "DDP versus FSDP"])
def test_who_wants_something_explained_means_no_code(query: str) -> None:
    assert kinds_not_meant(query) == {Kind.CODING}


@pytest.mark.parametrize("query", ["LRU cache", "gradient accumulation with no_sync", ""])
def test_a_subject_alone_rules_nothing_out(query: str) -> None:
    assert not kinds_not_meant(query)


def test_a_kind_that_is_named_rules_out_the_others() -> None:
    assert kinds_not_meant("Why? A coding exercise on heaps") == frozenset(Kind) - {Kind.CODING}

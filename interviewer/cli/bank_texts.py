"""What of the bank answers are compared with."""

from __future__ import annotations

from collections.abc import Iterator


def bank_texts() -> Iterator[str]:
    """Every text of the bank that an answer's sentences are compared with: questions, points, example statements."""
    # Parsing the bank takes two seconds; whoever makes a container need not wait for it.
    from knowledge.bank.parser import load_bank
    from rubric.grading.signals import compared_with

    for question in load_bank():
        yield from compared_with(question.text, question.rubric.criteria if question.rubric else ())

"""What the reader reads: a question and a criterion first, then an answer's sentences nearest to the criterion.

A causal model that meets the criterion before the answer's words reads them knowing what to look for, and what comes
before the words is the same for every answer, so that a server reads it once, when the question is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from rubric.grading.prompts import SYSTEM, neutral
from rubric.training.sequence_packing import Packed, Tokenize

LONGEST_QUESTION = 40
"""Words of a question that are read."""

_SHARED = -1


def question_part(question: str) -> str:
    """What all criteria of a question share."""
    words = neutral(question).split()
    short = " ".join(words[:LONGEST_QUESTION]) + (" ..." if len(words) > LONGEST_QUESTION else "")
    return f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\nInterview question: {short}\n\n"


def criterion_part(criterion: str) -> str:
    """What all answers share that a criterion is asked of."""
    return (
        f"Point: {neutral(criterion)}\n"
        "Do the candidate's words make this point, make a part of it, say something wrong about it, or none of these?\n"
        "<<<\n"
    )


def words_part(words: str) -> str:
    """The rest, up to the model's turn.

    Args:
        words: sentences of an answer.

    """
    return f"{neutral(words)}\n>>>\n<|im_end|>\n<|im_start|>assistant\n"


def reader_prompt(question: str, criterion: str, words: str) -> str:
    """All that is read of one criterion."""
    return question_part(question) + criterion_part(criterion) + words_part(words)


def pack(question: str, given: Sequence[tuple[str, Sequence[str]]], tokenize: Tokenize) -> Packed:
    """The reader's prompts for some criteria of one question in one sequence (``rubric.training.sequence_packing``).

    Args:
        question: as asked.
        given: texts of the criteria, each with the words that it is asked of.
        tokenize: the model's.

    """
    tokens = tokenize(question_part(question))
    positions = list(range(len(tokens)))
    # Of which criterion and of which words each token is.
    places = [(_SHARED, _SHARED)] * len(tokens)
    asked = len(tokens)
    last = []
    for number, (criterion, answers) in enumerate(given):
        point = tokenize(criterion_part(criterion))
        tokens += point
        positions += range(asked, asked + len(point))
        places += [(number, _SHARED)] * len(point)
        for place, words in enumerate(answers):
            closing = tokenize(words_part(words))
            tokens += closing
            positions += range(asked + len(point), asked + len(point) + len(closing))
            places += [(number, place)] * len(closing)
            last.append(len(tokens) - 1)
    of = torch.tensor(places).T[:, None]
    own = (of == of.transpose(1, 2)) | (of == _SHARED)
    mask = own.all(dim=0).tril()
    return Packed(torch.tensor([tokens]), torch.tensor([positions]), mask[None, None], torch.tensor(last))

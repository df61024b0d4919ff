"""Prompts of excerpts in one sequence, for a fit to read what they share once."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from rubric.grading.excerpt_prompts import criterion_part, question_part, words_part
from rubric.training.sequence_packing import Packed, Tokenize

_SHARED = -1


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

"""Several prompts of the judge in one sequence, so that what they share is read once.

A question is followed by its criteria, each criterion by the words that it is read beside, and every token attends to
its own prompt alone: a tree attention mask, as in SpecInfer (Miao et al. 2023, section 4.2). Every token also has the
position that it has in its own prompt. So the states are those of the prompts one by one, for a third of the tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch

from rubric.grading.excerpt_prompts import criterion_part, question_part, words_part

Tokenize = Callable[[str], list[int]]
"""Token numbers of a text, nothing added to it."""

_SHARED = -1


class Packed(NamedTuple):
    """Prompts in one sequence of n tokens.

    Attributes:
        tokens: [1, n].
        positions: of each token in its own prompt, [1, n].
        mask: whether the token of a row attends to that of a column, [1, 1, n, n].
        last: places of the prompts' last tokens, one a prompt, [prompts].

    """

    tokens: torch.Tensor
    positions: torch.Tensor
    mask: torch.Tensor
    last: torch.Tensor


def pack(question: str, given: Sequence[tuple[str, Sequence[str]]], tokenize: Tokenize) -> Packed:
    """The judge's prompts for some criteria of one question.

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

"""Several prompts of the judge in one sequence, so that what they share is read once.

The opening of a question is followed by its answers, each answer by its criteria, and every token attends to its own
prompt alone: a tree attention mask, as in SpecInfer (Miao et al. 2023, section 4.2). Every token also has the position
that it has in its own prompt. So the states are those of the prompts one by one, for a third of the tokens.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rubric.grading.prompts import criterion_part, opening_part

if TYPE_CHECKING:
    import torch

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
    """The judge's prompts for some answers to one question.

    Args:
        question: as asked.
        given: the answers, each with texts of criteria.
        tokenize: the model's.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    openings = [tokenize(opening_part(question, answer)) for answer, _ in given]
    alike = itertools.takewhile(lambda column: len(set(column)) == 1, zip(*openings, strict=False))
    tokens = [column[0] for column in alike]
    shared = len(tokens)
    positions = list(range(shared))
    # Of which answer and of which criterion each token is.
    places = [(_SHARED, _SHARED)] * shared
    last = []
    for answer, (opening, (_, criteria)) in enumerate(zip(openings, given, strict=True)):
        tokens += opening[shared:]
        positions += range(shared, len(opening))
        places += [(answer, _SHARED)] * (len(opening) - shared)
        for criterion, text in enumerate(criteria):
            closing = tokenize(criterion_part(text))
            tokens += closing
            positions += range(len(opening), len(opening) + len(closing))
            places += [(answer, criterion)] * len(closing)
            last.append(len(tokens) - 1)
    of = torch.tensor(places).T[:, None]
    own = (of == of.transpose(1, 2)) | (of == _SHARED)
    mask = own.all(dim=0).tril()
    return Packed(torch.tensor([tokens]), torch.tensor([positions]), mask[None, None], torch.tensor(last))


def states(model: Any, packed: Packed) -> torch.Tensor:
    """The model's last states at the prompts' last tokens, [prompts, hidden], float32.

    Args:
        model: a transformer of the ``transformers`` library without an output layer.
        packed: the prompts.

    """
    tokens, positions, mask, last = (part.to(model.device) for part in packed)
    found = model(input_ids=tokens, position_ids=positions, attention_mask=mask, use_cache=False).last_hidden_state
    result: torch.Tensor = found[0, last].float()
    return result

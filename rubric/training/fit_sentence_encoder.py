"""Fits the sentence encoder to the bank's example statements (``make adapt``).

A general sentence encoder hears what a sentence is about; a statement and its opposite are close to it. Here each
way of meeting a criterion is drawn to the others and to the criterion's own text, and pushed away from the
statements that contradict it, from those that only come near, and from those of other criteria, half of them of the
same question: InfoNCE with hard negatives (van den Oord et al. 2018, "Representation Learning with Contrastive
Predictive Coding"; Gao et al. 2021, "SimCSE", section 4). The embeddings of words stay as they are. What changed is
stored by ``serving.models.adapter``.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rubric.model import Criterion
from rubric.training.optimizer import descend
from serving.encoders.sentence_encoder import published
from serving.models import adapter

if TYPE_CHECKING:
    import torch


STEPS = 800
BATCH = 16
"""Criteria in a step."""
LEARNING_RATE = 8e-5
TEMPERATURE = 0.05
LONGEST = 48
"""Tokens of a statement that are read; hardly one is longer."""
OPPOSED = 2
"""Contradicting statements a criterion brings to a step; one that comes near is added."""
SIBLINGS = 3
"""Criteria of one question in a step: those that are most easily taken for each other."""


class Group(NamedTuple):
    """The statements of one criterion.

    Attributes:
        question: id of its question.
        met: the criterion's own text and the statements that meet it; at least two.
        contradicted: statements that contradict it; at least one.
        near: statements that come near.

    """

    question: str
    met: tuple[str, ...]
    contradicted: tuple[str, ...]
    near: tuple[str, ...]


class Batch(NamedTuple):
    """What one step compares.

    Attributes:
        anchors: a statement of each criterion, [n].
        positives: another that says the same, [n].
        negatives: statements that do not, [n * 3], those of one criterion together.
        same: whether the criterion of a row is that of a column, [n, n].

    """

    anchors: list[str]
    positives: list[str]
    negatives: list[str]
    same: list[list[bool]]


def groups(questions: Sequence[tuple[str, Sequence[Criterion]]]) -> list[Group]:
    """The criteria that have statements on both sides, as groups.

    Args:
        questions: id and criteria of each.

    """
    return [
        Group(name, (item.text, *item.examples.met), item.examples.contradicted, item.examples.near)
        for name, criteria in questions
        for item in criteria
        if item.examples.met and item.examples.contradicted
    ]


def batches(data: Sequence[Group], seed: int) -> Iterator[Batch]:
    """Batches without end; the same for the same seed."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    of: dict[str, list[int]] = {}
    for number, group in enumerate(data):
        of.setdefault(group.question, []).append(number)
    names = sorted(of)
    while True:
        chosen: list[int] = []
        while len(chosen) < BATCH:
            mates = of[draw.choice(names)]
            chosen += draw.sample(mates, min(SIBLINGS, len(mates)))
        yield _batch([(number, data[number]) for number in chosen[:BATCH]], draw)


def _batch(chosen: Sequence[tuple[int, Group]], draw: random.Random) -> Batch:
    anchors, positives, negatives = [], [], []
    for _, group in chosen:
        anchor, positive = draw.sample(group.met, 2)
        anchors.append(anchor)
        positives.append(positive)
        negatives += draw.choices(group.contradicted, k=OPPOSED)
        negatives.append(draw.choice(group.near or group.contradicted))
    same = [[row == column for column, _ in chosen] for row, _ in chosen]
    return Batch(anchors, positives, negatives, same)


def fit(
    folder: Path,
    data: Sequence[Group],
    target: Path,
    progress: Callable[[int, int, float], None],
    *,
    seed: int = 0,
    steps: int | None = None,
) -> None:
    """Fit the encoder and write what changed.

    Args:
        folder: the published model.
        data: what it is fitted to.
        target: where the changes are written.
        progress: told how many of how many steps are done, and the loss of the last.
        seed: of the batches.
        steps: how many; left out, ``STEPS``.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    torch.manual_seed(seed)
    model = published(folder)
    encoder = model[0].auto_model
    encoder.train()
    encoder.embeddings.requires_grad_(False)
    learning = {name: value for name, value in encoder.named_parameters() if value.requires_grad}
    before = {name: value.detach().clone() for name, value in learning.items()}
    descend(
        [{"params": list(learning.values()), "lr": LEARNING_RATE}],
        batches(data, seed),
        lambda batch: _loss(batch, lambda texts: _embed(encoder, model.tokenizer, texts, encoder.device.type)),
        progress,
        steps=steps or STEPS,
        rising=0.1,
    )
    adapter.save(target, {name: (learning[name].detach() - old).cpu().float().numpy() for name, old in before.items()})
    save_note(data, target)


def _embed(encoder: Any, tokenizer: Any, texts: list[str], device: str) -> torch.Tensor:
    """Mean of the tokens' states, of length 1: what all-MiniLM-L6-v2 does, [n, dim]."""
    import torch  # noqa: PLC0415

    tokens = tokenizer(texts, padding=True, truncation=True, max_length=LONGEST, return_tensors="pt").to(device)
    with torch.autocast(device, dtype=torch.bfloat16):
        states = encoder(**tokens).last_hidden_state
    mask = tokens["attention_mask"][..., None]
    mean = (states.float() * mask).sum(dim=1) / mask.sum(dim=1)
    return torch.nn.functional.normalize(mean, dim=1)


def _loss(batch: Batch, embed: Callable[[list[str]], torch.Tensor]) -> torch.Tensor:
    """InfoNCE: among all positives and negatives of the batch each anchor finds its own positive."""
    import torch  # noqa: PLC0415

    count = len(batch.anchors)
    vectors = embed(batch.anchors + batch.positives + batch.negatives)
    logits = vectors[:count] @ vectors[count:].T / TEMPERATURE
    # Another row of the same criterion says the same: neither right nor wrong.
    twins = torch.tensor(batch.same, device=logits.device) & ~torch.eye(count, dtype=torch.bool, device=logits.device)
    logits = torch.cat([logits[:, :count].masked_fill(twins, float("-inf")), logits[:, count:]], dim=1)
    return torch.nn.functional.cross_entropy(logits, torch.arange(count, device=logits.device))


def save_note(data: Sequence[Group], target: Path) -> None:
    """Write beside the changes what they were fitted to.

    Args:
        data: what was fitted to.
        target: where the changes lie.

    """
    note = {
        "weights_sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "statements_sha256": statements_digest(data),
        "criteria": len(data),
        "command": "make adapt",
    }
    target.with_suffix(".json").write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")


def statements_digest(data: Sequence[Group]) -> str:
    """SHA-256 of what is fitted to."""
    return hashlib.sha256(json.dumps([list(group) for group in data]).encode()).hexdigest()

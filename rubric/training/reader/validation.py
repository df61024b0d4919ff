"""Validation of the reader: its tasks and their figures."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from rubric.grading.state_head import CLASSES
from rubric.training.reader import examples
from rubric.training.reader.checkpoint import Reader, Settings
from rubric.training.reader.corpus import Entry
from rubric.training.reader.examples import Task

MET, PARTIAL, MISSING, CONTRADICTED = range(len(CLASSES))

_TEMPERATURES = np.geomspace(0.5, 4, 31)


def validation_tasks(entries: Sequence[Entry], settings: Settings) -> dict[str, list[Task]]:
    """What is validated on: excerpts and statements of held-out questions of ours."""
    held = [each for each in entries if each.held_out and each.source != "semeval"]
    parts = {
        "excerpts": examples.natural_excerpt_tasks(held, settings.validated, settings.seed),
        "statements": examples.statement_tasks(held, settings.validated // 2, settings.seed),
    }
    return {name: tasks for name, tasks in parts.items() if tasks}


def figures_of(reader: Reader, tasks: Sequence[Task]) -> dict[str, float]:
    """Figures on some tasks; of examples with several right classes the first counts.

    The loss is that at the best temperature: how sure the judge is, ``make calibrate`` fits later, and weights that
    order better and are too sure are the better ones (Guo et al. 2017).
    """
    from sklearn.metrics import cohen_kappa_score, roc_auc_score  # noqa: PLC0415 - a second of imports

    with torch.no_grad():
        logits = torch.cat([reader.logits(task) for task in tasks]).double().cpu()
    labels = np.array([allowed[0] for task in tasks for allowed in task.allowed])
    chances = logits.softmax(dim=1).numpy()
    right = torch.from_numpy(labels)
    loss = min(torch.nn.functional.cross_entropy(logits / each, right).item() for each in _TEMPERATURES)
    credit, true = chances[:, :2].sum(axis=1), labels <= PARTIAL
    told = credit >= 0.5
    both = 0 < true.sum() < len(true)
    figures = {
        "n": float(len(labels)),
        "loss": loss,
        "kappa": cohen_kappa_score(true, told) if both else math.nan,
        "auc": roc_auc_score(true, credit) if both else math.nan,
        "met denied": _share(~told, labels == MET),
        "contradicted credited": _share(told, labels == CONTRADICTED),
        "missing credited": _share(told, labels == MISSING),
        "partial told": _share(chances.argmax(axis=1) == PARTIAL, labels == PARTIAL),
        "right": float((chances.argmax(axis=1) == labels).mean()),
    }
    return {name: round(float(value), 4) for name, value in figures.items()}


def _share(said: np.ndarray, of: np.ndarray) -> float:
    return float(said[of].mean()) if of.any() else math.nan

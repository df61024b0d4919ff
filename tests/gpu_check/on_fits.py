"""The step about fitting: the same seed gives the same marks, and a fit that was broken off goes on."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.bank.parser import bank_criteria
from rubric.grading import state_head
from rubric.grading.state_head import CLASSES
from rubric.training import fit_judge_layers, optimizer
from rubric.training.labeled_answers import BANK_ANSWERS, Answer, dealt, read_bank_answers
from rubric.training.sequence_packing import pack, states
from serving.models import adapter, catalogue
from serving.models.dequantize import dense
from tests.benchmarks.metrics import kappa
from tests.gpu_check.outcome import SAME_KAPPA, Outcome, bounded
from tests.gpu_check.stage import Stage

STEPS, BROKEN_AT = 60, 30


class StoppedError(Exception):
    """A fit that is broken off on purpose."""


def fits(here: Stage) -> Outcome:
    """Three short fits from the same seed, the third of them broken off and gone on with."""
    import torch
    from transformers import AutoTokenizer

    folder = catalogue.ensure_whole()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def tokenize(text: str) -> list[int]:
        return tokenizer(text, add_special_tokens=False)["input_ids"]

    questions = bank_criteria()
    learned, ours = dealt(read_bank_answers(BANK_ANSWERS, questions))
    optimizer.KEPT_EVERY_S = 0.0
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("first", "second", "continued"):
            target = Path(place) / f"{name}.npz"
            for stop in (BROKEN_AT, None) if name == "continued" else (None,):
                data = fit_judge_layers.PromptSampler(list(questions.values()), learned, seed=0)
                _fit(dense(folder, catalogue.JUDGE_LAYERS, "cuda"), tokenize, data, target, stop)
            torch.cuda.empty_cache()
            found[name] = _kappa(folder, tokenize, target, ours)
    apart = {name: abs(value - found["first"]) for name, value in found.items() if name != "first"}
    passed, message = bounded(apart, SAME_KAPPA, "Difference of κ to the first fit")
    return Outcome(step="fits", passed=passed, message=message, figures=found)


def _fit(model: Any, tokenize: Any, data: fit_judge_layers.PromptSampler, target: Path, stop: int | None) -> None:
    def told(done: int, of: int, loss: float) -> None:
        if done == stop:
            raise StoppedError

    begin = state_head.load().whole
    try:
        fit_judge_layers.fit(model, tokenize, data, target, told, begin=begin, steps=STEPS)
    except StoppedError:
        return


def _kappa(folder: Path, tokenize: Any, changes: Path, answers: list[Answer]) -> float:
    """κ of credited or not, of the head that there is on the states of the model that was fitted."""
    import torch

    model, head = dense(folder, catalogue.JUDGE_LAYERS, "cuda"), state_head.load()
    adapter.add(model, adapter.load(changes))
    logits, labels = [], []
    with torch.inference_mode():
        for answer in answers:
            packed = pack(answer.question, [(answer.text, [item.text for item in answer.criteria])], tokenize)
            logits.append(head.whole.logits(states(model, packed).cpu().numpy()))
            labels += [CLASSES.index(label) for label in answer.labels]
    return kappa(np.array(labels), state_head.softmax(np.concatenate(logits)))

"""The step about fitting: the same seed gives the same marks, and a fit that was broken off goes on."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch

from interviewer.cli.commands.train import bank_questions
from rubric.fitted_weights import ADAPTER
from rubric.training.reader import corpus, sources, tune
from rubric.training.reader.checkpoint import Files, Reader, Settings, load_weights
from rubric.training.reader.fit import Fit
from rubric.training.reader.validation import figures_of, validation_tasks
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue
from tests.gpu_check.outcome import SAME_KAPPA, Outcome, bounded
from tests.gpu_check.stage import Stage

STEPS, BROKEN_AT = 60, 30


def fits(here: Stage) -> Outcome:
    """Three short fits from the same seed, the third of them broken off and gone on with."""
    embedder = CachedEmbedder(SentenceTransformerEmbedder(catalogue.ensure_embedder(), ADAPTER))
    entries = list(sources.entries(bank_questions(), None, embedder))
    settings = Settings(steps=STEPS, validate_every=STEPS)
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("first", "second", "continued"):
            files = Files(Path(place) / name)
            for stop in (BROKEN_AT, None) if name == "continued" else (None,):
                fit = Fit(_reader(settings), entries, files, settings)
                fit.run(progress=lambda done, *_, fit=fit, stop=stop: fit.stop() if done == stop else None)
            found[name] = _kappa(entries, files, settings)
            torch.cuda.empty_cache()
    apart = {name: abs(value - found["first"]) for name, value in found.items() if name != "first"}
    passed, message = bounded(apart, SAME_KAPPA, "Difference of κ to the first fit")
    return Outcome(step="fits", passed=passed, message=message, figures=found)


def _reader(settings: Settings) -> Reader:
    return tune.load_reader(catalogue.ensure_judge(), catalogue.JUDGE_LAYERS, settings, "cuda", None)


def _kappa(entries: list[corpus.Entry], files: Files, settings: Settings) -> float:
    """κ of credited or not on excerpts of held-out questions."""
    reader = _reader(settings)
    load_weights(reader.model, files.latest)
    return figures_of(reader, validation_tasks(entries, settings)["excerpts"])["kappa"]

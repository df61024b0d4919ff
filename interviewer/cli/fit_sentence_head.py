"""Fits the heads that read sentences and whole turns by the judge's states.

``python -m interviewer.cli.fit_sentence_head``. Needs the judge's server; fifteen minutes. States are standardized over
what is fitted to, and each head is stored with that folded in, so that it reads them as they come.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from interviewer.cli.container import Container
from interviewer.cli.output import err
from interviewer.understanding.fit_request_head import fit_standardized, single_sentences, turns_and_answers
from interviewer.understanding.request_head import STATES, TURN_STATES, features, plain, sentence_prompt
from rubric.fitted_weights import ADAPTER
from rubric.training.fit_claim_head import read_states
from serving import paths
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue
from serving.models.adapter import version_of


def main() -> None:
    """Read, fit, and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, default=paths.home(), help="folder of the states")
    wanted = parser.parse_args()
    container = Container()
    try:
        container.judge()
        for path, told in ((STATES, single_sentences()), (TURN_STATES, turns_and_answers())):
            prompts = [sentence_prompt(text) for text, _ in told]
            states = read_states(container.judge_service.client, prompts, wanted.keep / f"{path.stem}-states.npy")
            fit_to_states(path, told, states)
            err.print(f"{len(told)} fitted: {path.name}")
    finally:
        container.close()


def fit_to_states(path: Path, told: Sequence[tuple[str, str]], states: FloatArray) -> None:
    """Fit a head to texts with what each is, and to their states, [n, hidden]; store it there."""
    encoder = SentenceTransformerEmbedder(catalogue.embedder_folder(), ADAPTER)
    said = [plain(text) for text, _ in told]
    read = features(said, np.asarray(encoder.embed(said)))
    kinds = [kind for _, kind in told]
    layers = version_of(catalogue.JUDGE_ADAPTER)
    fit_standardized(path, states, read, kinds, encoder=encoder.name, layers=layers)


if __name__ == "__main__":
    main()

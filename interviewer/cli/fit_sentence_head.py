"""Fits the head that reads sentences by the judge's states: ``python -m interviewer.cli.fit_sentence_head``.

Needs the judge's server; ten minutes. States are standardized over what is fitted to, and the head is stored with that
folded in, so that it reads them as they come.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from interviewer.cli.container import Container
from interviewer.cli.output import err
from interviewer.understanding.fit_request_head import fit_standardized, single_sentences
from interviewer.understanding.request_head import STATES, features, plain, sentence_prompt
from rubric.fitted_weights import ADAPTER
from rubric.training.fit_claim_head import read_states
from serving import paths
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue
from serving.models.adapter import version_of


def main() -> None:
    """Read, fit, and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, default=paths.home() / "sentence-states.npy", help="file of the states")
    wanted = parser.parse_args()
    told = single_sentences()
    container = Container()
    try:
        container.judge()
        states = read_states(container.judge_service.client, [sentence_prompt(text) for text, _ in told], wanted.keep)
    finally:
        container.close()
    encoder = SentenceTransformerEmbedder(catalogue.embedder_folder(), ADAPTER)
    said = [plain(text) for text, _ in told]
    read = features(said, np.asarray(encoder.embed(said)))
    kinds = [kind for _, kind in told]
    layers = version_of(catalogue.JUDGE_ADAPTER)
    fit_standardized(STATES, states, read, kinds, encoder=encoder.name, layers=layers)
    err.print(f"{len(told)} sentences fitted.")


if __name__ == "__main__":
    main()

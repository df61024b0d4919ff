"""Makes the corpus of the reader's fit: ``python -m tests.benchmarks.make_reader_corpus CORPUS --data FOLDER``.

The fit itself (``rubric.training.reader.fit``) needs nothing but this file and the judge's model.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from knowledge.bank.parser import load_bank
from rubric.fitted_weights import ADAPTER
from rubric.training.reader import corpus
from rubric.training.reader.sources import BankQuestion, entries
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models import catalogue


def bank() -> dict[str, BankQuestion]:
    """The bank's questions that have a rubric, by id."""
    return {
        held.id: BankQuestion(held.text, held.rubric.criteria, held.reference) for held in load_bank() if held.rubric
    }


def main() -> None:
    """Make it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="file to write")
    parser.add_argument("--data", type=Path, help="folder with further answers")
    wanted = parser.parse_args()
    embedder = CachedEmbedder(SentenceTransformerEmbedder(catalogue.ensure_embedder(), ADAPTER))
    # The encoder was fitted in the same precision; in single precision it takes three times as long.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = list(entries(bank(), wanted.data, embedder))
    corpus.save(found, wanted.corpus)
    held = sum(each.held_out for each in found)
    sys.stderr.write(f"{len(found)} questions, {held} of them held out of a fit\n")


if __name__ == "__main__":
    main()

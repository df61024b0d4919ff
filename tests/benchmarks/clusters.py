"""Fits and measures which questions ask the same: ``python -m tests.benchmarks.clusters DOCUMENTS``.

The five documents' questions against the list of those that ask the same, made by hand before any figure was seen
(tests/knowledge/index/shared_duplicates.json). Prints the weights that the logistic regression finds, its average
precision on pairs left out (five folds; a group of the list falls into one), and the pairs that the committed weights
join.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from knowledge.documents.reader import read
from knowledge.extraction.extractor import questions
from knowledge.index.near_duplicates import candidates
from knowledge.index.question_index import QuestionIndex
from knowledge.index.snapshot import IndexSnapshot
from serving.encoders.sentence_encoder import Embedder, SentenceTransformerEmbedder
from serving.models import catalogue

LISTED = Path(__file__).parents[1] / "knowledge" / "index" / "shared_duplicates.json"

Pair = tuple[str, str]


def listed(kind: str) -> set[Pair]:
    """Pairs of the list: ``same``, or ``arguable`` ones, which count neither way."""
    groups = json.loads(LISTED.read_text(encoding="utf-8"))[kind]
    return {pair(*both) for group in groups for both in itertools.combinations(group, 2)}


def pair(one: str, other: str) -> Pair:
    """The pair, in order."""
    return (one, other) if one < other else (other, one)


def filled(documents: Path, embedder: Embedder, folder: Path) -> tuple[QuestionIndex, dict[str, str]]:
    """An index of the documents, and each question's id with its name: document.number, from 0 and 1."""
    index = QuestionIndex.open(folder, embedder)
    names = {}
    found = {}
    for document, path in enumerate(sorted(documents.glob("*.txt"))):
        found[path.name] = questions(read(path))
        names.update({held.id: f"{document}.{number}" for number, held in enumerate(found[path.name], start=1)})
    index.replace_all(found)
    return index, names


def joined(library: IndexSnapshot, names: dict[str, str]) -> set[Pair]:
    """The pairs that clusters make one."""
    held = [names.get(question.id, "") for question in library.questions]
    return {
        pair(held[one], held[other])
        for cluster in library.alike.clusters
        for one, other in itertools.combinations(cluster, 2)
        if held[one] and held[other]
    }


def left_out(signals: np.ndarray, right: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Scores of pairs by regressions that have not seen either of their questions."""
    scores = np.zeros(len(right))
    for fold in range(5):
        seen = (folds != fold).all(axis=1)
        scores[folds[:, 0] == fold] = fitted(signals[seen], right[seen]).decision_function(signals[folds[:, 0] == fold])
    return scores


def fitted(signals: np.ndarray, right: np.ndarray) -> LogisticRegression:
    """The regression; a weak penalty, since there are thousands of pairs and six signals."""
    return LogisticRegression(C=5, max_iter=2000).fit(signals, right)


def main() -> None:
    """Print weights and figures."""
    same, arguable = listed("same"), listed("arguable")
    embedder = SentenceTransformerEmbedder(catalogue.ensure_embedder())
    with tempfile.TemporaryDirectory() as folder:
        index, names = filled(Path(sys.argv[1]), embedder, Path(folder))
        library = index.library()
        positions, titles, middles = library.directions()
        compared = candidates([library.questions[position] for position in positions], titles, middles)
        told = [names[library.questions[position].id] for position in positions]
        pairs = [pair(told[a], told[b]) for a, b in zip(compared.first, compared.second, strict=True)]
        counts = np.array([name not in arguable for name in pairs])
        right = np.array([name in same for name in pairs])
        groups = json.loads(LISTED.read_text(encoding="utf-8"))["same"]
        group_of = {name: number for number, group in enumerate(groups) for name in group}
        fold_of = {name: group_of.get(name, number) % 5 for number, name in enumerate(told)}
        folds = np.array([[fold_of[one], fold_of[other]] for one, other in pairs])
        model = fitted(compared.signals[counts], right[counts])
        print("weights", model.coef_[0].round(2), "intercept", model.intercept_[0].round(2))
        scores = left_out(compared.signals[counts], right[counts], folds[counts])
        print(f"average precision left out {average_precision_score(right[counts], scores):.3f}")
        got = joined(library, names)
    hits = len(got & same)
    print(f"precision {hits / len(got - arguable):.3f}, arguable ones as wrong {hits / len(got):.3f}")
    print(f"recall {hits / len(same):.3f} of {len(same)} pairs")
    print("joined wrongly:", sorted(got - same - arguable), "arguable:", sorted(got & arguable))
    print("missed:", sorted(same - got))


if __name__ == "__main__":
    main()

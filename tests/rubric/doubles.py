"""Stand-ins at the seams, for what needs no model: faults and fixed answers."""

import hashlib

import numpy as np

from rubric.grading.signals import CriterionView
from rubric.grading.uncertainty import Limits


class BagOfWords:
    """An embedder whose vectors are hashed word counts: texts with the same words are near."""

    name, dim = "bag-of-words", 512

    def embed(self, texts):
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[int(hashlib.md5(word.strip(".,?!").encode()).hexdigest(), 16) % self.dim] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)

    def embed_documents(self, texts):
        return self.embed(texts)


class Recording(BagOfWords):
    """Keeps the texts it was asked for."""

    def __init__(self):
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        return super().embed(texts)


class Unrelated:
    """A cross-encoder that leans to "something else", whatever it reads."""

    def read(self, pairs):
        return np.tile(np.log(np.array([0.2, 0.2, 0.6], dtype=np.float32)), (len(pairs), 1))


class FixedJudge:
    """A judge that always says the same; or raises, when it is given an error."""

    name, model, digest, spread = "fixed 1", "none", "", None
    limits = Limits(credit=0.65, opposed=0.25, denial=0.35, contradiction=0.5)

    def __init__(self, chances=(0.7, 0.1, 0.1, 0.1), error=None):
        self.chances, self.error, self.asked = chances, error, []

    def probabilities(self, question, answer, criteria, views: list[CriterionView]):
        self.asked.append(answer)
        if self.error:
            raise self.error
        return np.tile(np.array(self.chances, dtype=np.float32), (len(criteria), 1))

    def read_ahead(self, question, criteria, views, stop):
        """Nothing to read."""

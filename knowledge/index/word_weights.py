"""How much each word of a text says of it, and how alike two texts are by their words: pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt

Weights = Mapping[str, float]
"""Weight of each of a text's words; their squares add up to 1."""


def tf_idf(texts: Sequence[Sequence[str]]) -> list[Weights]:
    """How much each word of a text says of it: rarer words more, repeated ones hardly more.

    One plus the logarithm of its count, times one plus the logarithm of how few texts have it, scaled to a length of 1
    (scikit-learn's ``TfidfVectorizer`` with ``sublinear_tf``, which would bring a hundred megabytes of libraries).

    Args:
        texts: the words of each.

    """
    have = Counter(word for words in texts for word in set(words))
    found: list[Weights] = []
    for words in texts:
        counts = Counter(words)
        raw = {
            word: (1 + log(count)) * (1 + log((1 + len(texts)) / (1 + have[word]))) for word, count in counts.items()
        }
        length = sqrt(sum(weight**2 for weight in raw.values()))
        found.append({word: weight / length for word, weight in raw.items()})
    return found


def cosine(one: Weights, other: Weights) -> float:
    """How alike two texts are; 0 where one has no words."""
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())

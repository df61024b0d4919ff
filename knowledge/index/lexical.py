"""Questions by their words: BM25 (library bm25s) over English stems, with identifiers kept whole and split as well."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import Stemmer

from serving.arrays import FloatArray
from serving.heap import left_out

# A word, or an identifier such as nn.Module, state_dict, __init__, channels_last or ZeRO-3.
_TOKEN = re.compile(r"\w+(?:[.-]\w+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LETTERS = re.compile(r"[^\W_]+")
_SPELLED = re.compile(r"\b[A-Za-z](?: [A-Za-z])+\b")

# Words that carry no topic in a question put to somebody.
STOP_WORDS = frozenset((
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "did",
    "do", "does", "explain", "for", "from", "give", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "just", "me", "my", "not", "of", "on", "one", "or", "our", "please", "s", "should", "so", "some", "such",
    "t", "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "up", "us",
    "use", "used", "using", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will",
    "with", "would", "you", "your",
))  # fmt: skip

RELATED = 0.2
"""What a word counts that is not the query's own but another name of something in it."""

# One a thread: a stemmer must not be used by two at once.
_THREAD = threading.local()


def words_of(text: str) -> list[str]:
    """The stems of a text's words in order, stop words left out.

    An identifier gives itself whole (lower case, not stemmed) and the stems of its parts: ``nn.Module`` gives
    ``nn.module``, ``nn``, ``modul``; ``GradScaler`` gives ``gradscaler``, ``grad``, ``scaler``. Letters said one by one
    are one word: ``L R U`` gives ``lru``.
    """
    return list(_words(_SPELLED.sub(lambda match: match[0].replace(" ", ""), text)))


def _words(text: str) -> Iterator[str]:
    stem = _stemmer().stemWord
    for match in _TOKEN.finditer(text):
        token = match[0]
        parts = (_PART if token.isascii() else _LETTERS).findall(token)
        if len(parts) > 1:
            yield token.casefold()
        for part in parts:
            word = part.casefold()
            if word not in STOP_WORDS:
                yield str(stem(word))


def _stemmer() -> Stemmer.Stemmer:
    if not hasattr(_THREAD, "stemmer"):
        _THREAD.stemmer = Stemmer.Stemmer("english")
    return _THREAD.stemmer


class LexicalIndex:
    """BM25 over texts, one a question; never changed once made, so searches need no lock.

    Args:
        texts: one a question.

    """

    def __init__(self, texts: Sequence[str]) -> None:
        # A compiler, which takes 100 MB: sums over so few texts need none.
        with left_out("numba"):
            import bm25s  # noqa: PLC0415 - the page is there before anything is searched

        # It sets itself to tell everybody about every step, when it is imported.
        logging.getLogger("bm25s").setLevel(logging.WARNING)

        corpus = [words_of(text) for text in texts]
        self._size = len(corpus)
        self._bm25 = bm25s.BM25(k1=2.0, b=0.75) if any(corpus) else None
        if self._bm25 is not None:
            self._bm25.index(corpus, show_progress=False)

    def scores(self, query: str, related: Iterable[str] = ()) -> FloatArray:
        """BM25 of every text for a query, shape [texts], 0 where no word is shared.

        Args:
            query: its words count fully.
            related: other names of what it is about; the words in which they differ from the query count ``RELATED``.

        """
        own = words_of(query)
        others = {word for name in related for word in words_of(name)} - set(own)
        return self._scores(own) + RELATED * self._scores(sorted(others))

    def _scores(self, words: Sequence[str]) -> FloatArray:
        known = self._bm25.get_tokens_ids(list(words)) if self._bm25 is not None else []
        if self._bm25 is None or not known:
            return np.zeros(self._size, dtype=np.float32)
        return np.asarray(self._bm25.get_scores_from_ids(known), dtype=np.float32)

"""Reads requests in wordings that no rule knows: a fitted head on the sentence encoder and on words, beside the rules.

The rules are exact where they apply and blind where they end. The head is asked only about what the rules take for an
answer, and only about short utterances; it says nothing unless it is sure, since an answer that is taken for a request
is lost to the person. A second head reads one sentence that stands beside an answer; where the embedded judge's server
is up, a third one does so that reads its states as well, and errs half as often. A fourth and a fifth, without and
with states, tell what a whole turn wants that is no answer. ``fit_request_head`` fits them.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from interviewer.understanding.closing_request import Closing
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.whole_turns.request import ASKS, Request, Wanted
from serving.arrays import FloatArray
from serving.encoders.sentence_encoder import Embedder
from serving.errors import InterviewerError
from serving.llm.client import StateClient
from serving.models import adapter
from serving.models.catalogue import JUDGE_ADAPTER

_log = logging.getLogger(__name__)

WEIGHTS = Path(__file__).parent / "weights" / "request-head.npz"
SENTENCES = Path(__file__).parent / "weights" / "sentence-head.npz"
STATES = Path(__file__).parent / "weights" / "sentence-state-head.npz"
TURNS = Path(__file__).parent / "weights" / "turn-head.npz"
TURN_STATES = Path(__file__).parent / "weights" / "turn-state-head.npz"

NOTHING = "none"
"""What the head for sentences calls a sentence of an answer."""

BESIDE = 0.45
"""Probability from which a sentence is believed to stand beside the answer."""

BESIDE_BY_STATES = 0.6
"""The same for what is no question, where the judge's states were read: they are surer of what they err on."""

_WITHOUT_ITS_WORDS = 0.9
"""The same for what is carried out, and not only replied to, where the sentence has none of its words."""

CARRIED_OUT = frozenset({Closing.TIME.value, Closing.HELP.value, Closing.DONE.value})

WHOLE = 0.6
"""Probability that a turn is no answer, from which it is none. Of 150 requests by writers of whom nothing was fitted
.95 are found, and of answers by them that sound like requests none is (docs/benchmarks/conversation.md)."""

_WHOLE_BY_ENCODER = 0.75
"""The same where the judge's states could not be had: of 150 requests .85 are found."""

_LONGEST_WHOLE = 45
"""Words of the longest turn that is read as a whole."""

_LONGEST_BESIDE = 40
"""Words of the longest sentence that the head is asked about."""

WAITS_S = 1.0
"""Seconds that the model server is waited for with a sentence: the person waits too, and the other head needs none."""

_RESTS_S, _LONGEST_REST_S = 10.0, 160.0
"""Seconds in which it is not asked again after it took longer: many people are being graded then. Twice as many after
each further time, at most the second number; half as many after each time that it answered."""

_TOGETHER = 2
"""Sentences that may be read at a time: a person's last one while the one before, of their draft, is still read."""

STATE_WEIGHT = 4.0
"""How much the judge's state counts beside words of length 1; of 1, 2, 3, and 4 the best by cross-validation."""

LONGEST = 26
"""Words of the longest utterance that the head is asked about."""

NO_ANSWER = 0.5
"""Probability that it is no answer, from which it is taken for a request; what that costs is measured by the tests."""

SURE = 0.3
"""Probability from which the likeliest request is believed."""

_BUCKETS = 4096
"""Places that words and runs of words are hashed into."""

_LONGEST_RUN = 3
_WEIGHT = 2.0
"""How much the encoder's vector counts beside the words, which both have length 1."""

_ASKS = re.compile(
    r"\?|\b(?:what|which|how|why|when|where|who|whether|if|mean\w*|clear\w*|clarif\w*|unclear|underst\w+|confus\w*"
    r"|sure|assum\w*|scope|you|your|you're|question|ask\w*|wonder\w*|know|tell|explain|elaborate|specif\w*"
    r"|example|should"
    r"|shall|can|could|may|am i|is (?:it|this|that|there)|does|do|did|lost|follow|get"
    r"|(?<!one )(?<!two )(?<!three )(?<!five )or)\b"
    r"|^(?:(?:so|and|but|oh|um+|uh+|okay|well|wait|sorry) )*(?:is|are|was|were|am|has|have|had|will|would)\b"
)
"""Words of which every question to the interviewer has one; a statement without any is no question."""

_CODE = re.compile(r"```|\w\(|[=\[\]{}]|\n\s*\n")
_INSISTS = re.compile(r"\W*(?:my |the )?answer\b", re.IGNORECASE)


_WORDS_OF = {
    Closing.TIME.value: re.compile(
        r"\b(?:(?<!load )(?<!run )(?<!step )(?<!real )time|clock|schedule|late|longer|minutes|left|remain\w*"
        r"|how many|how much more|questions?|over)\b(?! (?:a|per) (?:minute|second|day))"
    ),
    Closing.HELP.value: re.compile(
        r"\b(?:hints?|nudge|help|easier|clues?|push|direction|tips?|stuck|lost|simpl\w+|pointers?|guide|lead"
        r"|start(?! over)|look|missing|tell me (?:what|the)|idea|stick|steer|point me|bring me|get me)\b"
    ),
    Closing.DONE.value: re.compile(
        r"\b(?:next|skip\w*|leave|leaving|drop|pass|move|moving|go on|going on|stop|done|swap|another|different"
        r"|finish\w*|enough|rather|else|further|strike|instead|through with|close|scratch)\b"
    ),
    Closing.LATER.value: re.compile(
        r"\b(?:later|back to (?:that|this|it|the|my|your)|afterwards?|at the end|park|hold|first"
        r"|in a (?:bit|minute|moment)|return|if (?:there's|there is|we have) time|another time|pin|owe|remind|aside"
        r"|for now|leave)\b"
    ),
    Closing.TERM.value: re.compile(
        r"\b(?:mean\w*|stands?|terms?|words?|heard|called|defin\w+|explain|plain|remind|know what"
        r"|what(?:'s| is| are|s)(?! (?:it|that|this|your|my|the (?:point|reason|matter|problem))\b))\b"
    ),
    Closing.FORMAT.value: re.compile(
        r"\b(?:interview\w*|questions?|rounds?|report|scores?|marks?|marked|grad\w+|record\w*|format|coding|code|next"
        r"|end|time|minutes?|long|longer|hints?|notes?|feedback|exam|whiteboard|editor|micro\w+|type|typed|typing|speak"
        r"|speaking|done|finish\w*|aloud|out loud|back|skip|break|pause|first|last|start|begin|part|parts|plan\w*"
        r"|many|follow|you|answers?|solution|pseudo\w*|look|google|search|allowed|brief|detail\w*|results?|draw\w*|mic)\b"
    ),
    Closing.REMARK.value: re.compile(r"^[^?]*$"),
}
"""What every sentence of a kind has: a wrong time, hint, or farewell would be worse than none."""


class RequestHead:
    """Tells what is asked for. Safe to use from several threads.

    Args:
        encoder: the one that the head was fitted on; without it, nothing can be told.
        states: the embedded judge's; without them, single sentences are read by the encoder alone.

    """

    def __init__(self, encoder: Embedder | None, states: StateClient | None = None) -> None:
        self._encoder = encoder if encoder is not None and encoder.name == _fitted().encoder else None
        self._states = _StateReader(states) if states is not None and _reads_these_layers() else None

    def request(self, text: str) -> Intent | None:
        """What is asked for; ``None`` where it is likelier an answer, or nothing can be told."""
        if self._encoder is None or len(text.split()) > LONGEST or _CODE.search(text) or _INSISTS.match(text):
            return None
        said = plain(text)
        chances = self._chances(self._encoder, said, _fitted())
        found = decided(chances) if chances is not None else None
        asks = found in {Intent.QUESTION, Intent.CLARIFICATION}
        return None if asks and not _ASKS.search(said) else found

    def whole(self, text: str) -> Wanted | None:
        """What a turn wants, as a whole; ``None`` where nothing can be told."""
        if self._encoder is None or len(text.split()) > _LONGEST_WHOLE or "```" in text or _INSISTS.match(text):
            return None
        state = self._states.state(sentence_prompt(text)) if self._states is not None else None
        fitted = _loaded(TURNS) if state is None else _loaded(TURN_STATES)
        said = plain(text)
        chances = self._chances(self._encoder, said, fitted, state)
        if chances is None:
            return None
        read = wanted(chances, fitted.names, WHOLE if state is not None else _WHOLE_BY_ENCODER)
        return Wanted(None, 0.0) if read.request in ASKS and not _ASKS.search(said) else read

    def beside(self, sentence: str) -> Closing | None:
        """What a sentence says beside an answer; ``None`` where it is a part of one, or nothing can be told."""
        if self._encoder is None or len(sentence.split()) > _LONGEST_BESIDE or _CODE.search(sentence):
            return None
        said = plain(sentence)
        state = self._states.state(sentence_prompt(sentence)) if self._states is not None else None
        fitted = _of_sentences() if state is None else states_head()
        chances = self._chances(self._encoder, said, fitted, state)
        if chances is None:
            return None
        lacking = [name in _WORDS_OF and not _WORDS_OF[name].search(said) for name in fitted.names]
        if state is not None:
            carried_out = np.array([name in CARRIED_OUT for name in fitted.names])
            lacking = (np.array(lacking) & carried_out & (chances < _WITHOUT_ITS_WORDS)).tolist()
        chances = np.where(lacking, 0.0, chances)
        best = int(np.argmax(chances))
        least = BESIDE if state is None or sentence.rstrip().endswith("?") else BESIDE_BY_STATES
        sure = float(chances[best]) >= least * float(chances.sum())
        return Closing(fitted.names[best]) if sure and fitted.names[best] != NOTHING else None

    @staticmethod
    def _chances(encoder: Embedder, said: str, fitted: Fitted, state: FloatArray | None = None) -> FloatArray | None:
        """Probabilities of a head's classes, [classes]; ``None`` where the encoder cannot be had."""
        try:
            read = features([said], encoder.embed([said]))
        except InterviewerError:
            return None
        if state is not None:
            read = np.concatenate([state[None], read], axis=1)
        chances: FloatArray = probabilities(read, fitted)[0]
        return chances


class _StateReader:
    """Reads one sentence at a time, and gives up on a server that others keep busy."""

    def __init__(self, client: StateClient) -> None:
        self._client = client
        self._free = threading.Semaphore(_TOGETHER)
        self._rests_s, self._rests_until = _RESTS_S, 0.0

    def state(self, prompt: str) -> FloatArray | None:
        """The state, [hidden]; ``None`` where it cannot be had in time."""
        # Where it reads two others, many people are here, and each would wait for all before them.
        if time.monotonic() < self._rests_until or not self._free.acquire(blocking=False):
            return None
        # Noted before: two sentences that wait in vain at the same time are one time that it was busy.
        rests_s = self._rests_s
        found: list[FloatArray] = []
        read = threading.Event()
        threading.Thread(target=self._read, args=(prompt, found, read), name="reading-requests", daemon=True).start()
        if not read.wait(WAITS_S):
            self._rests_until = time.monotonic() + rests_s
            self._rests_s = min(_LONGEST_REST_S, 2 * rests_s)
        elif found:
            self._rests_s = max(_RESTS_S, rests_s / 2)
        return found[0] if found else None

    def _read(self, prompt: str, found: list[FloatArray], read: threading.Event) -> None:
        try:
            found.append(self._client.states([prompt])[0].astype(np.float32))
        except InterviewerError as error:
            _log.info("a sentence is read without the judge: %s", error)
        finally:
            self._free.release()
            read.set()


def _reads_these_layers() -> bool:
    """Whether the head was fitted to the layers that are served."""
    if states_head().adapter == adapter.version_of(JUDGE_ADAPTER):
        return True
    _log.warning(
        "sentences are read without the judge: their head is of other layers (interviewer.cli.fit_sentence_head)"
    )
    return False


def sentence_prompt(sentence: str) -> str:
    """What the judge's model reads of a sentence that may be said to the interviewer."""
    return f'A candidate in a job interview says: "{sentence.strip()}"\nWith these words the candidate'


def plain(text: str) -> str:
    """Text as the head reads it: recognized speech has neither capitals nor most marks."""
    return " ".join(re.sub(r"[^\w' ?]+", " ", text.lower().replace("’", "'")).split())


def decided(chances: FloatArray) -> Intent | None:
    """The request that the probabilities speak for clearly; ``None`` where they do not."""
    names = intents()
    answer = sum(float(chance) for name, chance in zip(names, chances, strict=True) if name in ANSWERS)
    best = int(np.argmax(chances))
    if names[best] in ANSWERS or 1 - answer < NO_ANSWER or float(chances[best]) < SURE:
        return None
    return names[best]


def wanted(chances: FloatArray, names: Sequence[str], least: float = WHOLE) -> Wanted:
    """What the probabilities of a head for whole turns speak for: an answer, unless it is clearly none.

    Args:
        chances: [classes].
        names: of the classes.
        least: probability that it is no answer, from which it is none.

    """
    told = {name: float(chance) for name, chance in zip(names, chances, strict=True)}
    answer = told.pop(Intent.ANSWER.value)
    best = max(told, key=lambda name: told[name])
    return Wanted(Request(best), told[best]) if 1.0 - answer >= least else Wanted(None, answer)


def features(texts: Sequence[str], vectors: FloatArray) -> FloatArray:
    """What the head reads of plain texts and their vectors: [n, dim + buckets]."""
    words = np.zeros((len(texts), _BUCKETS), dtype=np.float32)
    for row, text in enumerate(texts):
        said = re.findall(r"[\w']+|\?", text)
        for length in range(1, _LONGEST_RUN + 1):
            for start in range(len(said) - length + 1):
                words[row, zlib.crc32(" ".join(said[start : start + length]).encode()) % _BUCKETS] = 1.0
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1.0)
    return np.concatenate([_WEIGHT * vectors, words], axis=1)


def probabilities(read: FloatArray, fitted: Fitted | None = None) -> FloatArray:
    """Probability of each class of a head, by default each of ``intents()``: [n, dim + buckets] to [n, classes]."""
    head = fitted or _fitted()
    scores = read @ head.weights + head.bias
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: FloatArray = odds / odds.sum(axis=1, keepdims=True)
    return shares


def intents() -> tuple[Intent, ...]:
    """What the head tells apart."""
    return tuple(map(Intent, _fitted().names))


class Fitted(NamedTuple):
    """A softmax regression.

    Attributes:
        weights: [dim + buckets, classes]; where states are read, [hidden + dim + buckets, classes].
        bias: [classes].
        names: of the classes.
        encoder: the one that it was fitted on.
        adapter: version of the judge's fitted layers whose states it was fitted on; empty without states.

    """

    weights: FloatArray
    bias: FloatArray
    names: tuple[str, ...]
    encoder: str
    adapter: str = ""


def _fitted() -> Fitted:
    return _loaded(WEIGHTS)


def _of_sentences() -> Fitted:
    return _loaded(SENTENCES)


def states_head() -> Fitted:
    """The head that reads the judge's states of a sentence, its encoder's vector, and its words."""
    return _loaded(STATES)


@cache
def _loaded(path: Path) -> Fitted:
    with np.load(path) as stored:
        return Fitted(
            stored["weights"].astype(np.float32),
            stored["bias"].astype(np.float32),
            tuple(str(name) for name in stored["intents"]),
            str(stored["encoder"]),
            str(stored["adapter"]) if "adapter" in stored else "",
        )

"""Wordings that no rule knows, read by the fitted head.

Rounds eight and nine of the utterances were written after the rules and before anything was fitted to them. At first
sight rules and head together understood 207 of the 235 of round eight, 202 of the 225 of round nine; the rules alone
139 and 122. Round eight was fitted to afterwards; round nine never was.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from interviewer.understanding import request_head
from interviewer.understanding.closing_request import Closing
from interviewer.understanding.fit_request_head import statements
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.request_head import RequestHead, plain
from interviewer.understanding.utterance import Utterance
from rubric.fitted_weights import ADAPTER
from serving.arrays import FloatArray
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.errors import ServerGoneError
from serving.models.adapter import version_of
from serving.models.catalogue import JUDGE_ADAPTER, ensure_embedder
from tests.interviewer.understanding.test_intent_classifier import labeled

STATEMENTS = 1_000
"""Statements of questions that were left out of the fit; all of them are answers."""


@pytest.fixture(scope="module")
def encoder() -> CachedEmbedder:
    return CachedEmbedder(SentenceTransformerEmbedder(ensure_embedder(), ADAPTER))


def right(meant: Intent, read: Intent) -> bool:
    return read is meant or {read, meant} <= ANSWERS


def test_new_wordings_are_understood(encoder: CachedEmbedder) -> None:
    rows, head = labeled(9), RequestHead(encoder)
    encoder.embed([plain(text) for text, _ in rows])
    read = [(text, meant, Utterance(text, head).intent) for text, meant in rows]
    wrong = [row for row in read if not right(row[1], row[2])]
    assert len(rows) >= 200
    assert 1 - len(wrong) / len(rows) >= 0.85, wrong
    alone = sum(right(meant, Utterance(text).intent) for text, meant in rows)
    assert len(rows) - len(wrong) > alone
    answers = [row for row in read if row[1] in ANSWERS]
    assert [row for row in answers if row[2] not in ANSWERS] == []


def test_at_most_one_answer_in_five_hundred_is_taken_for_a_request(encoder: CachedEmbedder) -> None:
    said = random.Random(0).sample(statements(1), STATEMENTS)
    encoder.embed([plain(text) for text in said])
    head = RequestHead(encoder)
    taken = [text for text in said if Utterance(text, head).intent not in ANSWERS]
    assert len(taken) <= STATEMENTS / 500, taken


def test_what_is_long_is_code_or_is_insisted_on_is_never_read(encoder: CachedEmbedder) -> None:
    head = RequestHead(encoder)
    assert head.request("could we maybe leave this whole thing for another day please") is not None
    assert head.request("could we maybe leave this whole thing for another day please " * 3) is None
    assert head.request("answer: could we maybe leave this whole thing for another day") is None
    assert head.request("could_we(leave, this)") is None
    assert RequestHead(None).request("could we maybe leave this whole thing") is None


def test_the_head_is_of_the_encoder_there_is_and_reads_with_no_other(encoder: CachedEmbedder) -> None:
    assert request_head._fitted().encoder == encoder.name, "run: python -m interviewer.understanding.fit_request_head"
    other = SentenceTransformerEmbedder(ensure_embedder())
    assert RequestHead(other).request("could we maybe leave this whole thing for another day please") is None
    assert set(request_head.intents()) <= set(Intent)


@pytest.mark.parametrize(
    "said",
    [
        "Usually that is handled.",
        "The docs say something about it.",
        "Whatever fits in memory.",
        "Two or three, maybe.",
        "There's a function for that.",
        "I guess the scheduler sorts it out.",
    ],
)
def test_a_short_vague_answer_is_no_question(encoder: CachedEmbedder, said: str) -> None:
    encoder.embed([plain(said)])
    assert Utterance(said, RequestHead(encoder)).intent in ANSWERS


CLOSING_WORDS = Path(__file__).parent / "closing_words.jsonl"
"""What a writer who had not seen the others' wordings has people say beside answers: the answer before it, the words,
and what they are."""

IN_PASSING = {Closing.TIME, Closing.HELP, Closing.DONE}
"""What is carried out, and not only replied to."""


def closing_rows() -> list[tuple[str, str, str]]:
    rows = [json.loads(line) for line in CLOSING_WORDS.read_text(encoding="utf-8").splitlines()]
    return [(row["answer"], row["text"], row["kind"]) for row in rows]


def test_what_is_said_beside_answers_is_understood_in_new_wordings(encoder: CachedEmbedder) -> None:
    """At first sight 113 of 169 were read rightly, 17 as something else, and 39 as a part of the answer."""
    rows, head = closing_rows(), RequestHead(encoder)
    encoder.embed([plain(text) for _, text, _ in rows])
    read = [(kind, head.beside(text)) for _, text, kind in rows]
    requests = [(kind, found) for kind, found in read if kind != request_head.NOTHING]
    right_ones = [found for kind, found in requests if found is not None and found.value == kind]
    others = [pair for pair in requests if pair[1] is not None and pair[1].value != pair[0]]
    assert len(requests) >= 150
    assert len(right_ones) / len(requests) >= 0.6
    assert len(others) / len(requests) <= 0.15, others
    none = [found for kind, found in read if kind == request_head.NOTHING]
    assert [found for found in none if found in IN_PASSING] == []


def test_statements_are_hardly_ever_read_as_said_beside_answers(encoder: CachedEmbedder) -> None:
    said = random.Random(0).sample(statements(1), STATEMENTS)
    encoder.embed([plain(text) for text in said])
    head = RequestHead(encoder)
    taken = [text for text in said if head.beside(text) not in {None, Closing.REMARK}]
    assert len(taken) <= STATEMENTS / 100, taken


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            "I'd cache it on each replica and drop it after a minute. What would you do there, out of curiosity?",
            "opinion",
        ),
        ("I'd cache it on each replica and drop it after a minute. Is that the sort of thing you're after?", "check"),
        ("It keeps the keys and the values of all the earlier tokens. How many more questions are there?", "time"),
        ("I'd send it to the same replica as the one before it. What's a KV cache, though? I never got it.", "term"),
        ("Then I'd take eight cards and a sharded checkpoint in bf16. Give me a moment to sketch it.", "floor"),
    ],
)
def test_what_ends_an_answer_is_read_whatever_it_begins_with(encoder: CachedEmbedder, text: str, kind: str) -> None:
    closing = Utterance(text, RequestHead(encoder)).closing
    assert closing is not None
    assert closing.kind == kind


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Hm, okay, I came prepared for something else. I'd rather drop this one and take the next.", Intent.SKIP),
        ("Oh gosh, that's big. I've never done that. Could I see the numbers, how many users?", Intent.CLARIFICATION),
        ("Okay, let me think aloud for a second. Is it one cloud, and how big are the datasets?", Intent.CLARIFICATION),
    ],
)
def test_a_turn_of_which_no_sentence_answers_is_no_answer(encoder: CachedEmbedder, text: str, intent: Intent) -> None:
    assert Utterance(text, RequestHead(encoder)).intent is intent


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        (
            "We cut the whole pipeline into chunks and measured each one. Could you say the question again?",
            True,
        ),
        ("Then it waits for the whole batch and sends it. And could I hear that one once more?", True),
        ("It asks the question again for each token, and then it samples from what is left of the mass.", False),
    ],
)
def test_who_ends_with_the_wish_to_hear_the_question_again_is_heard(text: str, *, asks: bool) -> None:
    assert Utterance(text).ends_for_repeat is asks


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("I'd rather talk about overload next, if you let me.", Intent.RESUME),
        ("I'd rather talk about something else, if you let me.", Intent.SKIP),
        ("Oh, that's way above me, sorry. Is it okay if I don't answer that?", Intent.SKIP),
        ("We cut it at four percent. I'd rather skip further details on the money if that's okay.", Intent.ANSWER),
        ("Um, equally I guess? No wait. Give me a moment please. I want to think about the middle.", Intent.WAIT),
        ("Oh, we're already at the next one. Um, okay. Could I have the question once more, shorter?", Intent.REPEAT),
        ("Sorry, a tensor? I never put one into a dict. Could we leave that one, I really don't know.", Intent.SKIP),
        ("Am I supposed to type the fix, or is naming the causes enough? And which version", Intent.CLARIFICATION),
        ("It's logging, not login, and sorry which way exactly, the snapshot or the counting.", Intent.CLARIFICATION),
        (
            "Add it to the serving question: a bounded queue per replica, and canceled requests drop out.",
            Intent.EARLIER,
        ),
    ],
)
def test_wishes_of_candidates_are_read(encoder: CachedEmbedder, said: str, wants: Intent) -> None:
    assert Utterance(said, RequestHead(encoder)).intent is wants


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (
            "I'd double the dilation each time, to one, two, and four. Is that alright or do you want the exact count?",
            "enough",
        ),
        ("We cropped the page and pooled each crop to one token. Is that the sort of depth you want?", "enough"),
        ("Measure it in the profiler, near the peak of the card. I'd rather talk about overload next.", "offer"),
        (
            "The heads are strided views of one buffer after that call. Is there anything on strides you want to hear?",
            "offer",
        ),
    ],
)
def test_what_candidates_end_answers_with_is_read(encoder: CachedEmbedder, said: str, kind: str) -> None:
    closing = Utterance(said, RequestHead(encoder)).closing
    assert closing is not None
    assert closing.kind == kind


class States:
    """Gives states as if by the judge, after a while, or not at all."""

    def __init__(self, *, gone: bool = False, wait: threading.Event | None = None) -> None:
        self.asked, self._gone, self.wait = 0, gone, wait

    def states(self, prompts: Sequence[str]) -> FloatArray:
        self.asked += 1
        if self.wait is not None:
            assert self.wait.wait(60.0)
        if self._gone:
            raise ServerGoneError("The model server is not there yet.")
        width = request_head.states_head().weights.shape[0] - request_head._of_sentences().weights.shape[0]
        return np.zeros((len(prompts), width), dtype=np.float32)


ASKS_FOR_TIME = "Where are we with the clock, by the way?"


def test_the_head_that_reads_states_is_of_the_layers_that_are_served() -> None:
    assert request_head.states_head().adapter == version_of(JUDGE_ADAPTER), (
        "python -m interviewer.cli.fit_sentence_head"
    )
    assert request_head.states_head().names == request_head._of_sentences().names


def test_a_sentence_is_read_by_the_encoder_where_the_judge_is_away(encoder: CachedEmbedder) -> None:
    states = States(gone=True)
    assert RequestHead(encoder, states).beside(ASKS_FOR_TIME) is RequestHead(encoder).beside(ASKS_FOR_TIME)
    assert states.asked == 1


def test_a_judge_that_is_busy_is_not_waited_for_twice(encoder: CachedEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_head, "WAITS_S", 0.01)
    end = threading.Event()
    states = States(wait=end)
    head = RequestHead(encoder, states)
    try:
        by_encoder = RequestHead(encoder).beside(ASKS_FOR_TIME)
        assert [head.beside(ASKS_FOR_TIME) for _ in range(3)] == [by_encoder] * 3
        assert states.asked <= 1
    finally:
        end.set()


def test_a_judge_that_stays_busy_is_asked_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(request_head, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(request_head, "_TOGETHER", 100)
    busy, free = threading.Event(), threading.Event()
    free.set()
    states = States(wait=busy)
    reader = request_head._StateReader(states)
    # Busy until second 200 and again from 350: a rest after that is short again.
    asked_at = [0, 10, 30, 70, 150, *range(310, 350, 5), 350, 360, 380]
    try:
        for second in range(0, 400, 5):
            is_free = 200 <= second < 350
            states.wait = free if is_free else busy
            monkeypatch.setattr(request_head, "WAITS_S", 60.0 if is_free else 0.01)
            now = float(second)
            assert (reader.state("A sentence") is not None) == (310 <= second < 350)
            wanted = sum(each <= second for each in asked_at)
            begun = time.monotonic()
            while states.asked < wanted and time.monotonic() - begun < 30:
                time.sleep(0.001)
            assert states.asked == wanted, second
    finally:
        busy.set()


def test_a_judge_that_is_gone_is_not_taken_for_one_that_answers() -> None:
    reader = request_head._StateReader(States(gone=True))
    reader._rests_s = 80.0
    assert reader.state("A sentence") is None
    assert reader._rests_s == 80.0


def test_nobody_waits_while_the_judge_reads_what_others_said(
    encoder: CachedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_head, "WAITS_S", 60.0)
    states = States(wait=(go_on := threading.Event()))
    head, by_encoder = RequestHead(encoder, states), RequestHead(encoder).beside(ASKS_FOR_TIME)
    with ThreadPoolExecutor(3) as pool:
        # A draft's sentence, and the one that is sent meanwhile.
        reading = [pool.submit(head.beside, ASKS_FOR_TIME) for _ in range(2)]
        try:
            while states.asked < 2:
                time.sleep(0.01)
            assert pool.submit(head.beside, ASKS_FOR_TIME).result(60) is by_encoder
            assert states.asked == 2
            assert not any(each.done() for each in reading)
        finally:
            go_on.set()


def test_an_answer_is_read_up_to_its_first_sentence() -> None:
    read: list[str] = []

    class Reader:
        def request(self, text: str) -> None:
            """None."""

        def beside(self, sentence: str) -> None:
            read.append(sentence)

    assert Utterance("The gradient adds up. I would clear it. Then I step.", Reader()).beside_alone is None
    assert read == ["The gradient adds up."]


def test_a_sentence_is_read_by_the_states_where_they_are_there(
    encoder: CachedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted = request_head.states_head()
    always = fitted._replace(weights=fitted.weights * 0, bias=np.eye(len(fitted.names), dtype=np.float32)[0] * 9)
    monkeypatch.setattr(request_head, "states_head", lambda: always)
    found = RequestHead(encoder, States()).beside(ASKS_FOR_TIME)
    assert found is not None
    assert found.value == fitted.names[0]


def test_heads_of_other_layers_are_left_out(encoder: CachedEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    other = request_head.states_head()._replace(adapter="of others")
    monkeypatch.setattr(request_head, "states_head", lambda: other)
    states = States()
    RequestHead(encoder, states).beside(ASKS_FOR_TIME)
    assert states.asked == 0


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        ("Do you mean the acoustic ones, or the semantic ones? They come from different places.", False),
        ("Do you mean the acoustic ones? It quantizes each frame with several codebooks in a row.", True),
    ],
)
def test_why_something_is_asked_makes_no_answer(encoder: CachedEmbedder, said: str, is_answer: bool) -> None:
    reader = RequestHead(encoder)
    assert (Utterance(said, reader).intent in ANSWERS) == is_answer

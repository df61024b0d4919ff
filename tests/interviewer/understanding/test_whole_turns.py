"""Turns read as a whole: requests of writers whose wordings nothing was fitted to, and answers that sound like them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.understanding import request_head
from interviewer.understanding.intent import ANSWERS, Intent
from interviewer.understanding.question_references import subject
from interviewer.understanding.request_head import RequestHead, plain
from interviewer.understanding.utterance import Utterance
from interviewer.understanding.whole_turns.request import AS_INTENT, Request, Wanted
from interviewer.understanding.whole_turns.wordings import WORDINGS, whole_turns
from rubric.fitted_weights import ADAPTER
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.models.adapter import version_of
from serving.models.catalogue import JUDGE_ADAPTER, ensure_embedder


@pytest.fixture(scope="module")
def encoder() -> CachedEmbedder:
    return CachedEmbedder(SentenceTransformerEmbedder(ensure_embedder(), ADAPTER))


TURNS = [
    json.loads(line) for line in (Path(__file__).parent / "whole_turns.jsonl").read_text(encoding="utf-8").splitlines()
]
"""What two writers have people say in interviews, labeled by a third: 140 requests, and 60 answers, ten of which have a
request beside them."""

ALIKE = (
    {Request.TIME, Request.COUNT},
    {Request.THINKING, Request.WAIT},
    {Request.SKIP, Request.SKIP_PART},
    {Request.CHECK, Request.WAS_RIGHT, Request.DOING},
    {Request.WORD, Request.WHICH, Request.ASSUME, Request.SETTING, Request.SIMPLER, Request.EXAMPLE},
)
"""Requests that get the same reply, or nearly."""


def alike(found: Request, kind: Request) -> bool:
    return found is kind or any({found, kind} <= group for group in ALIKE)


def test_requests_are_told_from_answers_at_first_sight(encoder: CachedEmbedder) -> None:
    """By the encoder alone: 125 of 140 are seen, 102 of these rightly; with the judge's states 132 and 112."""
    encoder.embed([plain(turn["text"]) for turn in TURNS])
    head = RequestHead(encoder)
    read = [(turn, head.whole(turn["text"])) for turn in TURNS]
    requests = [(Request(turn["kind"]), wanted) for turn, wanted in read if turn["kind"] != Intent.ANSWER.value]
    seen = [(kind, wanted.request) for kind, wanted in requests if wanted is not None and wanted.request is not None]
    assert len(requests) == 140
    assert len(seen) >= 0.8 * len(requests)
    assert sum(alike(found, kind) for kind, found in seen) >= 0.75 * len(seen)
    answers = [wanted for turn, wanted in read if turn["kind"] == Intent.ANSWER.value and "beside" not in turn]
    assert [wanted for wanted in answers if wanted is not None and wanted.request is not None] == []


def test_what_is_fitted_to_is_none_of_what_is_measured_on() -> None:
    fitted = {text for text, _ in whole_turns()}
    assert len(fitted) >= 3_500
    assert not fitted & {turn["text"] for turn in TURNS}
    kinds = {json.loads(line)["kind"] for line in WORDINGS.read_text(encoding="utf-8").splitlines()}
    assert kinds == {*map(str, Request), Intent.ANSWER.value}


def test_both_heads_are_of_the_models_there_are(encoder: CachedEmbedder) -> None:
    alone, by_states = request_head._loaded(request_head.TURNS), request_head._loaded(request_head.TURN_STATES)
    assert alone.encoder == by_states.encoder == encoder.name, "run: python -m interviewer.cli.fit_sentence_head"
    assert by_states.adapter == version_of(JUDGE_ADAPTER), "run: python -m interviewer.cli.fit_sentence_head"
    assert alone.names == by_states.names


class Reader:
    """Reads each text as what it is given for it, and every other as an answer."""

    def __init__(self, wanted: dict[str, Wanted]) -> None:
        self._wanted = wanted

    def request(self, text: str) -> Intent | None:
        return None

    def beside(self, sentence: str) -> None:
        return None

    def whole(self, text: str) -> Wanted:
        return self._wanted.get(text, Wanted(None, 0.99))


@pytest.mark.parametrize("request_", [each for each in AS_INTENT if each not in {Request.EARLIER, Request.RETURN}])
def test_what_no_rule_knows_is_what_the_head_takes_it_for(request_: Request) -> None:
    said = "so about that loop over there"
    assert Utterance(said, Reader({said: Wanted(request_, 0.9)})).intent is AS_INTENT[request_]
    assert Utterance(said, Reader({})).intent is Intent.ANSWER


def test_an_answer_that_asks_at_its_end_stays_an_answer() -> None:
    answer = "It hashes the key, takes some of the bits as an index, and looks there."
    said = f"{answer} Is that what you were looking for?"
    whole = Wanted(Request.CHECK, 0.99)
    assert Utterance(said, Reader({said: whole})).intent in ANSWERS
    asked = "Is that what you were looking for, or not?"
    assert Utterance(asked, Reader({asked: whole})).intent is Intent.CHECK


@pytest.mark.parametrize(
    "said",
    [
        "When it is two thirds full the table gets a bigger array and all entries move. Just a moment later it's fast.",
        "let me think of it as two loops one along the rows and one along the columns so i'd expect two kernels",
    ],
)
def test_an_answer_with_words_of_a_pause_is_no_pause(said: str) -> None:
    assert Utterance(said, Reader({})).intent is Intent.ANSWER


def test_what_names_no_earlier_question_is_not_added_to_one() -> None:
    said = "do you mean the order in a dict or in a set"
    assert Utterance(said, Reader({said: Wanted(Request.EARLIER, 0.9)})).intent is not Intent.EARLIER


def test_a_question_once_more_is_no_way_back() -> None:
    said = "we're at the next one already, could I have that once more"
    assert Utterance(said, Reader({said: Wanted(Request.RETURN, 0.9)})).intent is Intent.REPEAT


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("I'd like to correct something from the dictionary question: the hash is stored.", "dictionary"),
        ("can we go back to the speculative decoding one", "speculative decoding"),
        ("the question about pinned memory", "pinned memory"),
        ("the next question", ""),
    ],
)
def test_a_question_is_named_by_its_subject(said: str, name: str) -> None:
    assert subject(said) == name


def test_leave_not_to_answer_is_a_wish_to_skip() -> None:
    assert Utterance("That's way above me, sorry. Is it okay if I don't answer that?").intent is Intent.SKIP
    assert Utterance("Is it okay if I don't answer that in code but in words?").intent is not Intent.SKIP
    assert Utterance("I asked my manager, is it okay if we skip that?").intent is not Intent.SKIP

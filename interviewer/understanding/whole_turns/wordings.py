"""What the heads for whole turns are fitted to."""

from __future__ import annotations

import json
from pathlib import Path

from interviewer.understanding.intent import Intent
from interviewer.understanding.whole_turns.request import AS_INTENT, Request

WEIGHTS = Path(__file__).parent.parent / "weights"
WORDINGS = WEIGHTS / "turn-wordings.jsonl"
"""1,975 turns, most of them by six writers, each labeled by whoever wrote it: requests of all kinds, in the manners of
people who speak and of people who type, answers that sound like requests, and answers with a request beside them."""

_OF_INTENT = {
    **{intent: request for request, intent in AS_INTENT.items() if request.value.replace("_", " ") == intent.value},
    Intent.DONT_KNOW: Request.DONT_KNOW,
    Intent.QUESTION: Request.SUBJECT,
    Intent.SLOWER: Request.SIMPLER,
    Intent.ANSWER: Intent.ANSWER,
    Intent.CORRECTION: Intent.ANSWER,
}
"""What the older wordings of an intent are; a clarification may be any of several requests."""

_OF_SENTENCE = {
    "check": Request.CHECK,
    "offer": Request.OFFER,
    "meant": Request.WHICH,
    "case": Request.SETTING,
    "time": Request.TIME,
    "opinion": Request.VIEW,
    "term": Request.WORD,
    "help": Request.HINT,
    "later": Request.LATER,
    "subject": Request.SUBJECT,
    "floor": Request.WAIT,
    "none": Intent.ANSWER,
}
"""What single sentences are as turns of their own, where that is the same."""


def whole_turns() -> list[tuple[str, str]]:
    """All turns with what each is: a request, or an answer."""
    turns = [(row["text"], row["kind"]) for row in _rows(WORDINGS)]
    older = [(row["text"], _OF_INTENT.get(Intent(row["intent"]))) for row in _rows(WEIGHTS / "request-wordings.jsonl")]
    single = [(row["text"], _OF_SENTENCE.get(row["kind"])) for row in _rows(WEIGHTS / "sentence-wordings.jsonl")]
    return turns + [(text, kind.value) for text, kind in older + single if kind is not None]


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

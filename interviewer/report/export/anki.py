"""The study plan as an Anki deck. A point keeps its card: a deck imported again updates what is there."""

from __future__ import annotations

import hashlib
import re
import tempfile
from html import escape
from pathlib import Path

import genanki

from interviewer.report.phrases import common
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.study import StudyItem
from interviewer.text import shortened, visible

DECK = "Mock interview"

_LONGEST = 5_000
_SPECIAL = re.compile(r"[\[\]{}\\]")

_FRONT = '<div class="front mathjax_ignore tex2jax_ignore">{{Front}}</div>'
_BACK = '{{FrontSide}}<hr id="answer"><div class="back mathjax_ignore tex2jax_ignore">{{Back}}</div>'
_STYLE = (
    ".card { max-width: 40em; margin: 1em auto; font: 1.1em/1.5 sans-serif; text-align: left; }\n"
    ".label { color: #6b6459; font-size: .8em; } .nightMode .label { color: #b8b0a2; }"
)


def anki_deck(findings: Findings) -> bytes:
    """The study plan as an Anki package (``.apkg``): one card a point, none where nothing was missed.

    The front asks, the back tells the point, why it matters, how to say it, and where it is from. All of
    it is escaped: no document's text becomes HTML, a sound, a field or a formula.

    Raises:
        OSError: no temporary file could be written.

    """
    deck = genanki.Deck(_number("deck"), DECK)
    for item in findings.study:
        deck.add_note(_note(item))
    # The time the notes were made: without it every export would differ.
    made = findings.last.timestamp() if findings.last else 0.0
    with tempfile.TemporaryDirectory(prefix="interview-deck-") as folder:
        path = Path(folder) / "deck.apkg"
        genanki.Package(deck).write_to_file(str(path), timestamp=made)
        return path.read_bytes()


def _note(item: StudyItem) -> genanki.Note:
    return genanki.Note(
        model=_model(),
        fields=[_text(_written(item.prompt)), _back(item)],
        guid=f"interview-{item.key}",
        tags=["interview", f"topic::{re.sub(r'[^A-Za-z0-9]+', '-', item.topic)[:60].strip('-') or 'other'}"],
    )


def _back(item: StudyItem) -> str:
    parts = [f"<p><b>{_text(item.say)}</b></p>"]
    labeled = [
        ("Why it matters", item.why),
        ("A common misconception", item.misconception),
        ("Say it like this", _written(item.example)),
        ("The question it belongs to" if item.retry.same else "Then try", _written(item.retry.spoken)),
        ("Source", item.source.title),
    ]
    parts += [f'<p><span class="label">{name}</span><br>{_text(text)}</p>' for name, text in labeled if text.strip()]
    return "".join(parts)


def _written(spoken: str) -> str:
    """A question or statement as one writes it; a blank one stays as it is, since a card needs a front."""
    return common.written(spoken) or spoken


def _text(text: str) -> str:
    """Untrusted text as HTML in which Anki finds no tag, sound, field or formula of its own."""
    shown = escape(visible(shortened(text, _LONGEST)))
    return _SPECIAL.sub(lambda found: f"&#{ord(found.group())};", shown).replace("\n", "<br>")


def _model() -> genanki.Model:
    return genanki.Model(
        _number("model"),
        "Mock interview point",
        fields=[{"name": "Front"}, {"name": "Back"}],
        templates=[{"name": "Card", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE,
    )


def _number(name: str) -> int:
    """A number that stays the same for ever, as Anki wants one for a deck and for a note type."""
    return int(hashlib.sha256(f"torch-interviewer {name}".encode()).hexdigest()[:8], 16)

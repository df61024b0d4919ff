"""For print: what others said of a mark, the parts of a story or design, how it was spoken, and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interviewer.report.phrases import common, contested_marks, delivery
from interviewer.report.phrases import study as study_words
from interviewer.report.render.pdf.text import code, line, styles
from interviewer.report.schema.delivery import Manner
from interviewer.report.schema.question import CriterionFinding, QuestionFinding
from interviewer.text import shortened

_MOST = 600
"""Characters of a text that stands in full elsewhere in the report."""


def _p(markup: str, style: str = "meta") -> Any:
    from reportlab.platypus import Paragraph  # noqa: PLC0415 (half a second that only print has to wait for)

    return Paragraph(markup, styles()[style])


def _short(text: str) -> str:
    return line(shortened(text, _MOST))


def contested(found: CriterionFinding) -> Iterator[Any]:
    """Who overrode a mark, and what became of a dispute."""
    if found.overridden:
        note = f" Note: {_short(found.overridden.note)}" if found.overridden.note else ""
        judged = line(contested_marks.judged(found.overridden))
        yield _p(f"<b>Overridden by {_short(found.overridden.by)}</b>; {judged}.{note}")
    if found.dispute is None:
        return
    reason = f" Your reason: {_short(found.dispute.reason)}" if found.dispute.reason else ""
    yield _p(f"<b>You dispute this mark.</b>{reason}")
    second = found.dispute.second
    if second is None:
        yield _p(line(contested_marks.NO_SECOND))
        return
    yield _p(line(f"{contested_marks.named_first_reading(found)}."))
    yield _p(line(f"Second reading, {contested_marks.second_read(second)}: {contested_marks.reading_result(second)}."))
    yield _p(line(contested_marks.readings_compared(found)))


def stages(question: QuestionFinding) -> Iterator[Any]:
    """The parts of a story or of a design, and how many points on each were made."""
    told = study_words.told_stages(question)
    if told:
        yield _p(line(study_words.stages_title(question)), "sub")
    for name, said in told:
        yield _p(f"<b>{line(name)}</b>: {line(said)}", "list")


def spoken(found: Manner) -> Iterator[Any]:
    """How the answers were spoken, without its heading."""
    yield _p(line(delivery.APART))
    for said in [*delivery.details(found), *delivery.heard_lines(found)]:
        yield _p(_short(said), "list")
    for example in found.examples:
        yield _p(_short(f"{delivery.example(example)}."), "list")


def notes(text: str) -> Iterator[Any]:
    """What the person noted for themselves, without its heading."""
    yield _p(line(common.NOTES_APART))
    yield from code(text)

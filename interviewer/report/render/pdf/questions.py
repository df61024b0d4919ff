"""For print: what was said and judged, question by question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from interviewer.report.phrases import code as code_words
from interviewer.report.phrases import common, reference
from interviewer.report.render.charts.drawing import drawn
from interviewer.report.render.evidence_spans import pieces
from interviewer.report.render.marked_reference import marked_tokens
from interviewer.report.render.pdf import sections
from interviewer.report.render.pdf.blocks import heading, p, quoted, rule
from interviewer.report.render.pdf.markdown import LACKING_STYLE, MADE_STYLE, document, parsed
from interviewer.report.render.pdf.plan_pages import picture
from interviewer.report.render.pdf.text import (
    MARKED,
    PANEL,
    SOFT,
    VERDICT_INK,
    Run,
    code,
    inline,
    line,
    paragraphs,
    prose,
    styles,
)
from interviewer.report.schema.code import CodeFinding
from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import CriterionFinding, QuestionFinding, Turn, TurnKind
from interviewer.session.plan import SegmentKind
from interviewer.text import shortened
from rubric.coding.result import CodeStatus


def question_pages(question: QuestionFinding, view: View) -> Iterator[Any]:
    """All about one question; without the reference for an interviewer."""
    yield rule()
    yield from heading(f"{question.number}. {common.question_title(question)}", "item", 1)
    status = common.status(question)
    facts = line(shortened(" · ".join(common.facts(question)), 200))
    yield p(f"{facts} · {question.minutes} min planned · {status}", "meta")
    yield p(line(shortened(common.marks(question), 1_000)), "meta")
    if question.text != question.spoken or len(question.text) > 110:
        yield p("The question as shown", "label")
        yield from document(question.text)
    yield p("What was said", "sub")
    yield from chain.from_iterable(map(_turn, question.transcript))
    if question.drawing:
        yield from picture(drawn(question.drawing, question.number))
    if question.code:
        yield from _code(question.code)
    yield from _corrections(question)
    if question.criteria:
        yield p("Point by point", "sub")
        if not question.graded_all_said:
            yield p(common.NOT_ALL_GRADED, "meta")
        yield from chain.from_iterable(map(_criterion, question.criteria))
    yield from sections.stages(question)
    if question.why_it_matters:
        yield p("Why it matters at work", "sub")
        yield from _sentence(question.why_it_matters)
    if view is not View.INTERVIEWER:
        yield from _reference(question)


def talk_pages(findings: Findings, part: SegmentKind) -> Iterator[Any]:
    """What was said in a part without marks."""
    for talk in findings.talks:
        if talk.part is part:
            yield rule()
            yield from heading(common.TALKS[part], "item", 1)
            yield p(common.NOT_GRADED, "meta")
            yield from chain.from_iterable(map(_turn, talk.transcript))


def _sentence(text: str, style: str = "body") -> Iterator[Any]:
    """A sentence of the bank with its inline code; as plain text where it is too long to be one."""
    if len(text) > 3_000:
        yield from paragraphs([Run(text)], styles()[style])
    else:
        yield p(prose(text), style)


def _turn(turn: Turn) -> Iterator[Any]:
    yield p(inline(common.turn_label(turn)), "label")
    if turn.kind is TurnKind.SKIP:
        yield p(common.skipped(turn), "answer")
    elif turn.kind is TurnKind.ANSWER:
        yield from paragraphs(_runs(turn), styles()["answer"])
    else:
        said = common.said(turn) or (common.HINT_GIVEN if turn.kind is TurnKind.HINT else "")
        yield from paragraphs([Run(said)], styles()["said"])
    if turn.ungraded:
        yield p(f"Not graded: {line(shortened(common.clause(turn.ungraded), 600))}.", "meta")
    if turn.place:
        yield p(f"From {line(shortened(common.without_line(turn.place), 400))}.", "meta")
    if turn.outcome:
        yield p(common.outcome(turn), "meta")


def _runs(turn: Turn) -> Iterator[Run]:
    """An answer with its evidence marked, and the points it earned named behind it."""
    for piece in chain(*pieces(turn)):
        if not piece.under:
            yield Run(piece.text)
            continue
        ground = MARKED.get(piece.under[0].verdict, PANEL)
        yield Run(piece.text, f'<font backColor="{ground}">', "</font>")
        for mark in piece.ends:
            ink = VERDICT_INK[mark.verdict] if mark.sure else SOFT
            named = f"{mark.number} {common.mark_word(mark.verdict, sure=mark.sure, credit=mark.credit)}"
            yield Run("", after=f' <font face="sans-bold" size="6.8" color="{ink}">[{named}]</font> ')


def _criterion(found: CriterionFinding) -> Iterator[Any]:
    ink = VERDICT_INK[found.verdict] if found.sure else SOFT
    yield p(
        f'<font face="sans-bold" color="{ink}">{found.number} {inline(common.verdict(found))}</font>'
        f'   <font face="sans" color="{SOFT}">{inline(common.weight(found))}</font>',
        "label",
    )
    yield from _sentence(found.text)
    yield from sections.contested(found)
    if found.arithmetic:
        yield p(line(found.arithmetic), "meta")
    if found.reason:
        yield p(line(common.reason(found)), "meta")


def _corrections(question: QuestionFinding) -> Iterator[Any]:
    for correction in question.corrections:
        yield p(common.correction(correction), "sub")
        yield p(quoted(correction.quotes), "quote")
        yield p("In fact", "label")
        yield from _sentence(correction.right)
        if correction.misconception and correction is question.corrections[0]:
            yield p("A common misconception", "label")
            yield from _sentence(correction.misconception)
        if correction.proof:
            yield p(common.SEE_FOR_YOURSELF, "label")
            yield from code(correction.proof)


def _code(found: CodeFinding) -> Iterator[Any]:
    yield p("Your code", "sub")
    yield p(line(shortened(code_words.code_verdict(found), 600)))
    for test in found.result.tests:
        if test.status is not CodeStatus.PASSED:
            message = line(shortened(f"{test.title}. {test.message}", 900))
            yield p(f"<b>{test.status.replace('_', ' ').capitalize()}</b>: {message}")
        for case in test.failing:
            yield from code(f"input:    {case.put_in}\nexpected: {case.expected}\ngot:      {case.got}")
    for told in code_words.timings(found.result):
        yield p(line(told), "meta")
    for attempt in found.attempts:
        yield p(line(code_words.attempt(attempt)), "label")
        yield from code(attempt.diff or "Nothing changed.")
    if found.solution:
        yield p("Our solution", "label")
        yield from code(found.solution)


def _reference(question: QuestionFinding) -> Iterator[Any]:
    place = line(shortened(common.source(question), 400))
    if not question.reference:
        yield p(f"{common.NO_REFERENCE} From {place}.", "meta")
        return
    yield p(reference.REFERENCE, "sub")
    if not question.reference_sentences:
        yield from document(common.introduced(question.reference))
    else:
        shaded, underlined = "Shaded".join(MADE_STYLE), "Underlined".join(LACKING_STYLE)
        told = f"{shaded}: {reference.MADE}. {underlined}: {reference.LACKING}. "
        yield p(told + reference.not_marked(question), "meta")
        yield from parsed(marked_tokens(question))
    if question.flags:
        yield p(common.NOT_TO_BE_TRUSTED)
        for flag in question.flags:
            yield from paragraphs([Run(flag.reason)], styles()["list"], bulletText="•")
    reading = f". Further reading: {line(shortened('; '.join(question.reading), 900))}" if question.reading else ""
    yield p(f"From {place}{reading}.", "meta")

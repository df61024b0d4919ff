"""The report as PDF, set from the findings like every other form of it."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from interviewer.events import Part
from interviewer.report import confidence_words, contested_words, manner_words, paper_parts, study_words, words
from interviewer.report.model import (
    CodeFinding,
    CriterionFinding,
    Findings,
    Highlight,
    QuestionFinding,
    Quote,
    Standing,
    Turn,
    TurnKind,
    View,
)
from interviewer.report.paper import (
    LINK,
    MARKED,
    PANEL,
    RULE,
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
from interviewer.report.paper_markdown import document
from interviewer.report.picture import Picture
from interviewer.report.pictures import pictures
from interviewer.report.pieces import pieces
from rubric.execution import CodeStatus

_MARGIN = 54.0
_SIGNS = {"computed": "=", "judged": "◆", "yours": "“", "written": "§"}
_SWATCHES = {
    "bar": "#0a5f94",
    "bar-helped": "#5aaddb",
    "bar-hinted": "#e8a31c",
    "bar-none": "#ddd7ca",
    "paper": "#ffffff",
}
_SETTING = threading.Lock()
"""The setter keeps what it used of a font in the font itself: one report at a time."""


def render_pdf(findings: Findings) -> bytes:
    """The whole report as a PDF for A4, with bookmarks and page numbers; the same findings give the same bytes."""
    from reportlab.lib.pagesizes import A4  # noqa: PLC0415 (half a second that only print has to wait for)
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate  # noqa: PLC0415

    from interviewer.report.pages import numbered  # noqa: PLC0415

    written = io.BytesIO()
    width, height = A4
    when = f", {words.moment(findings.started)}" if findings.started else ""
    page = BaseDocTemplate(
        written,
        pagesize=A4,
        title=f"Interview report{when}",
        author="",
        subject="",
        creator="",
        lang="en",
        invariant=1,
        pageCompression=1,
    )
    frame = Frame(_MARGIN, _MARGIN, width - 2 * _MARGIN, height - 2 * _MARGIN, 0, 0, 0, 0)
    page.addPageTemplates([PageTemplate("report", [frame])])
    with _SETTING:
        styles()
        page.build(list(_story(findings)), canvasmaker=numbered(f"Interview report{when}"))
    return written.getvalue()


def _story(findings: Findings) -> Iterator[Any]:
    yield from _first_page(findings)
    drawn = pictures(findings)
    if drawn:
        yield from _heading("At a glance", "section", 0)
    for picture in drawn:
        yield from _picture(picture)
        if picture.name == "confidence":
            yield _p(line(confidence_words.HOW_CONFIDENT), "meta")
    if findings.questions or findings.talks:
        yield from _heading("Question by question", "section", 0)
        yield from _talks(findings, Part.WARM_UP)
        yield from chain.from_iterable(_question(question, findings.view) for question in findings.questions)
        yield from _talks(findings, Part.THEIR_QUESTIONS)
    if findings.manner:
        yield from _heading(manner_words.MANNER, "section", 0)
        yield from paper_parts.manner(findings.manner)
    if findings.study:
        yield from _heading(study_words.STUDY, "section", 0)
        yield from paper_parts.study(findings)
    yield from _how_made(findings)


# What all parts share


def _p(markup: str, style: str = "body") -> Any:
    from reportlab.platypus import Paragraph  # noqa: PLC0415

    return Paragraph(markup, styles()[style])


def _space(points: float) -> Any:
    from reportlab.platypus import Spacer  # noqa: PLC0415

    return Spacer(1, points)


def _by(*makers: str) -> str:
    signs = "  ".join(f"{_SIGNS[maker]} {maker}" for maker in makers)
    return f'  <font face="sans" size="7" color="{SOFT}">{signs}</font>' if makers else ""


def _heading(title: str, style: str, level: int, *makers: str) -> Iterator[Any]:
    from interviewer.report.pages import Bookmark  # noqa: PLC0415

    short = words.shortened(" ".join(words.visible(title).split()), 120)
    yield Bookmark(short, level)
    yield _p(line(words.shortened(title, 240)) + _by(*makers), style)


def _rule() -> Any:
    from reportlab.platypus import HRFlowable  # noqa: PLC0415

    rule = HRFlowable(width="100%", thickness=0.7, color=RULE, spaceBefore=10, spaceAfter=6)
    rule.keepWithNext = 1
    return rule


def _labelled(label: str, markup: str) -> Any:
    return _p(f'<font face="sans-bold" size="7.8" color="{SOFT}">{inline(label)}</font>  {markup}')


def _quoted(quotes: Sequence[Quote], most: int = 400) -> str:
    said = " … ".join(f"“{line(words.shortened(quote.text, most))}”" for quote in quotes[:3])
    more = f" (and {len(quotes) - 3} more, marked in the answer)" if len(quotes) > 3 else ""
    return f"<i>{said}</i>{more}"


def _panel(rows: Sequence[Any], colour: str) -> Any:
    """Short paragraphs on a panel with a bar to its left."""
    from reportlab.platypus import Table  # noqa: PLC0415

    looks = [
        ("BACKGROUND", (0, 0), (-1, -1), PANEL),
        ("LINEBEFORE", (0, 0), (0, -1), 2.5, colour),
        ("LEFTPADDING", (0, 0), (-1, -1), 12),
        ("RIGHTPADDING", (0, 0), (-1, -1), 10),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ("TOPPADDING", (0, 0), (-1, 0), 7),
        ("BOTTOMPADDING", (0, -1), (-1, -1), 7),
    ]
    return Table([[row] for row in rows], style=looks, colWidths=["100%"], spaceBefore=8, spaceAfter=8)


# The first page


def _first_page(findings: Findings) -> Iterator[Any]:
    yield from _heading("Interview report", "title", 0)
    when = f"{words.moment(findings.started)} · {words.duration(findings.seconds)} · " if findings.started else ""
    ended = words.ENDED[findings.ended] if findings.ended else "The interview is still open."
    yield _p(f"{when}Planned: {line(words.shortened(words.planned(findings), 600))}. {ended}", "meta")
    if findings.view is View.INTERVIEWER:
        yield _p(line(study_words.INTERVIEWER_VIEW), "meta")
    if findings.made.criteria_overridden:
        yield _p(line(words.shortened(contested_words.how_overridden(findings), 600)), "meta")
    if findings.standing:
        yield _p(line(words.shortened(words.result(findings.standing), 400)) + _by("computed"), "result")
        yield _scale(findings.standing)
        yield _p(line(words.how_sure(findings.standing)), "meta")
    if not findings.overall.asked or words.without_score(findings):
        yield _p(words.without_score(findings))
    if not findings.overall.asked:
        return
    yield _scores(findings)
    yield _sides(findings)
    yield from _fix(findings)
    legend = "   ".join(
        f'<font face="sans-bold">{_SIGNS[maker]} {maker}</font> {told};' for maker, told in words.MADE_BY
    )
    yield _p(f"{legend.rstrip(';')}.", "meta")


def _scores(findings: Findings) -> Any:
    from reportlab.platypus import Table  # noqa: PLC0415

    tally = findings.overall
    scores = [
        ("Unaided", tally.unaided, tally.graded_unaided),
        ("With follow-ups and hints", tally.final, tally.graded),
    ]
    if tally.self_assessed is not None:
        scores.append((words.WITH_OWN, tally.self_assessed, tally.graded_self_assessed))
    cells = [
        [
            _p(title, "label"),
            _p(words.percent(score), "big"),
            _p(f"of 100, over {words.count(over, 'question')}", "meta"),
        ]
        for title, score, over in scores
    ]
    facts = [
        _labelled("Time", words.duration(findings.seconds)),
        _labelled("Coverage", words.covered(findings)),
        _labelled("Certainty", words.certainty(findings) or "–"),
    ]
    widths = [f"{58 // len(scores)}%"] * len(scores) + ["42%"]
    padding = [("LEFTPADDING", (0, 0), (0, -1), 0), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    return Table([[*cells, facts]], colWidths=widths, style=padding, spaceBefore=4)


def _sides(findings: Findings) -> Any:
    """Strengths beside gaps; all in it is shortened, so that it fits on a page."""
    from reportlab.platypus import Table  # noqa: PLC0415

    def side(title: str, items: Sequence[Highlight], empty: str) -> list[Any]:
        told = list(chain.from_iterable(map(_highlight, items))) or [_p(empty, "meta")]
        return [_p(f"{title}{_by('judged')}", "section"), *told]

    cells = [side("Strengths", findings.strengths, words.NO_STRENGTH), side("Gaps", findings.gaps, words.NO_GAP)]
    looks = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (0, -1), 0)]
    return Table([cells], colWidths=["50%", "50%"], style=[*looks, ("RIGHTPADDING", (1, 0), (1, -1), 0)])


def _scale(standing: Standing) -> Any:
    from reportlab.graphics.shapes import Drawing, Rect, String  # noqa: PLC0415
    from reportlab.lib.colors import HexColor  # noqa: PLC0415

    width, base, thick = 420.0, 16.0, 6.0
    drawing = Drawing(width, 30)

    def bar(low: float, high: float, colour: str, y: float = base, height: float = thick) -> None:
        place = (width * low, y, width * (high - low), height)
        drawing.add(Rect(*place, fillColor=HexColor(colour), strokeColor=None, strokeWidth=0))

    bar(0.0, 1.0, "#e9e4d9")
    if standing.reach is not None:
        bar(*standing.reach, "#a8d2ea")
    if standing.interval is not None:
        bar(*standing.interval, _SWATCHES["bar"])
    for step in (0.4, 0.6, 0.8):
        bar(step - 0.001, step + 0.001, SOFT, base - 2, thick + 4)
    bar(standing.score - 0.004, standing.score + 0.004, "#211f1b", base - 4, thick + 8)
    for middle, name in ((0.2, "not yet"), (0.5, "approaching"), (0.7, "solid"), (0.9, "strong")):
        drawing.add(
            String(
                width * middle, 3, name, fontName="sans", fontSize=7.5, textAnchor="middle", fillColor=HexColor(SOFT)
            )
        )
    return drawing


def _highlight(item: Highlight) -> Iterator[Any]:
    reached = f", {words.REACHED[item.reached]}" if words.REACHED[item.reached] else ""
    asked = line(words.quote_intro(item.quotes, words.shortened(item.asked, 140)))
    verdict = f'<font color="{VERDICT_INK[item.verdict]}"><b>{words.VERDICTS[item.verdict]}</b></font>{reached}'
    yield _p(f"<b>{prose(words.shortened(item.text, 220))}</b>", "small")
    yield _p(f'<font color="{SOFT}">{asked}:</font> {_quoted(item.quotes[:1], 160)}', "small")
    yield _p(f"Question {item.number}, point {item.point}, {line(words.shortened(item.topic, 80))} · {verdict}", "meta")
    yield _space(3)


def _fix(findings: Findings) -> Iterator[Any]:
    fix = findings.fix
    if fix is None:
        return
    gap = findings.gaps[0]
    asked = line(words.quote_intro(gap.quotes, words.shortened(gap.asked, 140)))
    rows = [
        _p(f"Fix this first (question {fix.number}){_by('computed', 'written')}", "label"),
        _p(prose(words.shortened(fix.say, 600)), "say"),
        _labelled(f"{asked}:", _quoted(gap.quotes[:1], 220)),
    ]
    if fix.misconception:
        rows.append(_labelled("A common misconception:", prose(words.shortened(fix.misconception, 600))))
    rows.append(_labelled("Practise aloud:", prose(words.shortened(fix.practise, 600))))
    reading = "".join(f"; {line(words.shortened(title, 200))}" for title in fix.reading[:6])
    rows.append(_labelled("Read up:", f"the reference answer to question {fix.number}{reading}"))
    yield _panel(rows, _SWATCHES["bar"])


def _picture(picture: Picture) -> Iterator[Any]:
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415
    from reportlab.platypus import Image, KeepTogether  # noqa: PLC0415

    png = picture.png()
    width, height = ImageReader(io.BytesIO(png)).getSize()
    shown = 400.0
    key = "   ".join(
        f'<font color="{_SWATCHES[role]}">■</font> {meaning}'
        if (role := sign.partition(" ")[0]) in _SWATCHES and role != "paper"
        else f"{'□' if role == 'paper' else sign} {meaning}"
        for sign, meaning in picture.key
    )
    yield KeepTogether(
        [
            _p(picture.title, "sub"),
            Image(io.BytesIO(png), shown, shown * height / width, hAlign="LEFT"),
            _p(key, "meta"),
            _p(line(words.shortened(picture.description, 900)), "meta"),
        ]
    )


# The questions


def _question(question: QuestionFinding, view: View) -> Iterator[Any]:
    yield _rule()
    yield from _heading(f"{question.number}. {question.spoken}", "item", 1)
    level = f" · {question.level}" if question.level else ""
    status = words.STATUSES[question.status]
    topic = line(words.shortened(question.topic, 200))
    yield _p(f"{topic} · {question.kind}{level} · {question.minutes} min · {status}", "meta")
    yield _p(line(words.shortened(words.marks(question), 1_000)), "meta")
    if question.text != question.spoken or len(question.text) > 240:
        yield _p("The question as shown", "label")
        yield from document(question.text)
    yield _p(f"What was said{_by('yours', 'judged')}", "sub")
    yield from chain.from_iterable(map(_turn, question.transcript))
    if question.code:
        yield from _code(question.code)
    yield from _corrections(question)
    if question.criteria:
        yield _p(f"Point by point{_by('written', 'judged')}", "sub")
        if not question.graded_all_said:
            yield _p(words.NOT_ALL_GRADED, "meta")
        yield from chain.from_iterable(map(_criterion, question.criteria))
    yield from paper_parts.stages(question)
    yield from _strong(question)
    if question.why_it_matters:
        yield _p(f"Why it matters at work{_by('written')}", "sub")
        yield from _sentence(question.why_it_matters)
    if view is not View.INTERVIEWER:
        yield from _reference(question)


def _talks(findings: Findings, part: Part) -> Iterator[Any]:
    for talk in findings.talks:
        if talk.part is part:
            yield _rule()
            yield from _heading(words.TALKS[part], "item", 1)
            yield _p(words.NOT_GRADED, "meta")
            yield from chain.from_iterable(map(_turn, talk.transcript))


def _sentence(text: str, style: str = "body") -> Iterator[Any]:
    """A sentence of the bank with its inline code; as plain text where it is too long to be one."""
    if len(text) > 3_000:
        yield from paragraphs([Run(text)], styles()[style])
    else:
        yield _p(prose(text), style)


def _turn(turn: Turn) -> Iterator[Any]:
    yield _p(inline(words.turn_label(turn)), "label")
    if turn.kind is TurnKind.SKIP:
        yield _p("Skipped the question.", "answer")
    elif turn.kind is TurnKind.ANSWER:
        yield from paragraphs(_runs(turn), styles()["answer"])
    else:
        said = turn.text or ("A hint was given." if turn.kind is TurnKind.HINT else "")
        yield from paragraphs([Run(said)], styles()["said"])
    if turn.ungraded:
        yield _p(f"Not graded: {line(words.shortened(words.clause(turn.ungraded), 600))}.", "meta")
    if turn.place:
        yield _p(f"From {line(words.shortened(turn.place, 400))}.", "meta")
    if turn.outcome:
        yield _p(words.outcome(turn), "meta")


def _runs(turn: Turn) -> Iterator[Run]:
    """An answer with its evidence marked, and the points it earned named behind it."""
    for piece in chain(*pieces(turn)):
        if not piece.under:
            yield Run(piece.text)
            continue
        ground = MARKED.get(piece.under[0].verdict, PANEL)
        yield Run(piece.text, f'<font backColor="{ground}">', "</font>")
        for mark in piece.ends:
            unsure = "" if mark.sure else f", {words.UNSURE}"
            ink = VERDICT_INK[mark.verdict]
            named = f"{mark.number} {words.VERDICTS[mark.verdict]}{unsure}"
            yield Run("", after=f' <font face="sans-bold" size="6.8" color="{ink}">[{named}]</font> ')


def _criterion(found: CriterionFinding) -> Iterator[Any]:
    ink = VERDICT_INK[found.verdict]
    credit = f"credit {words.percent(found.credit)} of 100, " if found.credit is not None else ""
    yield _p(
        f'<font face="sans-bold" color="{ink}">{found.number} {inline(words.verdict(found))}</font>'
        f'   <font face="sans" color="{SOFT}">{credit}{words.percent(found.share)} % of the question</font>',
        "label",
    )
    yield from _sentence(found.text)
    if found.quotes:
        yield _p(_quoted(found.quotes), "quote")
    yield from paper_parts.contested(found)
    if found.reason:
        yield _p(f"Why not: {line(words.shortened(words.clause(found.reason), 600))}.", "meta")


def _corrections(question: QuestionFinding) -> Iterator[Any]:
    for correction in question.corrections:
        yield _p(words.correction(correction), "sub")
        yield _p(_quoted(correction.quotes), "quote")
        yield _p("What is so", "label")
        yield from _sentence(correction.right)
        if correction.misconception:
            yield _p("A common misconception here", "label")
            yield from _sentence(correction.misconception)
        yield _p(f"Source: {line(words.shortened(question.source.place, 400))}", "meta")
        if correction.proof:
            yield _p(words.SEE_FOR_YOURSELF, "label")
            yield from code(correction.proof)


def _strong(question: QuestionFinding) -> Iterator[Any]:
    if all(part.quote for part in question.strong):
        return
    built = any(part.quote for part in question.strong)
    yield _p((words.STRONG if built else words.STRONG_OURS) + _by("yours", "written"), "sub")
    for part in question.strong:
        yield _p(words.part_label(part), "label")
        if part.quote:
            shown = words.shortened(part.text, 1_200)
            yield from paragraphs([Run(shown, '<font backColor="#d8eedd">', "</font>")], styles()["answer"])
        else:
            yield from _sentence(part.text, "answer")
    yield _p(words.HOW_STRONG, "meta")


def _code(found: CodeFinding) -> Iterator[Any]:
    yield _p(f"The code{_by('computed')}", "sub")
    yield _p(line(words.shortened(words.code_verdict(found), 600)))
    for test in found.result.tests:
        if test.status is not CodeStatus.PASSED:
            message = line(words.shortened(f"{test.title}. {test.message}", 900))
            yield _p(f"<b>{test.status.replace('_', ' ')}</b>: {message}")
        for case in test.failing:
            yield from code(f"input:    {case.put_in}\nexpected: {case.expected}\ncame out: {case.got}")
    for timed in found.result.timing:
        yield _p(line(words.timing(timed)), "meta")
    for attempt in found.attempts:
        yield _p(line(words.attempt(attempt)), "label")
        yield from code(attempt.diff or "Nothing was changed.")
    if found.solution:
        yield _p("Our solution", "label")
        yield from code(found.solution)


def _reference(question: QuestionFinding) -> Iterator[Any]:
    place = line(words.shortened(question.source.place, 400))
    if not question.reference:
        yield _p(f"The source gives no reference answer: {place}.", "meta")
        return
    yield _p(f"The reference answer{_by('written')}", "sub")
    yield from document(question.reference)
    if question.flags:
        yield _p(words.NOT_TO_BE_TRUSTED)
        for flag in question.flags:
            yield from paragraphs([Run(flag.reason)], styles()["list"], bulletText="•")
    reading = (
        f". Further reading: {line(words.shortened('; '.join(question.reading), 900))}" if question.reading else ""
    )
    yield _p(f"From {place}{reading}.", "meta")


def _how_made(findings: Findings) -> Iterator[Any]:
    made = findings.made
    yield from _heading("How this report was made", "section", 0)
    told = [words.WHO_SAYS_WHAT, words.HOW_SCORED, words.HOW_BANDS]
    told += [words.HOW_SELF_ASSESSED] if made.criteria_self_assessed else []
    told += [contested_words.how_disputed(findings)] if made.criteria_disputed else []
    yield from (_p(inline(sentence), "meta") for sentence in told)
    for judge in made.judges:
        digest = f"weights’ SHA-256 {judge.digest}" if judge.digest else "digest of the weights not told"
        yield _labelled("Judge", line(f"{judge.judge} on {judge.model}, {digest}."))
        yield _p(inline(words.trust(judge)), "meta")
    if not made.judges:
        yield _labelled("Judge", "none: nothing was graded")
    for rubric in made.rubrics:
        origin = f", {words.ORIGINS[rubric.origin]}" if rubric.origin else ""
        asked = "" if rubric.as_asked else ", not the version the question carried when asked"
        name = words.shortened(rubric.question_id, 200)
        yield _p(line(f"Rubric of question {rubric.number}: {name}, version {rubric.version}{origin}{asked}"), "meta")
    for item in made.unscored:
        what = f"point {words.shortened(item.criterion_id, 200)}" if item.criterion_id else "one answer"
        reason = words.shortened(words.clause(item.reason), 600)
        yield _p(line(f"Without a mark: question {item.number}, {what}: {reason}"), "meta")
    yield _labelled("Interview", f'<font face="mono">{inline(findings.session_id, "mono")}</font>')
    again = words.command(findings, "pdf")
    yield _labelled("Make it again", f'<font face="mono" color="{LINK}">{inline(again, "mono")}</font>')

"""The report as Markdown. Whatever a person or a document wrote stands in it as text, never as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from interviewer.report.phrases import (
    calibration,
    common,
    contested_marks,
    delivery,
    overview,
    provenance,
    reference,
    result,
    study,
)
from interviewer.report.phrases import code as code_words
from interviewer.report.render.charts.registry import pictures
from interviewer.report.render.marked_reference import with_marks
from interviewer.report.render.pages import PlanEntry, plan_page, question_lines, quotes_again, time_spent
from interviewer.report.schema.code import CodeFinding
from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import CriterionFinding, QuestionFinding, Quote, Turn, TurnKind
from interviewer.report.schema.study import Highlight
from interviewer.session.drawing import told
from interviewer.session.plan import SegmentKind
from interviewer.text import percent, shortened, visible
from rubric.coding.result import CodeStatus

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$^@!]")
_LIST_OR_RULE = re.compile(r"^(\s*)([-+=:]|\d+[.)])")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|www|xmpp|mailto)([.:])")


def render_markdown(findings: Findings) -> str:
    """The report as one Markdown document (CommonMark with tables)."""
    blocks: list[str] = [*_first_page(findings)]
    if findings.overall.asked:
        blocks += _overview(findings)
        blocks += _study(findings)
    blocks.append(f"## {common.APPENDIX}")
    blocks += _talks(findings, SegmentKind.WARM_UP)
    for question in findings.questions:
        blocks += _question(question, findings.view)
        blocks.append(f"{study.next_step_intro(findings)} {inline(study.next_step(findings, question))}")
    blocks += _talks(findings, SegmentKind.THEIR_QUESTIONS)
    blocks += _talks(findings, SegmentKind.WAY_BACK)
    blocks += _spoken(findings)
    blocks += _tables(findings)
    blocks += _rest(findings)
    if findings.notes:
        blocks += [f"### {common.NOTES}", common.NOTES_APART, block(findings.notes)]
    blocks += _how_made(findings)
    return "\n\n".join(block for block in blocks if block) + "\n"


def inline(text: str, *, whole: bool = True) -> str:
    """Untrusted text as one line of Markdown that shows exactly its words; spaces at its ends stay if it is a part."""
    line = visible(text)
    line = " ".join(line.split()) if whole else line
    line = _SPECIAL.sub(lambda found: "\\" + found.group(), line)
    line = _AUTOLINK.sub(lambda found: f"{found.group(1)}\\{found.group(2)}", line)
    return _LIST_OR_RULE.sub(lambda found: found.group(1) + found.group(2)[:-1] + "\\" + found.group(2)[-1], line)


def prose(text: str) -> str:
    """A sentence of the bank or of a document as one line of Markdown, its inline code as code."""
    return "".join(
        f"`{part}`" if code and part.strip() == part else inline(part, whole=False)
        for part, code in common.code_spans(" ".join(visible(text).split()))
    )


def block(text: str, language: str = "text") -> str:
    """Untrusted text of any length as a fenced block; the fence is longer than any run in the text."""
    text = visible(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _first_page(findings: Findings) -> Iterator[str]:
    yield f"# {result.TITLE}"
    ended = result.ended(findings)
    when = ""
    if findings.started:
        when = f"{common.moment(findings.started)}, {common.duration(findings.seconds)}. {result.coverage(findings)}. "
    yield f"{when}{ended}"
    yield f"**{result.damaged(findings.damaged)}**" if findings.damaged else ""
    overriding = f"{result.INTERVIEWER_VIEW} {result.HOW_TO_OVERRIDE}"
    yield overriding if findings.view is View.INTERVIEWER else ""
    yield inline(contested_marks.how_overridden(findings)) if findings.made.criteria_overridden else ""
    yield result.without_score(findings)
    if findings.standing:
        yield f"**{inline(result.result(findings.standing))}**"
        yield f"{inline(result.how_sure(findings.standing))} {result.scores(findings)}".rstrip()
    yield result.contested(findings)
    if not findings.overall.asked:
        return
    yield f"## {result.STRENGTHS}"
    yield _highlights(findings, findings.strengths) or result.NO_STRENGTH
    yield f"## {result.gaps_title(findings)}"
    yield _highlights(findings, findings.fix_first, numbered=True) or result.no_gap(findings)
    yield result.only_sure(findings)
    if findings.manner:
        yield f"## {delivery.SPOKEN}"
        yield inline(" ".join(delivery.summary(findings.manner)))


def _overview(findings: Findings) -> Iterator[str]:
    yield f"## {overview.QUESTIONS}"
    rows = [f"| {' | '.join(overview.HEAD)} |", "|---|---|--:|--:|"]
    rows += [
        f"| {line.number}. {inline(line.title)} | {line.points} | {percent(line.score)} | {line.minutes} |"
        for line in question_lines(findings)
    ]
    yield "\n".join(rows)
    yield overview.HOW_SCORED
    yield time_spent(findings)
    if findings.confidence:
        yield calibration.sentence(findings.confidence)


def _highlights(findings: Findings, items: Sequence[Highlight], *, numbered: bool = False) -> str:
    return "\n".join(
        (f"{place}. " if numbered else "- ")
        + f"**{prose(shortened(result.stated(findings, item)))}** {_said(item, again=again)}"
        + f"(question {item.number}, {inline(item.topic)}; "
        + ", ".join(filter(None, [result.fix_word(item), "" if item.doubt else common.REACHED[item.reached]]))
        + ")"
        for place, (item, again) in enumerate(zip(items, quotes_again(items), strict=True), 1)
    )


def _said(item: Highlight, *, again: bool) -> str:
    """What was said to a point, with a blank behind it; empty where nothing of it is quoted."""
    if again:
        return f"{result.SAME_ANSWER} "
    asked = common.written(item.asked)
    if not item.quotes:
        none = inline(result.unquoted(item, asked))
        return none and f"{none} "
    return f"{inline(result.quote_intro(item.quotes, asked))}: {_quoted(item.quotes[:1])} "


def _quoted(quotes: Iterable[Quote]) -> str:
    return " … ".join(f"“{inline(shortened(quote.text))}”" for quote in quotes)


def _tables(findings: Findings) -> Iterator[str]:
    for picture in pictures(findings):
        yield f"### {picture.title}"
        rows = ["| " + " | ".join(picture.head) + " |", "|---" + "|--:" * (len(picture.head) - 1) + "|"]
        rows += ["| " + " | ".join(map(inline, row)) + " |" for row in picture.rows]
        yield "\n".join(rows)
        if picture.name == "confidence":
            yield calibration.HOW_CONFIDENT
    if findings.questions:
        yield overview.DASH


def _talks(findings: Findings, part: SegmentKind) -> Iterator[str]:
    for talk in findings.talks:
        if talk.part is part:
            yield f"### {common.TALKS[part]}"
            yield common.NOT_GRADED
            for turn in talk.transcript:
                yield from _turn(turn)


def _question(question: QuestionFinding, view: View) -> Iterator[str]:
    yield f"### {question.number}. {inline(common.question_title(question))}"
    yield (
        f"{inline(', '.join(common.facts(question)))}, {question.minutes} min planned, "
        f"{common.status(question)}. {inline(common.marks(question))}"
    )
    if question.text != question.spoken:
        yield block(question.text, "markdown")
    yield "#### What was said"
    for turn in question.transcript:
        yield from _turn(turn)
    yield from _made(question)
    for correction in question.corrections:
        yield "#### " + common.correction(correction)
        yield f"You said: {_quoted(correction.quotes)}"
        yield f"In fact: {prose(correction.right)}"
        if correction.misconception and correction is question.corrections[0]:
            yield f"A common misconception: {prose(correction.misconception)}"
        if correction.proof:
            yield f"{common.SEE_FOR_YOURSELF}:"
            yield block(correction.proof, "python")
    if question.criteria:
        yield "#### Point by point"
        if not question.graded_all_said:
            yield common.NOT_ALL_GRADED
        yield "\n".join(
            f"{found.number}. **{common.verdict(found)}**: {prose(found.text)}"
            + (f" {_quoted(found.quotes)}" if found.quotes else "")
            + (f" {inline(common.reason(found))}" if found.reason else "")
            + (f" {inline(found.arithmetic)}" if found.arithmetic else "")
            + "".join(f" {said}" for said in _contested(found))
            for found in question.criteria
        )
    yield from _stages(question)
    if question.why_it_matters:
        yield "#### Why it matters at work"
        yield prose(question.why_it_matters)
    if view is View.INTERVIEWER:
        return
    yield f"#### {reference.REFERENCE}"
    if question.reference_sentences:
        yield f"Between ** and **: {reference.LACKING}. {reference.not_marked(question)}".rstrip()
    starred = with_marks(question, made=("", ""), lacking=("**", "**"))
    yield block(starred, "markdown") if question.reference else common.NO_REFERENCE
    if question.flags:
        yield common.NOT_TO_BE_TRUSTED
        yield "\n".join(f"- {inline(flag.reason)}" for flag in question.flags)
    reading = f" Further reading: {inline('; '.join(question.reading))}." if question.reading else ""
    yield f"From {inline(common.source(question))}.{reading}"


def _made(question: QuestionFinding) -> Iterator[str]:
    """What the person made beside what they said: a drawing, code."""
    if question.drawing:
        yield "#### What you drew"
        yield block(told(question.drawing))
    if question.code:
        yield from _code(question.code)


def _code(code: CodeFinding) -> Iterator[str]:
    yield "#### Your code"
    yield inline(code_words.code_verdict(code))
    for test in code.result.tests:
        if test.status is not CodeStatus.PASSED:
            yield f"**{test.status.replace('_', ' ').capitalize()}**: {inline(test.title)}. {inline(test.message)}"
        for case in test.failing:
            yield block(f"input:    {case.put_in}\nexpected: {case.expected}\ngot:      {case.got}")
    yield from map(inline, code_words.timings(code.result))
    for attempt in code.attempts:
        yield f"{code_words.attempt(attempt)}:"
        yield block(attempt.diff, "diff") if attempt.diff else "Nothing changed."
    if code.solution:
        yield "Our solution:"
        yield block(code.solution, "python")


def _turn(turn: Turn) -> Iterator[str]:
    yield f"**{common.turn_label(turn)}**"
    if turn.kind is TurnKind.HINT and not turn.text:
        yield common.HINT_GIVEN
    else:
        yield common.skipped(turn) if turn.kind is TurnKind.SKIP else block(common.said(turn))
    if turn.place:
        yield f"From {inline(common.without_line(turn.place))}."
    if turn.outcome:
        yield common.outcome(turn)
    if turn.ungraded:
        yield f"Not graded: {inline(common.clause(turn.ungraded))}."


def _how_made(findings: Findings) -> Iterator[str]:
    made = findings.made
    yield f"### {provenance.HOW_MADE}"
    yield from map(inline, provenance.principles(findings))
    lines = [
        f"- Judge: {inline(judge.judge)} on {inline(judge.model)}, "
        + (
            f"fingerprint of its weights (SHA-256) {inline(judge.digest)}"
            if judge.digest
            else "fingerprint of its weights not reported"
        )
        + f". {inline(provenance.trust(judge))}"
        for judge in made.judges
    ] or ["- Judge: none, nothing was graded"]
    lines += [
        f"- Rubric of question {rubric.number}: {inline(rubric.question_id)}, version {inline(rubric.version)}"
        + provenance.rubric(rubric)
        for rubric in made.rubrics
    ]
    lines += [
        f"- Not graded: question {item.number}, "
        + (f"point {inline(item.criterion_id)}" if item.criterion_id else "one answer")
        + f": {inline(provenance.unscored(item))}"
        for item in made.unscored
    ]
    if made.phrased is not None:
        models = inline(" and ".join(made.phrased.models))
        lines += [f"- Follow-ups worded by {models}: {inline(provenance.phrased(made.phrased))}"]
    lines += [f"- Interview: {inline(findings.session_id)}"]
    lines += [f"- To make this report again: {inline(provenance.command(findings))}"]
    yield "\n".join(lines)


def _contested(found: CriterionFinding) -> Iterator[str]:
    """What somebody else than the judge said of a mark, a sentence each."""
    over = found.overridden
    if over:
        yield f"Overridden by {inline(over.by)}; {contested_marks.judged(over)}." + (
            f" Note: {inline(over.note)}" if over.note else ""
        )
    if found.dispute is None:
        return
    yield "You dispute this mark." + (f" Your reason: {inline(found.dispute.reason)}" if found.dispute.reason else "")
    second = found.dispute.second
    if second is not None:
        yield f"{contested_marks.named_first_reading(found)}."
        result = contested_marks.reading_result(second)
        yield f"Second reading, {contested_marks.second_read(second)}: {result}. {_quoted(second.read)}"
        if second.meets:
            yield f"The closest statement that meets the point: {inline(shortened(second.meets))}"
        if second.opposes:
            yield f"The closest statement that contradicts it: {inline(shortened(second.opposes))}"
    yield contested_marks.readings_compared(found)


def _stages(question: QuestionFinding) -> Iterator[str]:
    told = study.told_stages(question)
    if told:
        yield f"#### {study.stages_title(question)}"
        yield "\n".join(f"- {name}: {said}" for name, said in told)


def _spoken(findings: Findings) -> Iterator[str]:
    if findings.manner is None:
        return
    yield f"### {delivery.IN_DETAIL}"
    yield delivery.APART
    said = [*delivery.details(findings.manner), *delivery.heard_lines(findings.manner)]
    said += [f"{delivery.example(each)}." for each in findings.manner.examples]
    yield "\n".join(f"- {inline(each)}" for each in said)


def _study(findings: Findings) -> Iterator[str]:
    if findings.view is View.INTERVIEWER:
        return
    page = plan_page(findings)
    yield f"## {study.STUDY}"
    if page.entries:
        yield study.ORDER
    else:
        yield study.NOTHING_SURE if page.to_check else study.NOTHING_TO_STUDY
    yield "\n".join(line for place, entry in enumerate(page.entries, 1) for line in _planned(place, entry))
    if page.to_check:
        yield f"### {study.TO_CHECK}"
        yield study.WHY_CHECK
        yield "\n".join(f"- {prose(shortened(item.say))} (question {item.number})" for item in page.to_check)
    if page.doubted:
        yield f"### {study.LOOK_UP}"
        yield study.WHY_LOOK_UP
        yield "\n".join(f"- “{inline(shortened(each.quoted))}” (question {each.number})" for each in page.doubted)
    yield study.more(len(page.rest))


def _planned(place: int, entry: PlanEntry) -> Iterator[str]:
    item = entry.item
    named = inline(shortened(entry.named)) if entry.named else prose(shortened(item.say))
    yield f"{place}. **{named}** {study.when(item)} (question {item.number})."
    for line in entry.lines:
        quoted = f" “{inline(shortened(line.quoted, 240))}”" if line.quoted else ""
        yield f"    - {inline(line.words)}{quoted}"


def _written(spoken: str) -> str:
    return inline(shortened(common.written(spoken), 240))


def _rest(findings: Findings) -> Iterator[str]:
    if not findings.study:
        return
    yield f"### {study.REST}"
    yield "\n".join(
        f"- **{prose(shortened(item.say))}** {inline(item.exercise)} “{_written(item.prompt)}” "
        f"{study.when(item)} (question {item.number}, {study.missed(item)})."
        for item in plan_page(findings).rest
    )
    yield study.left_out(findings)
    yield f"{study.STUDY_EXPORT} {inline(study.export_command(findings))}"

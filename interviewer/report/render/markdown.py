"""The report as Markdown. Whatever a person or a document wrote stands in it as text, never as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interviewer.report.phrases import calibration, common, contested_marks, delivery, study
from interviewer.report.phrases import code as code_words
from interviewer.report.schema.code import CodeFinding
from interviewer.report.schema.findings import Findings, View
from interviewer.report.schema.question import CriterionFinding, QuestionFinding, Quote, Turn, TurnKind
from interviewer.report.schema.study import Highlight
from interviewer.session.plan import SegmentKind
from interviewer.text import percent, shortened, visible
from rubric.coding.result import CodeStatus

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$^@!]")
_LIST_OR_RULE = re.compile(r"^(\s*)([-+=:]|\d+[.)])")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|www|xmpp|mailto)([.:])")


def render_markdown(findings: Findings) -> str:
    """The report as one Markdown document (CommonMark with tables)."""
    blocks: list[str] = [*_first_page(findings)]
    blocks += _confidence(findings)
    if findings.questions or findings.talks:
        blocks.append("## Question by question")
    blocks += _talks(findings, SegmentKind.WARM_UP)
    for question in findings.questions:
        blocks += _question(question, findings.view)
        blocks.append(f"{study.next_step_intro(findings)} {inline(study.next_step(findings, question))}")
    blocks += _talks(findings, SegmentKind.THEIR_QUESTIONS)
    blocks += _talks(findings, SegmentKind.WAY_BACK)
    blocks += _manner(findings)
    blocks += _study(findings)
    if findings.notes:
        blocks += [f"## {common.NOTES}", common.NOTES_APART, block(findings.notes)]
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
    yield "# Interview report"
    when = f"{common.moment(findings.started)}, {common.duration(findings.seconds)}. " if findings.started else ""
    ended = common.ENDED[findings.ended] if findings.ended else "The interview is still open."
    yield f"{when}Planned: {inline(common.planned(findings))}. {ended}"
    yield f"**{common.damaged(findings.damaged)}**" if findings.damaged else ""
    yield study.INTERVIEWER_VIEW if findings.view is View.INTERVIEWER else ""
    yield inline(contested_marks.how_overridden(findings)) if findings.made.criteria_overridden else ""
    if findings.standing:
        yield f"**{inline(common.result(findings.standing))}**"
        yield inline(common.how_sure(findings.standing))
    yield f"**{common.headline(findings)}**"
    if not findings.overall.asked:
        return
    yield f"{common.covered(findings)}. {common.certainty(findings)}".rstrip()
    yield "## Strengths"
    yield _highlights(findings.strengths) or common.NO_STRENGTH
    yield "## Gaps"
    yield (_highlights(findings.gaps) or common.NO_GAP)
    fix = findings.fix
    if fix:
        yield f"## Fix this first (question {fix.number})"
        lines = [f"- Be able to say: {prose(fix.say)}"]
        lines += [f"- A common misconception: {prose(fix.misconception)}"] if fix.misconception else []
        lines += [f"- Practice aloud: {prose(fix.practise)}"]
        reading = "".join(f"; {inline(title)}" for title in fix.reading)
        lines += [f"- Read up: the reference answer to question {fix.number}{reading}"]
        yield "\n".join(lines)
    yield "## By topic"
    rows = ["| Topic | Asked | Graded | Skipped | Unaided | In the end | Interval |", "|---|--:|--:|--:|--:|--:|--:|"]
    for topic in findings.topics:
        cells = [inline(topic.topic), topic.asked, topic.graded, topic.skipped]
        cells += [percent(topic.unaided), percent(topic.final), common.interval(topic.interval)]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    yield "\n".join(rows)
    yield "A dash means that there is no score, which is not a zero."


def _highlights(items: Iterable[Highlight]) -> str:
    return "\n".join(
        f"- **{prose(item.text)}** {inline(common.quote_intro(item.quotes, item.asked))}: "
        f"{_quoted(item.quotes)} (question {item.number}, {inline(item.topic)}; "
        + ", ".join(filter(None, [common.VERDICTS[item.verdict], common.REACHED[item.reached]]))
        + ")"
        for item in items
    )


def _quoted(quotes: Iterable[Quote]) -> str:
    return " … ".join(f"“{inline(shortened(quote.text))}”" for quote in quotes)


def _confidence(findings: Findings) -> Iterator[str]:
    found = findings.confidence
    if found is None:
        return
    yield f"## {calibration.CONFIDENCE}"
    yield calibration.sentence(found)
    rows = ["| You were | Answers | Expected | Earned |", "|---|--:|--:|--:|"]
    for level in found.levels:
        cells = (calibration.NAMES[level.level], level.answers, percent(level.stated))
        rows.append("| " + " | ".join(map(str, (*cells, percent(level.earned)))) + " |")
    yield "\n".join(rows)
    yield calibration.HOW_CONFIDENT


def _talks(findings: Findings, part: SegmentKind) -> Iterator[str]:
    for talk in findings.talks:
        if talk.part is part:
            yield f"### {common.TALKS[part]}"
            yield common.NOT_GRADED
            for turn in talk.transcript:
                yield from _turn(turn)


def _question(question: QuestionFinding, view: View) -> Iterator[str]:
    yield f"### {question.number}. {inline(shortened(question.spoken, 240))}"
    level = f", {question.level}" if question.level else ""
    yield (
        f"{inline(question.topic)}, {question.kind}{level}, {question.minutes} min, "
        f"{common.status(question)}. {inline(common.marks(question))}"
    )
    if question.text != question.spoken:
        yield block(question.text, "markdown")
    yield "#### What was said"
    for turn in question.transcript:
        yield from _turn(turn)
    if question.code:
        yield from _code(question.code)
    for correction in question.corrections:
        yield "#### " + common.correction(correction)
        yield _quoted(correction.quotes)
        yield f"What is so: {prose(correction.right)}"
        if correction.misconception:
            yield f"A common misconception here: {prose(correction.misconception)}"
        yield f"Source: {inline(question.source.place)}"
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
            + (f" Why not: {inline(common.clause(found.reason))}." if found.reason else "")
            + "".join(f" {said}" for said in _contested(found))
            for found in question.criteria
        )
    yield from _stages(question)
    if not all(part.quote for part in question.strong):
        yield "#### " + (common.STRONG if any(part.quote for part in question.strong) else common.STRONG_OURS)
        yield "\n".join(
            f"- {common.part_label(part)}: "
            + (f"“{inline(shortened(part.text, 1_200))}”" if part.quote else prose(part.text))
            for part in question.strong
        )
    if question.why_it_matters:
        yield "#### Why it matters at work"
        yield prose(question.why_it_matters)
    if view is View.INTERVIEWER:
        return
    yield "#### The reference answer"
    yield block(question.reference, "markdown") if question.reference else "The source gives none."
    if question.flags:
        yield common.NOT_TO_BE_TRUSTED
        yield "\n".join(f"- {inline(flag.reason)}" for flag in question.flags)
    reading = f" Further reading: {inline('; '.join(question.reading))}." if question.reading else ""
    yield f"From {inline(question.source.place)}.{reading}"


def _code(code: CodeFinding) -> Iterator[str]:
    yield "#### The code"
    yield inline(code_words.code_verdict(code))
    for test in code.result.tests:
        if test.status is not CodeStatus.PASSED:
            yield f"**{test.status.replace('_', ' ')}**: {inline(test.title)}. {inline(test.message)}"
        for case in test.failing:
            yield block(f"input:    {case.put_in}\nexpected: {case.expected}\ncame out: {case.got}")
    for timed in code.result.timing:
        yield inline(code_words.timing(timed))
    for attempt in code.attempts:
        yield f"{code_words.attempt(attempt)}:"
        yield block(attempt.diff, "diff") if attempt.diff else "Nothing was changed."
    if code.solution:
        yield "Our solution:"
        yield block(code.solution, "python")


def _turn(turn: Turn) -> Iterator[str]:
    yield f"**{common.turn_label(turn)}**"
    if turn.kind is TurnKind.HINT and not turn.text:
        yield "A hint was given."
    else:
        yield "Skipped the question." if turn.kind is TurnKind.SKIP else block(turn.text)
    if turn.place:
        yield f"From {inline(turn.place)}."
    if turn.outcome:
        yield common.outcome(turn)
    if turn.ungraded:
        yield f"Not graded: {inline(common.clause(turn.ungraded))}."


def _how_made(findings: Findings) -> Iterator[str]:
    made = findings.made
    yield "## How this report was made"
    yield common.WHO_SAYS_WHAT
    yield common.HOW_SCORED
    yield common.HOW_BANDS
    yield common.HOW_SELF_ASSESSED if made.criteria_self_assessed else ""
    yield contested_marks.how_disputed(findings) if made.criteria_disputed else ""
    yield inline(contested_marks.how_overridden(findings)) if made.criteria_overridden else ""
    lines = [
        f"- Judge: {inline(judge.judge)} on {inline(judge.model)}, "
        + (f"weights’ SHA-256 {inline(judge.digest)}" if judge.digest else "digest of the weights not told")
        + f". {inline(common.trust(judge))}"
        for judge in made.judges
    ] or ["- Judge: none, nothing was graded"]
    lines += [
        f"- Rubric of question {rubric.number}: {inline(rubric.question_id)}, version {inline(rubric.version)}"
        + (f", {common.ORIGINS[rubric.origin]}" if rubric.origin else "")
        + ("" if rubric.as_asked else ", not the version the question carried when asked")
        for rubric in made.rubrics
    ]
    lines += [
        f"- Without a mark: question {item.number}, "
        + (f"point {inline(item.criterion_id)}" if item.criterion_id else "one answer")
        + f": {inline(common.clause(item.reason))}"
        for item in made.unscored
    ]
    if made.phrased is not None:
        models = inline(" and ".join(made.phrased.models))
        lines += [f"- Follow-ups worded by {models}: {inline(common.phrased(made.phrased))}"]
    lines += [f"- Interview: {inline(findings.session_id)}"]
    lines += [f"- Make it again: {inline(common.command(findings))}"]
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
        yield f"First reading, of all you said: {contested_marks.first_reading(found)}."
        result = contested_marks.reading_result(second)
        yield f"Second reading, {contested_marks.second_read(second)}: {result}. {_quoted(second.read)}"
        if second.meets:
            yield f"The nearest statement that would meet the point: {inline(shortened(second.meets))}"
        if second.opposes:
            yield f"The nearest statement that would contradict it: {inline(shortened(second.opposes))}"
    yield contested_marks.readings_compared(found)


def _stages(question: QuestionFinding) -> Iterator[str]:
    if not question.stages:
        return
    numbers = {found.id: found.number for found in question.criteria}
    yield f"#### {study.stages_title(question)}"
    yield "\n".join(
        f"- {stage.name.capitalize()}: {stage.state}"
        + "".join(
            f"{', ' if place else '; wanting: '}point {numbers[name]}" for place, name in enumerate(stage.wanting)
        )
        for stage in question.stages
    )
    yield study.STAGES_FROM


def _manner(findings: Findings) -> Iterator[str]:
    if findings.manner is None:
        return
    yield f"## {delivery.MANNER}"
    yield delivery.APART
    said = [*delivery.lines(findings.manner), *delivery.heard_lines(findings.manner)]
    said += [f"{delivery.example(each)}." for each in findings.manner.examples]
    yield "\n".join(f"- {inline(each)}" for each in said)


def _study(findings: Findings) -> Iterator[str]:
    if not findings.study:
        return
    yield f"## {study.STUDY}"
    yield study.study_intro(findings)
    for place, item in enumerate(findings.study, start=1):
        retried = "" if item.retry.same else f"{inline(shortened(item.retry.spoken, 240))} "
        when = f"study it on {study.day(item.study_on)}, review it on {study.day(item.review_on)}"
        lines = [
            f"{place}. **{inline(shortened(item.say))}** Question {item.number}, {inline(item.topic)}; "
            f"{study.missed(item)}; {when}.",
            f"    - Why it matters: {inline(shortened(item.why))}",
        ]
        lines += (
            [f"    - A common misconception: {inline(shortened(item.misconception))}"] if item.misconception else []
        )
        lines += [
            f"    - Exercise: {inline(item.exercise)} {inline(shortened(item.prompt))}",
            f"    - {study.retry_intro(item.retry)}: {retried}({inline(study.practice(item.retry.question_id))})",
            f"    - Read up: {inline(item.source.place)}",
        ]
        yield "\n".join(lines)
    yield f"{study.STUDY_EXPORT} {inline(study.export_command(findings))}"

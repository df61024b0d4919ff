"""The report as Markdown. Whatever a person or a document wrote stands in it as text, never as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interviewer.events import Part
from interviewer.report import confidence_words, contested_words, manner_words, study_words, words
from interviewer.report.model import (
    CodeFinding,
    CriterionFinding,
    Findings,
    Highlight,
    QuestionFinding,
    Quote,
    Turn,
    TurnKind,
    View,
)
from rubric.execution import CodeStatus

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$^@!]")
_LIST_OR_RULE = re.compile(r"^(\s*)([-+=:]|\d+[.)])")
_AUTOLINK = re.compile(r"(?i)\b(https?|ftp|www|xmpp|mailto)([.:])")


def render_markdown(findings: Findings) -> str:
    """The report as one Markdown document (CommonMark with tables)."""
    blocks: list[str] = [*_first_page(findings)]
    blocks += _confidence(findings)
    if findings.questions or findings.talks:
        blocks.append("## Question by question")
    blocks += _talks(findings, Part.WARM_UP)
    for question in findings.questions:
        blocks += _question(question, findings.view)
        blocks.append(f"{study_words.next_step_intro(findings)} {inline(study_words.next_step(findings, question))}")
    blocks += _talks(findings, Part.THEIR_QUESTIONS)
    blocks += _talks(findings, Part.WAY_BACK)
    blocks += _manner(findings)
    blocks += _study(findings)
    if findings.notes:
        blocks += [f"## {words.NOTES}", words.NOTES_APART, block(findings.notes)]
    blocks += _how_made(findings)
    return "\n\n".join(block for block in blocks if block) + "\n"


def inline(text: str, *, whole: bool = True) -> str:
    """Untrusted text as one line of Markdown that shows exactly its words; spaces at its ends stay if it is a part."""
    line = words.visible(text)
    line = " ".join(line.split()) if whole else line
    line = _SPECIAL.sub(lambda found: "\\" + found.group(), line)
    line = _AUTOLINK.sub(lambda found: f"{found.group(1)}\\{found.group(2)}", line)
    return _LIST_OR_RULE.sub(lambda found: found.group(1) + found.group(2)[:-1] + "\\" + found.group(2)[-1], line)


def prose(text: str) -> str:
    """A sentence of the bank or of a document as one line of Markdown, its inline code as code."""
    return "".join(
        f"`{part}`" if code and part.strip() == part else inline(part, whole=False)
        for part, code in words.code_spans(" ".join(words.visible(text).split()))
    )


def block(text: str, language: str = "text") -> str:
    """Untrusted text of any length as a fenced block; the fence is longer than any run in the text."""
    text = words.visible(text)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _first_page(findings: Findings) -> Iterator[str]:
    yield "# Interview report"
    when = f"{words.moment(findings.started)}, {words.duration(findings.seconds)}. " if findings.started else ""
    ended = words.ENDED[findings.ended] if findings.ended else "The interview is still open."
    yield f"{when}Planned: {inline(words.planned(findings))}. {ended}"
    yield study_words.INTERVIEWER_VIEW if findings.view is View.INTERVIEWER else ""
    yield inline(contested_words.how_overridden(findings)) if findings.made.criteria_overridden else ""
    if findings.standing:
        yield f"**{inline(words.result(findings.standing))}**"
        yield inline(words.how_sure(findings.standing))
    yield f"**{words.headline(findings)}**"
    if not findings.overall.asked:
        return
    yield f"{words.covered(findings)}. {words.certainty(findings)}".rstrip()
    yield "## Strengths"
    yield _highlights(findings.strengths) or words.NO_STRENGTH
    yield "## Gaps"
    yield (_highlights(findings.gaps) or words.NO_GAP)
    fix = findings.fix
    if fix:
        yield f"## Fix this first (question {fix.number})"
        lines = [f"- Be able to say: {prose(fix.say)}"]
        lines += [f"- A common misconception: {prose(fix.misconception)}"] if fix.misconception else []
        lines += [f"- Practise aloud: {prose(fix.practise)}"]
        reading = "".join(f"; {inline(title)}" for title in fix.reading)
        lines += [f"- Read up: the reference answer to question {fix.number}{reading}"]
        yield "\n".join(lines)
    yield "## By topic"
    rows = ["| Topic | Asked | Graded | Skipped | Unaided | In the end | Interval |", "|---|--:|--:|--:|--:|--:|--:|"]
    for topic in findings.topics:
        cells = [inline(topic.topic), topic.asked, topic.graded, topic.skipped]
        cells += [words.percent(topic.unaided), words.percent(topic.final), words.interval(topic.interval)]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    yield "\n".join(rows)
    yield "A dash means that there is no score, which is not a zero."


def _highlights(items: Iterable[Highlight]) -> str:
    return "\n".join(
        f"- **{prose(item.text)}** {inline(words.quote_intro(item.quotes, item.asked))}: "
        f"{_quoted(item.quotes)} (question {item.number}, {inline(item.topic)}; "
        + ", ".join(filter(None, [words.VERDICTS[item.verdict], words.REACHED[item.reached]]))
        + ")"
        for item in items
    )


def _quoted(quotes: Iterable[Quote]) -> str:
    return " … ".join(f"“{inline(words.shortened(quote.text))}”" for quote in quotes)


def _confidence(findings: Findings) -> Iterator[str]:
    found = findings.confidence
    if found is None:
        return
    yield f"## {confidence_words.CONFIDENCE}"
    yield confidence_words.sentence(found)
    rows = ["| You were | Answers | Expected | Earned |", "|---|--:|--:|--:|"]
    for level in found.levels:
        cells = (confidence_words.NAMES[level.level], level.answers, words.percent(level.stated))
        rows.append("| " + " | ".join(map(str, (*cells, words.percent(level.earned)))) + " |")
    yield "\n".join(rows)
    yield confidence_words.HOW_CONFIDENT


def _talks(findings: Findings, part: Part) -> Iterator[str]:
    for talk in findings.talks:
        if talk.part is part:
            yield f"### {words.TALKS[part]}"
            yield words.NOT_GRADED
            for turn in talk.transcript:
                yield from _turn(turn)


def _question(question: QuestionFinding, view: View) -> Iterator[str]:
    yield f"### {question.number}. {inline(words.shortened(question.spoken, 240))}"
    level = f", {question.level}" if question.level else ""
    yield (
        f"{inline(question.topic)}, {question.kind}{level}, {question.minutes} min, "
        f"{words.status(question)}. {inline(words.marks(question))}"
    )
    if question.text != question.spoken:
        yield block(question.text, "markdown")
    yield "#### What was said"
    for turn in question.transcript:
        yield from _turn(turn)
    if question.code:
        yield from _code(question.code)
    for correction in question.corrections:
        yield "#### " + words.correction(correction)
        yield _quoted(correction.quotes)
        yield f"What is so: {prose(correction.right)}"
        if correction.misconception:
            yield f"A common misconception here: {prose(correction.misconception)}"
        yield f"Source: {inline(question.source.place)}"
        if correction.proof:
            yield f"{words.SEE_FOR_YOURSELF}:"
            yield block(correction.proof, "python")
    if question.criteria:
        yield "#### Point by point"
        if not question.graded_all_said:
            yield words.NOT_ALL_GRADED
        yield "\n".join(
            f"{found.number}. **{words.verdict(found)}**: {prose(found.text)}"
            + (f" {_quoted(found.quotes)}" if found.quotes else "")
            + (f" Why not: {inline(words.clause(found.reason))}." if found.reason else "")
            + "".join(f" {said}" for said in _contested(found))
            for found in question.criteria
        )
    yield from _stages(question)
    if not all(part.quote for part in question.strong):
        yield "#### " + (words.STRONG if any(part.quote for part in question.strong) else words.STRONG_OURS)
        yield "\n".join(
            f"- {words.part_label(part)}: "
            + (f"“{inline(words.shortened(part.text, 1_200))}”" if part.quote else prose(part.text))
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
        yield words.NOT_TO_BE_TRUSTED
        yield "\n".join(f"- {inline(flag.reason)}" for flag in question.flags)
    reading = f" Further reading: {inline('; '.join(question.reading))}." if question.reading else ""
    yield f"From {inline(question.source.place)}.{reading}"


def _code(code: CodeFinding) -> Iterator[str]:
    yield "#### The code"
    yield inline(words.code_verdict(code))
    for test in code.result.tests:
        if test.status is not CodeStatus.PASSED:
            yield f"**{test.status.replace('_', ' ')}**: {inline(test.title)}. {inline(test.message)}"
        for case in test.failing:
            yield block(f"input:    {case.put_in}\nexpected: {case.expected}\ncame out: {case.got}")
    for timed in code.result.timing:
        yield inline(words.timing(timed))
    for attempt in code.attempts:
        yield f"{words.attempt(attempt)}:"
        yield block(attempt.diff, "diff") if attempt.diff else "Nothing was changed."
    if code.solution:
        yield "Our solution:"
        yield block(code.solution, "python")


def _turn(turn: Turn) -> Iterator[str]:
    yield f"**{words.turn_label(turn)}**"
    if turn.kind is TurnKind.HINT and not turn.text:
        yield "A hint was given."
    else:
        yield "Skipped the question." if turn.kind is TurnKind.SKIP else block(turn.text)
    if turn.place:
        yield f"From {inline(turn.place)}."
    if turn.outcome:
        yield words.outcome(turn)
    if turn.ungraded:
        yield f"Not graded: {inline(words.clause(turn.ungraded))}."


def _how_made(findings: Findings) -> Iterator[str]:
    made = findings.made
    yield "## How this report was made"
    yield words.WHO_SAYS_WHAT
    yield words.HOW_SCORED
    yield words.HOW_BANDS
    yield words.HOW_SELF_ASSESSED if made.criteria_self_assessed else ""
    yield contested_words.how_disputed(findings) if made.criteria_disputed else ""
    yield inline(contested_words.how_overridden(findings)) if made.criteria_overridden else ""
    lines = [
        f"- Judge: {inline(judge.judge)} on {inline(judge.model)}, "
        + (f"weights’ SHA-256 {inline(judge.digest)}" if judge.digest else "digest of the weights not told")
        + f". {inline(words.trust(judge))}"
        for judge in made.judges
    ] or ["- Judge: none, nothing was graded"]
    lines += [
        f"- Rubric of question {rubric.number}: {inline(rubric.question_id)}, version {inline(rubric.version)}"
        + (f", {words.ORIGINS[rubric.origin]}" if rubric.origin else "")
        + ("" if rubric.as_asked else ", not the version the question carried when asked")
        for rubric in made.rubrics
    ]
    lines += [
        f"- Without a mark: question {item.number}, "
        + (f"point {inline(item.criterion_id)}" if item.criterion_id else "one answer")
        + f": {inline(words.clause(item.reason))}"
        for item in made.unscored
    ]
    if made.phrased is not None:
        models = inline(" and ".join(made.phrased.models))
        lines += [f"- Follow-ups worded by {models}: {inline(words.phrased(made.phrased))}"]
    lines += [f"- Interview: {inline(findings.session_id)}"]
    lines += [f"- Make it again: {inline(words.command(findings))}"]
    yield "\n".join(lines)


def _contested(found: CriterionFinding) -> Iterator[str]:
    """What somebody else than the judge said of a mark, a sentence each."""
    over = found.overridden
    if over:
        yield f"Overridden by {inline(over.by)}; {contested_words.judged(over)}." + (
            f" Note: {inline(over.note)}" if over.note else ""
        )
    if found.dispute is None:
        return
    yield "You dispute this mark." + (f" Your reason: {inline(found.dispute.reason)}" if found.dispute.reason else "")
    second = found.dispute.second
    if second is not None:
        yield f"First reading, of all you said: {contested_words.first_reading(found)}."
        result = contested_words.reading_result(second)
        yield f"Second reading, {contested_words.second_read(second)}: {result}. {_quoted(second.read)}"
        if second.meets:
            yield f"The nearest statement that would meet the point: {inline(words.shortened(second.meets))}"
        if second.opposes:
            yield f"The nearest statement that would contradict it: {inline(words.shortened(second.opposes))}"
    yield contested_words.readings_compared(found)


def _stages(question: QuestionFinding) -> Iterator[str]:
    if not question.stages:
        return
    numbers = {found.id: found.number for found in question.criteria}
    yield f"#### {study_words.stages_title(question)}"
    yield "\n".join(
        f"- {stage.name.capitalize()}: {stage.state}"
        + "".join(
            f"{', ' if place else '; wanting: '}point {numbers[name]}" for place, name in enumerate(stage.wanting)
        )
        for stage in question.stages
    )
    yield study_words.STAGES_FROM


def _manner(findings: Findings) -> Iterator[str]:
    if findings.manner is None:
        return
    yield f"## {manner_words.MANNER}"
    yield manner_words.APART
    said = [*manner_words.lines(findings.manner), *manner_words.heard_lines(findings.manner)]
    said += [f"{manner_words.example(each)}." for each in findings.manner.examples]
    yield "\n".join(f"- {inline(each)}" for each in said)


def _study(findings: Findings) -> Iterator[str]:
    if not findings.study:
        return
    yield f"## {study_words.STUDY}"
    yield study_words.study_intro(findings)
    for place, item in enumerate(findings.study, start=1):
        retried = "" if item.retry.same else f"{inline(words.shortened(item.retry.spoken, 240))} "
        when = f"study it on {study_words.day(item.study_on)}, review it on {study_words.day(item.review_on)}"
        lines = [
            f"{place}. **{inline(words.shortened(item.say))}** Question {item.number}, {inline(item.topic)}; "
            f"{study_words.missed(item)}; {when}.",
            f"    - Why it matters: {inline(words.shortened(item.why))}",
        ]
        lines += (
            [f"    - A common misconception: {inline(words.shortened(item.misconception))}"]
            if item.misconception
            else []
        )
        lines += [
            f"    - Exercise: {inline(item.exercise)} {inline(words.shortened(item.prompt))}",
            f"    - {study_words.retry_intro(item.retry)}: {retried}"
            f"({inline(study_words.practise(item.retry.question_id))})",
            f"    - Read up: {inline(item.source.place)}",
        ]
        yield "\n".join(lines)
    yield f"{study_words.STUDY_EXPORT} {inline(study_words.export_command(findings))}"

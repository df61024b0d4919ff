"""The report's own words: one phrase for each fact, shared by every written form of it.

Nothing here is phrased by a model, and every phrase is chosen by a fact in the findings.
"""

from __future__ import annotations

import re
import shlex
from datetime import datetime

from interviewer.report.schema.findings import Band, Findings, Standing, Tally
from interviewer.report.schema.provenance import JudgeUsed, PhrasedByModel
from interviewer.report.schema.question import (
    Addition,
    Correction,
    CriterionFinding,
    QuestionFinding,
    QuestionStatus,
    Quote,
    QuoteRole,
    StrongPart,
    Support,
    Turn,
    TurnKind,
)
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Confidence, SegmentKind
from interviewer.text import count, listed, percent, visible
from rubric.model import Interval, Verdict

VERDICTS = {
    Verdict.MET: "met",
    Verdict.PARTIAL: "partly met",
    Verdict.MISSING: "missing",
    Verdict.CONTRADICTED: "contradicted",
    Verdict.UNSCORED: "ungraded",
}
"""What each verdict is called, here and on the page."""
REACHED = {
    AssistanceLevel.UNAIDED: "unaided",
    AssistanceLevel.AFTER_FOLLOW_UP: "after a follow-up",
    AssistanceLevel.AFTER_HINT: "after a hint",
    AssistanceLevel.AFTER_ANSWER: "after its answer was shown",
    AssistanceLevel.HELP_UNKNOWN: "whether unaided is not known",
    AssistanceLevel.NOT_MET: "",
    AssistanceLevel.UNSCORED: "",
}
STATUSES = {
    QuestionStatus.GRADED: "graded",
    QuestionStatus.PARTLY_GRADED: "partly graded",
    QuestionStatus.UNGRADED: "not graded",
    QuestionStatus.SKIPPED: "skipped",
    QuestionStatus.UNANSWERED: "not answered",
}
TURNS = {
    TurnKind.QUESTION: "Interviewer",
    TurnKind.ANSWER: "You",
    TurnKind.FOLLOW_UP: "Interviewer, follow-up",
    TurnKind.HINT: "Interviewer, hint",
    TurnKind.REPEAT: "Interviewer, repeating",
    TurnKind.SKIP: "You",
    TurnKind.CODE: "You, code",
    TurnKind.WISH: "You, asking",
    TurnKind.DECLINED: "You, not knowing",
    TurnKind.REPLY: "Interviewer, replying",
    TurnKind.SHOWN: "Interviewer, telling the point",
    TurnKind.TIME: "Interviewer, on the time",
    TurnKind.TALK: "Interviewer",
}
WHY_FOLLOWED_UP = {
    FollowUpKind.CONTRADICTION: "something said was not so",
    FollowUpKind.MISHEARD: "a word may have been misheard",
    FollowUpKind.MISSING: "a point was missing",
    FollowUpKind.PARTIAL: "a point was only partly made",
    FollowUpKind.EVIDENCE: "it was not concrete",
    FollowUpKind.DEPTH: "all was met, so it went further",
    FollowUpKind.UNSURE: "it was not clear whether a point was made",
    FollowUpKind.UNGRADED: "the answer was not graded yet",
    FollowUpKind.EXECUTION: "running the code showed it",
    FollowUpKind.EXPLANATION: "the code came without a word",
}
_SURE = {
    Confidence.GUESS: "you called it a guess",
    Confidence.RATHER_UNSURE: "you were rather unsure",
    Confidence.RATHER_SURE: "you were rather sure",
    Confidence.SURE: "you were sure",
}
TALKS = {
    SegmentKind.WARM_UP: "Warm-up",
    SegmentKind.THEIR_QUESTIONS: "Your questions",
    SegmentKind.WAY_BACK: "Before the end",
}
"""What the parts in which nothing is graded are called."""
NOT_GRADED = "Not graded: nothing said here counts for or against you."
ENDED = {
    "completed": "All planned questions were asked.",
    "ended by the person": "You ended it early.",
    "no questions left": "It ended because no question was left to ask.",
    "time is up": "It ended because time was up.",
}
ORIGINS = {
    "bank": "from the question bank",
    "given": "given with the question",
    "derived": "derived from the reference answer",
}
UNSURE = "unsure"
WITH_OWN = "With your own assessment"
HOW_SELF_ASSESSED = (
    "What the judge was unsure of or could not score and you settled yourself is marked self-assessed. It changes "
    "no score of the judge; it makes the score with your own assessment, in which such a point earns 1 when met, "
    "a half when partly met, and nothing otherwise."
)
BANDS = {Band.STRONG: "strong", Band.SOLID: "solid", Band.APPROACHING: "approaching", Band.BELOW: "not yet at"}
_OUTCOMES = {
    CriterionOutcome.HELPED: "It helped",
    CriterionOutcome.DID_NOT_HELP: "It did not help: no point got a better verdict by the answer to it.",
    CriterionOutcome.UNANSWERED: "It was not answered.",
    CriterionOutcome.UNKNOWN: "Whether it helped is not known: not all that was said is graded.",
}
JUDGED_INTERVAL = "where the judge’s doubt leaves it, with a probability of 0.9"
STRONG = "A strong answer, built on yours"
STRONG_OURS = "A strong answer"
HOW_STRONG = (
    "Marked as yours: your own sentences that earned credit, as you said them. Marked as added: how the point that was "
    "missing, unsure or wrong can be said, out of the question’s rubric."
)
MADE_BY = (
    ("computed", "worked out from the verdicts by fixed rules"),
    ("judged", "by the judge, a model; “unsure” where it was near even"),
    ("yours", "your own words, letter for letter"),
    ("written", "by the authors of the question bank or of your documents, never by a model"),
)
"""The marks by which the report's parts are told apart, and what they mean."""
HOW_BANDS = (
    "From 80 of 100 on a score is called strong at the level of the questions, from 60 solid, from 40 approaching it. "
    "A topic is called strong from 75 on and not yet ready below 50. The interval of a total takes the judge’s errors "
    "on different questions as independent. What other questions of the kind might have given is told by the spread of "
    "the scores over these (Student’s interval of their weighted mean)."
)
HOW_SCORED = (
    "A criterion's credit runs from 0 to 1. A question's score is the mean of its credits, weighted by the "
    "criteria's weights. A total is the mean of the questions' scores, weighted by the minutes a question "
    "should take. Where code was submitted, half of the question's score is what the tests said about the last "
    "submission: all of it when every test passed, at most a half of it otherwise. What has no mark is left out of "
    "every mean: it never counts as zero."
)
NOT_MEASURED = "How far this judge can be trusted was never measured; take its marks as a rough guide."
WHO_SAYS_WHAT = (
    "Verdicts, credits and the choice of evidence were judged by the model named below. Totals, strengths and "
    "gaps were computed from them by fixed rules, and verdicts marked unsure name neither a strength nor a gap. "
    "Criteria, reference answers and corrections come from the question bank or from your documents. "
    "Quotations are your own words. No sentence about you was written by a model."
)


NO_STRENGTH = "No point was surely met without a hint."
NO_GAP = "No point was surely missing or wrong in an answer that is graded in full."
NOTES = "Your notes"
NOTES_APART = "What you noted for yourself during the interview. Nothing of it was graded."
NOT_ALL_GRADED = (
    "These verdicts do not cover the last answer, which is not graded. A point called missing here may have been "
    "made there."
)


def command(findings: Findings, form: str = "html") -> str:
    """The command that makes this report again from the journal."""
    return f"python app.py report {shlex.quote(findings.session_id)} --format {form} -o report.{form}"


def correction(found: Correction) -> str:
    """What stands above something that was said and is not so."""
    return "Said, and not so" if found.sure else "Said, and perhaps not so (the judge was unsure)"


def moment(at: datetime) -> str:
    """A date and a time of day in UTC, told the same way everywhere."""
    return f"{at.day} {at:%B %Y, %H:%M} UTC"


def duration(seconds: float) -> str:
    """A length of time, to the minute; seconds alone below one minute."""
    whole = round(seconds)
    if whole < 60:
        return count(whole, "second")
    hours, minutes = divmod(round(whole / 60), 60)
    parts = [count(hours, "hour")] if hours else []
    return " ".join(parts + ([count(minutes, "minute")] if minutes or not hours else []))


SEE_FOR_YOURSELF = "See for yourself"
"""Stands above code that shows what is so."""

NOT_TO_BE_TRUSTED = (
    "Not everything in this reference is to be trusted. Contradicting it costs nothing; this was found in it:"
)
"""Stands above the flags of a reference."""


def coverage(tally: Tally) -> str:
    """How many questions were asked and what became of them."""
    parts = [f"{count(tally.asked, 'question')} asked, {tally.graded} graded"]
    parts += [f"{tally.skipped} skipped"] if tally.skipped else []
    parts += [f"{tally.without_mark} answered but without a full mark"] if tally.without_mark else []
    return ", ".join(parts)


def without_score(findings: Findings) -> str:
    """Why there is no overall score at all; empty where there is one."""
    tally = findings.overall
    if not tally.asked:
        return "No question was asked, so there is nothing to report."
    if tally.unaided is None and tally.final is None and tally.self_assessed is None:
        return "No answer has been graded in full, so there is no score."
    return ""


def headline(findings: Findings) -> str:
    """The overall result in one sentence."""
    tally = findings.overall
    parts = []
    if tally.unaided is not None:
        parts.append(f"{percent(tally.unaided)} of 100 unaided over {count(tally.graded_unaided, 'question')}")
    if tally.final is not None:
        parts.append(f"{percent(tally.final)} of 100 with follow-ups and hints over {count(tally.graded, 'question')}")
    if tally.self_assessed is not None:
        over = count(tally.graded_self_assessed, "question")
        parts.append(f"{percent(tally.self_assessed)} of 100 with your own assessment over {over}")
    return without_score(findings) or "; ".join(parts) + "."


def damaged(number: int) -> str:
    """That events were left out of the report, and what that means for it."""
    entries = "1 entry" if number == 1 else f"{number} entries"
    return (
        f"{entries} of this interview’s journal cannot be used: damaged or changed since it was written, or of a newer "
        "version of this program. The report rests on all others; an answer or a mark may be missing from it."
    )


def result(standing: Standing) -> str:
    """Where the person stands: on the one scale, and on which topics they stand out."""
    if standing.place:
        strong = f" Strong on {listed(standing.strong_on)}." if standing.strong_on else ""
        weak = f" Not yet ready on {listed(standing.not_ready_on)}." if standing.not_ready_on else ""
        return f"{standing.place}{strong}{weak}"
    band, level = standing.band, f"{standing.level}-level"
    said = f"{BANDS[band]} {level}" if band in {Band.STRONG, Band.SOLID} else f"{BANDS[band]} {standing.level} level"
    parts = [said[0].upper() + said[1:]]
    parts += [f"strong on {listed(standing.strong_on)}"] if standing.strong_on else []
    parts += [f"not yet ready on {listed(standing.not_ready_on)}"] if standing.not_ready_on else []
    return ", ".join(parts) + "."


def how_sure(standing: Standing) -> str:
    """What the result rests on, and how far it may be off."""
    parts = [f"{percent(standing.score)} of 100 with follow-ups and hints"]
    if standing.interval is not None:
        parts.append(f"{interval(standing.interval)} as far as the judge’s doubt goes")
    if standing.reach is not None:
        parts.append(f"{interval(standing.reach)} over all questions of this kind")
    over = f"{standing.at_level} of {count(standing.graded, 'graded question')} at this level"
    if standing.at_level == standing.graded:
        over = f"{count(standing.graded, 'graded question')}, {'all' if standing.graded > 1 else 'it'} at this level"
    return f"{'; '.join(parts)}. It rests on {over}, and is {_supported(standing)}."


def _supported(standing: Standing) -> str:
    if standing.reach_bands is None or standing.support is Support.THIN:
        return "no more than a first impression: at least three graded questions are needed to say how sure it is"
    low, high = (f"“{BANDS[band]} {standing.level} level”" for band in standing.reach_bands)
    if standing.support is Support.FIRM:
        return "well supported: other questions of this kind would hardly have changed the word"
    close = "fairly sure" if standing.support is Support.FAIR else "rough"
    return f"{close}: other questions of this kind might have made it {low} or {high}"


def interval(found: Interval | None) -> str:
    """An interval of a score out of 100; a dash where there is none."""
    return "–" if found is None else f"{percent(found[0])} to {percent(found[1])}"


def between(found: Interval | None, before: str) -> str:
    """An interval as a clause behind a figure; empty where there is none."""
    return "" if found is None else f"{before}between {percent(found[0])} and {percent(found[1])}"


def covered(findings: Findings) -> str:
    """Time, and how much of the plan has a mark."""
    plan = findings.plan
    parts = [coverage(findings.overall)]
    if plan is not None and plan.topics:
        marked = {topic.topic for topic in findings.topics if topic.final is not None}
        parts.append(f"{len(marked & set(plan.topics))} of {count(len(plan.topics), 'planned topic')} with a mark")
    return ", ".join(parts)


def outcome(turn: Turn) -> str:
    """Whether a follow-up or a hint helped; empty for other turns."""
    if turn.outcome is None:
        return ""
    if turn.outcome is not CriterionOutcome.HELPED:
        return _OUTCOMES[turn.outcome]
    points = listed(tuple(map(str, turn.gained)))
    thing = "point" if len(turn.gained) == 1 else "points"
    return f"{_OUTCOMES[turn.outcome]}{f': {thing} {points} got a better verdict' if points else ''}."


def part_label(part: StrongPart) -> str:
    """Whose words a part of a strong answer is, and which points it makes."""
    thing = "point" if len(part.numbers) == 1 else "points"
    whose = "yours" if part.origin == "yours" else "added"
    return f"{whose}, {thing} {listed(tuple(map(str, part.numbers)))}"


def code_spans(text: str) -> tuple[tuple[str, bool], ...]:
    """Our own or a document's sentence, control characters visible, cut into plain words and `inline code` (true)."""
    parts = _CODE.split(visible(text))
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def certainty(findings: Findings) -> str:
    """How many verdicts the judge was unsure about; empty where there are none at all."""
    made = findings.made
    if not made.criteria_judged:
        return ""
    said = f"The judge was unsure of {made.criteria_unsure} of {count(made.criteria_judged, 'verdict')}."
    if not made.criteria_unsure:
        said = f"The judge was sure of each of its {count(made.criteria_judged, 'verdict')}."
    settled = f" You settled {count(made.criteria_self_assessed, 'point')} yourself."
    return said + settled if made.criteria_self_assessed else said


def phrased(by: PhrasedByModel) -> str:
    """How many follow-ups a model worded, and why the others are the bank's own."""
    replaced = sum(number for _, number in by.replaced)
    said = f"of {count(by.asked, 'follow-up')}, {by.asked - replaced} said as the model worded them"
    if not replaced:
        return f"{said}."
    why = ", ".join(f"{reason} {number}" for reason, number in by.replaced)
    return f"{said}, {replaced} ({replaced / by.asked:.0%}) in the bank’s own words instead ({why})."


def planned(findings: Findings) -> str:
    """What was asked for."""
    plan = findings.plan
    if plan is None:
        return "nothing"
    topics = ", ".join(plan.topics) or "all topics"
    kinds = f", only {' and '.join(plan.kinds)} questions" if plan.kinds else ""
    length = len(plan.question_ids) or plan.length
    return f"{count(length, 'question')} at {plan.level} level on {topics}{kinds}"


def turn_label(turn: Turn) -> str:
    """Who speaks, and as what; of an answer, how sure the person said that they were."""
    if turn.kind is TurnKind.TALK and turn.speaker == "person":
        return TURNS[TurnKind.ANSWER]
    drilled = f" ({WHY_FOLLOWED_UP[turn.follow_up_kind]})" if turn.follow_up_kind else ""
    sure = f" ({_SURE[turn.sure]})" if turn.sure else ""
    later = ", later" if turn.later else ""
    return TURNS[turn.kind] + later + drilled + sure


def status(question: QuestionFinding) -> str:
    """What became of a question, told once where it was left and gone back to."""
    said = STATUSES[question.status]
    if question.came_back:
        return f"{said}, left twice" if question.skipped else f"{said}, left first and answered later"
    return f"{said}, then skipped" if question.skipped and question.status is not QuestionStatus.SKIPPED else said


def verdict(found: CriterionFinding) -> str:
    """The verdict with how it was reached and how sure it is."""
    parts = [VERDICTS[found.verdict], REACHED[found.reached]]
    if not found.sure and found.verdict is not Verdict.UNSCORED:
        parts.append(UNSURE)
    parts.append(self_assessed(found))
    return ", ".join(filter(None, parts))


def self_assessed(found: CriterionFinding | Addition) -> str:
    """The person's own verdict, marked as theirs; empty where there is none."""
    return f"self-assessed: {VERDICTS[found.self_assessed]}" if found.self_assessed else ""


def marks(question: QuestionFinding) -> str:
    """The scores of a question, or why there are none."""
    own = "" if question.self_assessed is None else f"; with your own assessment {percent(question.self_assessed)}"
    if question.unaided is None and question.final is None:
        return f"No score: {clause(question.final_note)}{own}."
    unaided = percent(question.unaided) if question.unaided is not None else "no score"
    final = percent(question.final) if question.final is not None else "no score"
    if question.interval is not None:
        low, high = question.interval
        final += f" (between {percent(low)} and {percent(high)} with a probability of 0.9)"
    why_unaided = f" ({clause(question.unaided_note)})" if question.unaided_note else ""
    why_final = f" ({clause(question.final_note)})" if question.final_note else ""
    return f"Unaided {unaided}{why_unaided}; in the end {final}{why_final}{own}."


def trust(judge: JudgeUsed) -> str:
    """How far the marks of a judge can be trusted."""
    return " ".join(judge.card.sentences) if judge.card else NOT_MEASURED


def clause(reason: str) -> str:
    """A reason without its full stop, to stand inside a sentence of ours."""
    return reason.strip().rstrip(".")


def quote_intro(quotes: tuple[Quote, ...], asked: str = "") -> str:
    """What stands before quotations, by the reason they are given for."""
    if asked:
        return f"Asked “{asked}”, you said"
    openings = any(quote.role is QuoteRole.OPENING for quote in quotes)
    return "It does not occur in the answer that began" if openings else "You said"

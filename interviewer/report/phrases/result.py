"""The wording of the first page: the result, how sure it is, what it leaves out, what happened. Pure."""

from __future__ import annotations

import re

from interviewer.report.phrases import study
from interviewer.report.phrases.common import LIKELY_MET, VERDICTS, duration, question_title, verdict_word
from interviewer.report.schema.findings import Band, Findings, Standing, View
from interviewer.report.schema.question import Quote, QuoteRole, Support
from interviewer.report.schema.study import Doubt, Highlight
from interviewer.session.plan import SegmentKind
from interviewer.session.queries import planned_length
from interviewer.text import count, in_words, listed, percent
from rubric.model import Interval, Verdict

TITLE = "Interview report"
STRENGTHS = "What went well"
NO_STRENGTH = "No clear strengths this time: no point was clearly made without a hint, in words that show it."
NO_GAP = (
    "No point you were asked about is marked wrong or missing. Only these points were checked, not everything you said."
)
NO_SURE_GAP = (
    "No point of the rubric is clearly wrong or missing. {points} too close to call{likely}. Compare your answers with "
    "the reference answers in the appendix."
)
DOUBTED = "{statements} of yours {are} in doubt: see “Look these up” in the plan."
QUOTED = "Quotations are your own words."
ONLY_SURE = f"The judge was confident in these marks, except for points that start with “Check this.” {QUOTED}"
ALL_SURE = f"The judge was confident in these marks. {QUOTED}"
SURE_OF_STRENGTHS = f"The judge was confident in the strengths, but not in the points to fix. {QUOTED}"
SURE_OF_NONE = f"The judge was not confident in any of these points. {QUOTED}"
ONLY_QUOTED = f"The judge was confident in these strengths. {QUOTED}"
CHECK = "Check this:"
"""Stands before each point whose mark the judge is not sure of, unless the person said that they don't know it."""
STILL_OPEN = "The interview is still in progress."
ENDED = {
    "completed": "All planned questions were asked.",
    "ended by the person": "You ended it early.",
    "no questions left": "There were no more questions to ask.",
    "time is up": "Time ran out.",
}


def ended(findings: Findings) -> str:
    """Why the interview ended; who left it among their own questions, behind the last one, did not end it early."""
    if findings.ended is None:
        return STILL_OPEN
    behind = any(talk.part is SegmentKind.THEIR_QUESTIONS for talk in findings.talks)
    planned = findings.plan is not None and findings.overall.asked >= planned_length(findings.plan)
    reason = "completed" if behind and planned else findings.ended
    said = ENDED[reason]
    return f"{said.rstrip('.')}{_sooner(findings)}." if reason == "completed" else said


def _sooner(findings: Findings) -> str:
    """How long the questions took beside what was planned for them, where that was less than half; else empty."""
    planned = 60 * findings.planned_minutes
    if findings.seconds >= planned * _SOON:
        return ""
    return f", in {duration(findings.seconds)} instead of the {duration(planned)} planned"


_SOON = 0.5
"""Share of the planned time below which an interview was over so soon that it is worth a word."""


BANDS = {Band.STRONG: "strong", Band.SOLID: "solid", Band.APPROACHING: "approaching", Band.BELOW: "not yet at"}
_CALLED = {**BANDS, Band.BELOW: "not yet"}
SCALE = (("not yet", 0.4), ("approaching", 0.6), ("solid", 0.8), ("strong", 1.0))
"""The bands from the lowest up, short, with the score each ends at."""
INTERVIEWER_VIEW = (
    "The interviewer’s view: marks and evidence, without coaching. “You” is the person who was interviewed."
)
HOW_TO_OVERRIDE = "The appendix names the command that overrides a mark."


def no_gap(findings: Findings) -> str:
    """What stands instead of the gaps where none is named."""
    return " ".join(filter(None, (_no_gap(findings), _doubted(findings))))


def _doubted(findings: Findings) -> str:
    """How many statements are to be looked up; empty for none."""
    number = min(sum(len(question.doubted) for question in findings.questions), study.MOST_DOUBTED)
    statements, are = ("statement", "is") if number == 1 else ("statements", "are")
    return DOUBTED.format(statements=f"{in_words(number).capitalize()} {statements}", are=are) if number else ""


def _no_gap(findings: Findings) -> str:
    points = [point for question in findings.questions for point in question.criteria]
    unsure = [point for point in points if point.credit is not None and not point.decided and not point.never_asked]
    if not unsure:
        return NO_GAP
    # Counted as the table of the questions counts them.
    made = sum(verdict_word(point) == LIKELY_MET for point in unsure)
    many = "" if len(unsure) == 1 else "all of them " if made == len(unsure) else f"{made} of them "
    likely = f" ({many}likely {VERDICTS[Verdict.MET]})" if made else ""
    were = "was" if len(unsure) == 1 else "were"
    return NO_SURE_GAP.format(points=f"{count(len(unsure), 'point')} {were}", likely=likely)


def only_sure(findings: Findings) -> str:
    """How sure what stands above it is; empty where nothing does."""
    sure = [item.sure for item in findings.fix_first if item.doubt is not Doubt.NOT_KNOWN]
    if not sure:
        return ONLY_QUOTED if findings.strengths else ""
    if not any(sure):
        return SURE_OF_STRENGTHS if findings.strengths else SURE_OF_NONE
    return ALL_SURE if all(sure) else ONLY_SURE


def gaps_title(findings: Findings) -> str:
    """What stands above the gaps."""
    return "Gaps" if findings.view is View.INTERVIEWER else "What to fix first"


def result(standing: Standing) -> str:
    """Where the person stands on the one scale, and their score with its interval."""
    reach = standing.likely
    place = standing.place or f"{BANDS[standing.band].capitalize()} {standing.level} level."
    said = f"{place} Your score is {percent(standing.score)} of 100"
    if reach:
        said += f" (likely {interval(reach)})" if reach[1] - reach[0] <= _TELLS_LITTLE else f" ({ROUGH})"
    tail = [f"strong on {listed(standing.strong_on)}"] if standing.strong_on else []
    tail += [f"not ready yet on {listed(standing.not_ready_on)}"] if standing.not_ready_on else []
    return f"{'; '.join([said, *tail])}."


_TELLS_LITTLE = 0.65
"""Width of an interval from which it says no more than that the judge was unsure."""

ROUGH = "a rough figure, since the judge was unsure of many points"


def how_sure(standing: Standing) -> str:
    """What the result rests on, and how far it may be off."""
    over = count(standing.graded, "graded question")
    skipped = f" and {standing.skipped} skipped, counted as 0" if standing.skipped else ""
    if standing.at_level != standing.graded:
        over += f", {standing.at_level} of them at {standing.level} level"
        skipped = skipped and f",{skipped}"
    over += skipped
    return f"Based on {over}. {_supported(standing)}"


def _supported(standing: Standing) -> str:
    if standing.reach_bands is None or standing.support is Support.THIN:
        return "A first impression: it takes three graded questions to say how sure the result is."
    low, high = (f"“{_CALLED[band]}”" for band in standing.reach_bands)
    if standing.support is Support.FIRM:
        return f"Other questions of this kind would most likely have led to {low} as well."
    if standing.support is Support.FAIR:
        return f"With other questions of this kind, the result could be {low} or {high}."
    return "Take it as a rough guide: another set of questions might well have led to another result."


def scores(findings: Findings) -> str:
    """The other scores beside the result, a sentence each; empty where there are none."""
    tally = findings.overall
    said = []
    if tally.self_assessed is not None:
        said.append(f"With the points you settled yourself: {percent(tally.self_assessed)} of 100.")
    return " ".join(said)


def without_score(findings: Findings) -> str:
    """Why there is no overall score at all; empty where there is one."""
    tally = findings.overall
    if not tally.asked:
        return "No question was asked, so there is nothing to report."
    if tally.unaided is None and tally.final is None and tally.self_assessed is None:
        return "No answer has been graded in full, so there is no score."
    if findings.standing is None and tally.final is not None:
        return "You disagree with the mark of every graded point, so there is no result."
    return ""


def coverage(findings: Findings) -> str:
    """How many questions were asked and what became of them."""
    tally = findings.overall
    parts = [f"{count(tally.asked, 'question')} asked, {tally.graded} graded"]
    parts += [f"{tally.skipped} skipped"] if tally.skipped else []
    parts += [f"{tally.without_mark} not graded in full"] if tally.without_mark else []
    return ", ".join(parts)


def contested(findings: Findings) -> str:
    """What is left out because the person contests it; empty where they contest nothing."""
    points = [
        f"question {question.number}, point {found.number}"
        for question in findings.questions
        for found in question.criteria
        if found.contested
    ]
    if not points:
        return ""
    it = "it" if len(points) == 1 else "them"
    named = "; ".join(points[:4]) + ("; and more" if len(points) > 4 else "")
    said = (
        f"You disagree with {count(len(points), 'mark')} ({named}). The result, the gaps, and the plan leave {it} out"
    )
    return f"{said}; the scores of individual questions still show the judge’s marks."


def damaged(number: int) -> str:
    """That events were left out of the report, and what that means for it."""
    entries = "1 entry" if number == 1 else f"{number} entries"
    return (
        f"{entries} of this interview’s journal cannot be read: damaged, altered, or written by a newer "
        "version of this program. An answer or a mark may be missing from this report."
    )


def stated(findings: Findings, item: Highlight) -> str:
    """A point on the first page, with its question where it begins with “it”, and told as a doubt where it is one."""
    said = item.text
    if _REFERS.match(said):
        question = next((each for each in findings.questions if each.asked_id == item.asked_id), None)
        # "It" is what the question is on.
        said = f"{said.rstrip('.')} (the question: “{question_title(question, _TITLE)}”)." if question else said
    return said if item.plain else f"{CHECK} {said}"


def fix_word(item: Highlight) -> str:
    """What is the matter with a point to fix; doubt is told as doubt, with its reason."""
    if item.doubt is not None:
        return DOUBTS[item.doubt]
    if item.sure:
        return VERDICTS[item.verdict]
    return "you may not have made it"


DOUBTS = {
    Doubt.NOT_KNOWN: "you said you don’t know this well",
    Doubt.LEFT: "you left this follow-up unanswered",
    Doubt.TAKEN_BACK: "you took back what you said first, and it is unclear what stands",
    Doubt.IN_PART: "it is unclear whether you made the whole point",
    Doubt.NO_WORDS: "it is unclear whether you made this point",
}
"""Why a point is to be looked at again."""

_REFERS = re.compile(r"(?:It|Its|This|That|They|Their|These|Those)\b")
_TITLE = 70

SAME_ANSWER = "Missing from the same answer."
"""Stands where a gap would quote what the gap before it quotes."""


def unquoted(item: Highlight, asked: str) -> str:
    """What stands instead of a quotation where there is none; may be empty.

    Args:
        item: the point.
        asked: the follow-up that was not answered, as one writes it; may be empty.

    """
    return f"Asked “{_within(asked)}”, you gave no answer." if asked and not item.quotes else ""


def quote_intro(quotes: tuple[Quote, ...], asked: str = "") -> str:
    """What stands before quotations, by the reason they are given for."""
    if asked:
        return f"Asked “{_within(asked)}”, you said"
    openings = any(quote.role is QuoteRole.OPENING for quote in quotes)
    return "Missing from your answer, which began" if openings else "You said"


def _within(asked: str) -> str:
    """A follow-up as it stands within quotation marks: those of its own are single."""
    return asked.replace("“", "‘").replace("”", "’")


def interval(found: Interval | None) -> str:
    """An interval of a score out of 100; a dash where there is none."""
    return "–" if found is None else f"{percent(found[0])} to {percent(found[1])}"


def between(found: Interval | None, before: str) -> str:
    """An interval as a clause behind a figure; empty where there is none."""
    return "" if found is None else f"{before}likely {interval(found)}"

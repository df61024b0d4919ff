"""The report's own words for turns, verdicts, and questions: one phrase for each fact, shared by every written form.

Nothing here is phrased by a model, and every phrase is chosen by a fact in the findings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from interviewer.report.phrases.follow_ups import WHY_FOLLOWED_UP
from interviewer.report.schema.question import (
    Addition,
    Correction,
    CriterionFinding,
    QuestionFinding,
    QuestionStatus,
    Turn,
    TurnKind,
)
from interviewer.scoring.claiming import asks_back
from interviewer.scoring.outcomes import AssistanceLevel, CriterionOutcome
from interviewer.session.plan import Confidence, SegmentKind
from interviewer.speech.inverse_normalization import inverse_normalize
from interviewer.speech.written_names import with_names
from interviewer.text import clock, count, listed, percent, shortened, visible
from knowledge.model import Kind, Source
from rubric.model import LIKELY_MADE, Verdict

VERDICTS = {
    Verdict.MET: "met",
    Verdict.PARTIAL: "partly met",
    Verdict.MISSING: "missing",
    Verdict.CONTRADICTED: "contradicted",
    Verdict.UNSCORED: "not graded",
}
"""What each verdict is called, here and on the page."""

NOT_ASKED = "not asked"
"""What a missing point is called instead that nobody asked for, here and on the page."""

NOT_SURE = "unsure"
"""What a mark is called instead of which the judge is not sure, where marks are listed or counted."""

LIKELY_MET = "likely met"
_MARK_WORDS = (
    VERDICTS[Verdict.MET],
    LIKELY_MET,
    VERDICTS[Verdict.PARTIAL],
    NOT_SURE,
    VERDICTS[Verdict.MISSING],
    NOT_ASKED,
    VERDICTS[Verdict.CONTRADICTED],
    VERDICTS[Verdict.UNSCORED],
)


def mark_word(verdict: Verdict, *, sure: bool, never_asked: bool = False, credit: float | None = None) -> str:
    """What a mark is called: the page lists and counts marks by it, and so does the report."""
    if never_asked:
        return NOT_ASKED
    if sure or verdict is Verdict.UNSCORED:
        return VERDICTS[verdict]
    return LIKELY_MET if verdict is Verdict.MET and (credit or 0.0) >= LIKELY_MADE else NOT_SURE


def counted(words: Sequence[str]) -> str:
    """How many marks are called by each word, in the order in which the page lists them."""
    return ", ".join(f"{words.count(word)} {word}" for word in _MARK_WORDS if word in words)


REACHED = {
    AssistanceLevel.UNAIDED: "unaided",
    AssistanceLevel.LATER: "in a later answer",
    AssistanceLevel.AFTER_FOLLOW_UP: "after a follow-up",
    AssistanceLevel.AFTER_HINT: "after a hint",
    AssistanceLevel.AFTER_ANSWER: "when you came back to it",
    AssistanceLevel.HELP_UNKNOWN: "",
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
    TurnKind.WISH: "You, request",
    TurnKind.DECLINED: "You, no answer",
    TurnKind.REPLY: "Interviewer, reply",
    TurnKind.SHOWN: "Interviewer, explaining the point",
    TurnKind.TIME: "Interviewer, time check",
    TurnKind.TALK: "Interviewer",
}
_SURE = {
    Confidence.GUESS: "you called it a guess",
    Confidence.RATHER_UNSURE: "you were not very sure",
    Confidence.RATHER_SURE: "you were fairly sure",
    Confidence.SURE: "you were sure",
}
TALKS = {
    SegmentKind.WARM_UP: "Warm-up",
    SegmentKind.THEIR_QUESTIONS: "Your questions",
    SegmentKind.WAY_BACK: "Before the end",
}
"""What the parts in which nothing is graded are called."""
NOT_GRADED = "Not graded: nothing said here counts for or against you."
KINDS = {
    Kind.CONCEPT: "concept",
    Kind.CODING: "coding",
    Kind.DEBUGGING: "debugging",
    Kind.SYSTEM_DESIGN: "system design",
    Kind.BEHAVIORAL: "behavioral",
}
UNSURE = "the judge was unsure"
APPENDIX = "Appendix"
IN_THE_APPENDIX = "Every question with its transcript and marks, and how this report was made."
_OUTCOMES = {
    CriterionOutcome.HELPED: "It helped",
    CriterionOutcome.UNANSWERED: "It was not answered.",
}
HINT_GIVEN = "A hint was given."
SKIPPED = "Skipped the question."
LEFT_FOR_LATER = "Left the question for later."
NOTES = "Your notes"
NOTES_APART = "What you noted during the interview. It was not graded."
NOT_ALL_GRADED = "Your last answer is not graded, so a point called missing here may have been made in it."
NO_REFERENCE = "The source has no reference answer."
SEE_FOR_YOURSELF = "See for yourself"
"""Stands above code that shows what is so."""
CHECKED_CODE = f"{SEE_FOR_YOURSELF}; each `assert` in this code holds:"
"""Stands above such code at the end of a reference."""
NOT_TO_BE_TRUSTED = "This reference has known problems, so contradicting it costs you nothing:"
"""Stands above the flags of a reference."""


def introduced(reference: str) -> str:
    """A reference that says what code in it is for which only asserts, where nothing before it leads over to it."""
    shown = ""
    for at, part in enumerate(_FENCED.split(reference)):
        told = at % 2 == 0 or "assert " not in part or shown.rstrip().endswith((":", "```"))
        shown += part if told else f"{CHECKED_CODE}\n\n{part}"
    return shown


_FENCED = re.compile(r"^(```[^\n]*\n.*?^```[ \t]*$)", re.MULTILINE | re.DOTALL)


def correction(found: Correction) -> str:
    """What stands above something that was said and is wrong."""
    return "Not quite right" if found.sure else "Possibly not right (the judge is unsure)"


def moment(at: datetime) -> str:
    """A date and a time of day in this machine's time zone, which is named; told the same way everywhere."""
    local = at.astimezone()
    return f"{local:%B} {local.day}, {local.year}, {clock(local)} {local:%Z}"


def duration(seconds: float) -> str:
    """A length of time, to the minute; seconds alone below one minute."""
    whole = round(seconds)
    if whole < 60:
        return count(whole, "second")
    hours, minutes = divmod(round(whole / 60), 60)
    parts = [count(hours, "hour")] if hours else []
    return " ".join(parts + ([count(minutes, "minute")] if minutes or not hours else []))


def outcome(turn: Turn) -> str:
    """That a follow-up or a hint helped, or was not answered; empty where neither is known, and for other turns."""
    said = _OUTCOMES.get(turn.outcome, "") if turn.outcome is not None else ""
    if turn.outcome is not CriterionOutcome.HELPED:
        return said
    points = listed(tuple(map(str, turn.gained)))
    thing = "point" if len(turn.gained) == 1 else "points"
    return f"{said}{f': {thing} {points} improved' if points else ''}."


def code_spans(text: str) -> tuple[tuple[str, bool], ...]:
    """Our own or a document's sentence, control characters visible, cut into plain words and `inline code` (true)."""
    parts = _CODE.split(dtypes_written(visible(text)))
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def plain(text: str) -> str:
    """A sentence of ours or a document's without the marks of its inline code."""
    return "".join(part for part, _ in code_spans(text))


@lru_cache(maxsize=512)  # a report says the same in each of its forms, and this takes a tenth of the time of one
def written(spoken: str) -> str:
    """A question or a statement that is worded to be said aloud, as one writes it: bfloat16, num_workers, nn.Linear.

    It is the one way from the spoken form back, for the page, the report, the transcript and the terminal.

    Longer texts than anybody would say in one go come back as they are.
    """
    line = " ".join(spoken.split())
    if len(line) > _LONGEST_SPOKEN:
        return line
    said = inverse_normalize(with_names(line))
    return _ALONE.sub(r"\1 .", _NUMPY.sub("numpy.", said)) if " dot " in line else said


def as_written(said: str) -> str:
    """What the interviewer said as one writes it, for transcripts; quotations of several lines stay as they are."""
    return said if "\n" in said.strip() else written(said)


def said(turn: Turn) -> str:
    """The words of a turn: the interviewer's as one writes them, the person's own as they are."""
    return as_written(turn.text) if turn.speaker == "interviewer" else turn.text


def dtypes_written(text: str) -> str:
    """A point of a rubric with its number formats as one writes them: bfloat16, not “bfloat sixteen”."""
    return _SPELLED_DTYPE.sub(lambda found: f"{'b' if found[1] else ''}float{_BITS[found[2].lower()[:1]]}", text)


_SPELLED_DTYPE = re.compile(r"\b(b[ -]?)?float (sixteen|thirty[ -]two)\b", re.IGNORECASE)
_BITS = {"s": 16, "t": 32}
_NUMPY = re.compile(r"\bNumPy dot (?=\w)")
_LONGEST_SPOKEN = 2_000
_ALONE = re.compile(
    r"\b(and|by|calls?|fills?|for|from|in|into|its?|missing|of|on|only|or|plus|prints?|reads?|so|the|their|then|through|to|two|"
    r"uses?|via|what|whose|with|zero)\.(?=[A-Za-z_])"
)
"""Words that have no member: “fills dot grad” is ``fills .grad``."""


def clipped(text: str, most: int) -> str:
    """The beginning of a text of more than ``most`` characters, cut behind a word that can stand last.

    The end of one short word is not cut off: the mark for what is cut would save next to nothing.
    """
    over = text[most:].strip()
    if not over or (len(over) <= _LAST_WORD and " " not in over):
        return text
    cut = text[: most - 1]
    whole = cut.rpartition(" ")[0].split(" ")
    while len(whole) > _FEWEST_WORDS and whole[-1].strip(",;:").lower() in _LEADS_ON:
        whole.pop()
    return f"{' '.join(whole).rstrip(' ,;:.?!') or cut}…"


_LAST_WORD, _FEWEST_WORDS = 4, 4
_LEADS_ON = frozenset(
    [
        *("a", "an", "and", "are", "as", "at", "by", "can", "do", "does", "for", "from", "how", "if", "in", "is", "it"),
        *("its", "of", "on", "or", "that", "the", "their", "them", "they", "this", "to", "what", "when", "where"),
        *("which", "why", "will", "with", "would", "you", "your"),
    ]
)
"""Words behind which a reader expects more."""


def question_title(question: QuestionFinding, most: int = 100) -> str:
    """A question in one line."""
    return clipped(written(question.spoken[: 10 * most]), most)


def skipped(turn: Turn) -> str:
    """What stands for a question that was left, which is no skip where the person wants to come back to it."""
    return LEFT_FOR_LATER if turn.returns else SKIPPED


def turn_label(turn: Turn) -> str:
    """Who speaks, and as what; of an answer, how sure the person said that they were, and whether it only asks back."""
    if turn.kind is TurnKind.TALK and turn.speaker == "person":
        return TURNS[TurnKind.ANSWER]
    why = WHY_FOLLOWED_UP[turn.follow_up_kind] if turn.follow_up_kind else ""
    drilled = f" ({why})" if why else ""
    sure = f" ({_SURE[turn.sure]})" if turn.sure else ""
    later = ", later" if turn.later else ""
    asking = ", question" if turn.kind is TurnKind.ANSWER and not turn.marks and asks_back(turn.text) else ""
    return TURNS[turn.kind] + asking + later + drilled + sure


def facts(question: QuestionFinding) -> tuple[str, ...]:
    """What a question is on, of which kind, and for which level, nothing twice."""
    level = [str(question.level)] if question.level else []
    return tuple(dict.fromkeys([question.topic, KINDS[question.kind], *level]))


def status(question: QuestionFinding) -> str:
    """What became of a question, told once where it was left and gone back to."""
    said = STATUSES[question.status]
    if question.came_back:
        return f"{said}, set aside {'twice' if question.skipped else 'at first and answered later'}"
    # Whoever made every point, and left what was asked beyond them, skipped nothing that counts.
    whole = question.criteria and all(found.settled is Verdict.MET for found in question.criteria)
    left = question.skipped and question.status is not QuestionStatus.SKIPPED and not whole
    return f"{said}, then skipped" if left else said


def verdict_word(found: CriterionFinding) -> str:
    """What the verdict on a point is called: by the same word as on the page."""
    return mark_word(found.verdict, sure=found.sure, never_asked=found.never_asked, credit=found.credit)


def verdict(found: CriterionFinding) -> str:
    """The mark of a point in one word, what it means, and what the person says of it."""
    return "; ".join(filter(None, [f"{verdict_word(found)}: {meaning(found)}", self_assessed(found)]))


def not_decided(likely: int, unsure: int, done: str) -> list[str]:
    """How many points were likely done, and how many may or may not have been, a phrase each; none for none."""
    return [f"{number} {word}" for number, word in ((likely, f"likely {done}"), (unsure, NOT_SURE)) if number > 0]


def meaning(found: CriterionFinding) -> str:
    """What the mark of a point means, in one plain phrase; doubt is told as doubt."""
    if found.never_asked:
        return "you were not asked about this point, so it does not count"
    if found.verdict is Verdict.UNSCORED:
        return "this point has no mark"
    if found.taken_back:
        return "you took back what contradicted this point"
    if found.verdict is Verdict.CONTRADICTED and not found.sure and not found.quotes:
        return "it is not clear whether you made this point"
    if not found.sure:
        return "you likely made this point" if verdict_word(found) == LIKELY_MET else _MAY_MEAN[found.verdict]
    return f"{_MEANS[found.verdict]}{_HELP.get(found.reached, '')}"


_MEANS = {
    Verdict.MET: "you made this point",
    Verdict.PARTIAL: "you made part of this point",
    Verdict.MISSING: "you did not make this point",
    Verdict.CONTRADICTED: "you said something that contradicts this point",
}
_MAY_MEAN = {
    Verdict.MET: "you may have made this point",
    Verdict.PARTIAL: "you may have made part of this point",
    Verdict.MISSING: "you may not have made this point",
    Verdict.CONTRADICTED: "it is not clear whether what you said on this point is right",
}
_HELP = {
    AssistanceLevel.UNAIDED: " without help",
    AssistanceLevel.LATER: " in a later answer",
    AssistanceLevel.AFTER_FOLLOW_UP: " after a follow-up",
    AssistanceLevel.AFTER_HINT: " after a hint",
    AssistanceLevel.AFTER_ANSWER: " when you came back to it, after its marks were shown",
}


def reason(found: CriterionFinding) -> str:
    """Why a point has no mark, or what else than the answer decided its mark; empty for neither."""
    if not found.reason:
        return ""
    said = shortened(clause(found.reason), 600)
    return f"Why not: {said}." if found.verdict is Verdict.UNSCORED else f"{said}."


def source(question: QuestionFinding) -> str:
    """Where a question is from, as a reader of the report can look it up."""
    if question.of_bank and question.source.section:
        return f"the question bank: {' › '.join(question.source.section)}"
    return without_line(question.source.place)


def without_line(place: str) -> str:
    """A place in a document without the number of its line, which means nothing outside of an editor."""
    return _LINE.sub("", place, count=1)


def titled(place: str) -> str:
    """The title of what stands at a place, as ``Source.place`` tells it; without the file and the line."""
    found = _PLACE.fullmatch(place)
    if found is None:
        return without_line(place)
    numbers = {name: int(number) for name, number in _NUMBERED.findall(found["numbers"])}
    section = tuple(found["section"].split(" › ")) if found["section"] else ()
    return Source.model_validate({"path": found["path"], "section": section, **numbers}).title


_PLACE = re.compile(
    r"(?P<path>.+?\.\w{1,8})(?P<numbers>(?:, (?:page|cell|row|line) [1-9]\d{0,8})*)(?: \((?P<section>.+)\))?"
)
_NUMBERED = re.compile(r"(page|cell|row|line) (\d+)")
_LINE = re.compile(r", line \d+(?= \(|$)")


def self_assessed(found: CriterionFinding | Addition) -> str:
    """The person's own verdict, marked as theirs; empty where there is none."""
    return f"self-assessed: {VERDICTS[found.self_assessed]}" if found.self_assessed else ""


def weight(found: CriterionFinding) -> str:
    """The credit of a point, and how much it counts."""
    if found.never_asked:
        return "Not counted."
    credit = f"Credit: {percent(found.credit)} of 100. " if found.credit is not None else ""
    return f"{credit}Weight: {percent(found.share)}% of the question."


SKIPPED_SCORE = "Skipped without an answer: 0 of 100."


def marks(question: QuestionFinding) -> str:
    """The scores of a question, or why there are none."""
    if question.status is QuestionStatus.SKIPPED and question.final is not None:
        return SKIPPED_SCORE
    own = ""
    if question.self_assessed is not None:
        own = f" With the points you settled: {percent(question.self_assessed)} of 100."
    if question.unaided is None and question.final is None:
        return f"No score: {clause(question.final_note)}.{own}"
    final = f"{percent(question.final)} of 100" if question.final is not None else "No final score"
    if question.interval is not None:
        low, high = question.interval
        final += f", likely {percent(low)} to {percent(high)}"
    why_final = f" ({clause(question.final_note)})" if question.final_note else ""
    unaided = percent(question.unaided) if question.unaided is not None else "no score"
    why_unaided = f" ({clause(question.unaided_note)})" if question.unaided_note else ""
    return f"{final}{why_final}. Unaided: {unaided}{why_unaided}.{own}"


def clause(reason: str) -> str:
    """A reason without its full stop, to stand inside a sentence of ours."""
    return reason.strip().rstrip(".")

"""The transcript of an interview as HTML: what was said, and the marks as they arrive."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from interviewer.dialogue.utterances import acknowledge
from interviewer.policy.question_returns import answer_kept_back
from interviewer.report.phrases.code import code_summary
from interviewer.report.phrases.common import (
    LIKELY_MET,
    NOT_ASKED,
    NOT_SURE,
    TALKS,
    VERDICTS,
    as_written,
    counted,
    dtypes_written,
    introduced,
    mark_word,
    titled,
)
from interviewer.scoring.unasked_points import unasked
from interviewer.session.events import (
    AnswerDeclined,
    AnswerGiven,
    AnswerGraded,
    CodeRan,
    DeclineReason,
    Event,
    GradingFailed,
    InterviewerReplied,
    PersonSpoke,
    QuestionAsked,
    QuestionSkipped,
    ReturnWished,
    Said,
    SegmentOpened,
)
from interviewer.session.plan import Mode
from interviewer.session.queries import as_said, ungraded_on
from interviewer.session.state import AskedQuestion, Segment, State
from interviewer.web.safe_html import busy_html, markdown, markdown_line, text
from interviewer.web.views.interview.lookup import LOOKING_UP, is_looked_up
from knowledge.model import Question
from rubric.model import CriterionVerdict, Verdict

WORDS = VERDICTS
"""What each verdict is called on the page; a verdict that is not sure is called ``unsure``."""

_SIGNS = {
    "met": "✓",
    LIKELY_MET: "≈",
    "partly met": "◐",
    NOT_SURE: "?",
    "missing": "○",
    NOT_ASKED: "–",
    "contradicted": "✕",
    "not graded": "…",
}
"""What stands beside each word, in the order in which marks are shown."""

MAKING_REPORT = "Your report is being prepared."
"""Told from the end of the interview until the report is there."""

_SPEAKERS = {
    "question_asked": ("Interviewer", "they"),
    "follow_up_asked": ("Interviewer, follow-up", "they"),
    "hint_given": ("Interviewer, hint", "they hint"),
    "question_repeated": ("Interviewer, repeating", "they"),
    "time_called": ("Interviewer, time check", "they"),
    "cut_short": ("Interviewer", "they"),
    "answer_declined": ("Interviewer", "they"),
    "clarification_given": ("Interviewer, reply", "they"),
    "aside_taken": ("Interviewer", "they brief"),
    "criterion_shown": ("Interviewer, explaining the point", "they hint"),
    "return_wished": ("Interviewer", "they brief"),
    "question_returned": ("Interviewer, repeating", "they"),
    "mending_raised": ("Interviewer", "they"),
}
_TAKEN_AS = {
    "hint_given": "asking for a hint",
    "question_repeated": "asking to hear it again",
    "question_skipped": "asking to skip the question",
    "question_finished": "being done with the question",
    "answer_declined": "“I don’t know”",
    "clarification_given": "a question, not an answer",
    "aside_taken": "a remark, not an answer",
    "return_wished": "asking to go back",
    "mending_raised": "correcting an earlier answer",
}


_SEND_AGAIN = " If it was your answer, send it again, starting with “answer:”."
_LEFT_BECAUSE = {
    DeclineReason.SKIPPED: "asking to skip this follow-up",
    DeclineReason.SAID: "“I said that already”",
    DeclineReason.LATER: "asking to come back to this later",
}

_Timed = tuple[datetime, str]
"""Something as HTML, and when it was said."""


def _taken_as(event: Event) -> str:
    """What words that were no answer were taken for."""
    if isinstance(event, QuestionSkipped) and event.later:
        return "asking to come back to the question later"
    if isinstance(event, AnswerDeclined) and event.reason is not DeclineReason.UNKNOWN:
        return _LEFT_BECAUSE[event.reason]
    return _TAKEN_AS[event.type]


def transcript_html(state: State) -> str:
    """Everything said so far in the order in which it was said, with the marks of each question.

    A question that is asked again stands at the end a second time: nobody looks for what is new among what was said
    long ago.
    """
    thanks = acknowledge(state)
    told = state.plan is None or state.plan.mode is not Mode.EXAM or state.ended is not None
    kept_back = {asked.asked_id for asked in state.asked if not asked.closed or answer_kept_back(asked, state)}
    mended = [(answer, asked.number) for asked in state.asked for answer in asked.answers if answer.meanwhile]
    returns = [asked.returned.at for asked in state.asked if asked.returned]
    sections = [html for segment in state.segments for html in _segments_html(segment, returns, thanks, mended)]
    for asked in state.asked:
        done = asked.asked_id not in kept_back
        sections += _questions_html(asked, thanks, mended, told=told, done=done)
    parts = _told_once(_by_time(sections)) + (busy_html(LOOKING_UP) if is_looked_up(state) else "")
    # Seen only until the report takes its place.
    parts += busy_html(MAKING_REPORT) if state.ended else ""
    return f'<div class="transcript" role="log" aria-label="Transcript" tabindex="0">{parts}</div>'


def _told_once(html: str) -> str:
    """How to have words taken as an answer, told at the last of them: above, it only lengthens the page."""
    before, told, after = html.rpartition(text(_SEND_AGAIN))
    return before.replace(text(_SEND_AGAIN), "") + told + after


def is_waiting(asked: AskedQuestion) -> bool:
    """Whether an answer to this question is not graded yet."""
    return bool(ungraded_on(asked))


def word_of(verdict: CriterionVerdict, silent: Collection[str] = ()) -> str:
    """The words that name a verdict to the person.

    Args:
        verdict: on a point.
        silent: ids of the points that were never asked for.

    """
    return mark_word(verdict.verdict, sure=verdict.sure, never_asked=verdict.id in silent, credit=verdict.credit)


def _segments_html(
    segment: Segment,
    returns: Sequence[datetime],
    thanks: Mapping[str, str],
    mended: Sequence[tuple[AnswerGiven, int]],
) -> list[_Timed]:
    """A part without marks, in pieces where a question was asked again in between, each with its time."""
    heading = TALKS[segment.part]
    said = [(turn.at, _segment_turn_html(turn)) for turn in segment.turns]
    said += _mended_html(segment.turns[0].id, thanks, mended)
    pieces: dict[int, list[_Timed]] = {}
    for at, html in said:
        pieces.setdefault(sum(again <= at for again in returns), []).append((at, html))
    return [(min(at for at, _ in piece), _section_html(heading, _by_time(piece))) for piece in pieces.values()]


def _segment_turn_html(turn: SegmentOpened | PersonSpoke | InterviewerReplied | ReturnWished) -> str:
    if isinstance(turn, PersonSpoke):
        return _said_html("You", "you", turn.text)
    place = turn.place if isinstance(turn, InterviewerReplied) else ""
    source = f'<p class="quiet source">From: {text(titled(place))}</p>' if place else ""
    asking = _said_html("You", "you", turn.words) if isinstance(turn, ReturnWished) and turn.words else ""
    return f"{asking}{_said_html('Interviewer', 'they', as_written(turn.said))}{source}"


def _questions_html(
    asked: AskedQuestion,
    thanks: Mapping[str, str],
    mended: Sequence[tuple[AnswerGiven, int]],
    *,
    told: bool,
    done: bool,
) -> list[_Timed]:
    """A question and what was said on it, in two pieces where it was asked again, each with its time.

    Args:
        asked: the question.
        thanks: what is said after each answer, by its id.
        mended: answers that put another one right, and the numbers of their questions.
        told: whether marks are told before the end.
        done: whether nothing more can be said on it, so that its answer may be shown.

    """
    pieces: tuple[list[_Timed], list[_Timed]] = ([], [])
    for event in as_said(asked.turns):
        pieces[_is_later(event, asked)].append((event.at, _turn_html(event, asked, thanks, told=told, done=done)))
    for at, html in _mended_html(asked.asked_id, thanks, mended):
        pieces[asked.returned is not None and at >= asked.returned.at].append((at, html))
    # The reason tells how answers before it went.
    after = f"{_pending_html(asked)}{_why_html(asked)}{_reference_html(asked) if done else ''}" if told else ""
    kept_back = '<p class="quiet">You can come back to this one, so its answer stays hidden until the end.</p>'
    after += kept_back if told and asked.closed and not done else ""
    after += _source_html(asked.question, done=done)
    first, again = pieces
    name = f"Question {asked.number}"
    if not again:
        return [(asked.turns[0].at, _section_html(name, _by_time(first) + after))]
    return [
        (asked.turns[0].at, _section_html(name, _by_time(first))),
        (min(at for at, _ in again), _section_html(f"{name}, again", _by_time(again) + after)),
    ]


def _is_later(event: Event, asked: AskedQuestion) -> bool:
    """Whether an event belongs to the second time that a question was asked; a mark goes with its answer."""
    if asked.returned is None:
        return False
    if isinstance(event, AnswerGraded):
        answer = next((each for each in asked.answers if each.id == event.answer_id), None)
        return answer is not None and answer.at >= asked.returned.at
    return event.at >= asked.returned.at


def _section_html(name: str, html: str) -> str:
    return f'<section aria-label="{name}"><h2>{name}</h2>{html}</section>'


def _mended_html(open_id: str, thanks: Mapping[str, str], mended: Sequence[tuple[AnswerGiven, int]]) -> list[_Timed]:
    """What was said there to put the answer to another question right, with its time."""
    return [
        (
            answer.at,
            f"{_said_html(f'You, on question {number}', 'you', answer.choice or answer.text)}"
            f"{_said_html('Interviewer', 'they brief', thanks[answer.id])}",
        )
        for answer, number in mended
        if answer.meanwhile == open_id
    ]


def _by_time(said: Sequence[_Timed]) -> str:
    return "".join(html for _, html in sorted(said, key=lambda each: each[0]))


def _reference_html(asked: AskedQuestion) -> str:
    """A strong answer, once nothing more is asked."""
    if not asked.question.reference.strip():
        return ""
    return (
        '<details class="quiet reference"><summary>Reference answer</summary>'
        f'<div class="prose">{markdown(introduced(asked.question.reference))}</div></details>'
    )


def _why_html(asked: AskedQuestion) -> str:
    why = next((event.why for event in asked.turns if isinstance(event, QuestionAsked)), "")
    if not why:
        return ""
    return f'<details class="quiet source"><summary>Why this question?</summary><p>{text(why)}</p></details>'


def _source_html(question: Question, *, done: bool) -> str:
    """Where a question is from. What an entry of the bank is called may help, so that it waits for the end."""
    place = question.source.title
    if question.of_bank:
        place = " › ".join(["Question bank", place, *([question.title] if done and question.title else [])])
    return f'<details class="quiet source"><summary>Source of this question</summary><p>{text(place)}</p></details>'


def _turn_html(event: Event, asked: AskedQuestion, thanks: Mapping[str, str], *, told: bool, done: bool) -> str:
    html = _words_html(event)
    match event:
        case _ if isinstance(event, Said):
            who, css = _SPEAKERS[event.type]
            html += _said_html(who, css, as_written(event.said))
        case AnswerGiven(meanwhile=open_id) if open_id:
            html = _said_html("You, later", "you", event.text)
        case AnswerGiven():
            html = _said_html("You", "you", event.text)
            html += _said_html("Interviewer", "they brief", thanks[event.id])
        case QuestionSkipped():
            left = "put this question off" if event.later else "skipped this question"
            html += f'<p class="aside-line">You {left}.</p>'
        case CodeRan(submitted=True):
            html = f'<p class="aside-line">{text(code_summary(event))}</p>'
        case AnswerGraded() if told:
            html = _marks_html(event, asked, done=done)
        case _:
            pass
    return html


def _words_html(event: Event) -> str:
    """What the person said to ask for something, and how to have it taken as an answer after all."""
    words = event.person_words
    if words is None or isinstance(event, AnswerGiven):
        return ""
    taken = f"Taken as {_taken_as(event)}.{_SEND_AGAIN}"
    return f'{_said_html("You", "you", words)}<p class="aside-line">{text(taken)}</p>'


def _said_html(who: str, css: str, said: str) -> str:
    return f'<div class="turn {css}"><p class="who">{text(who)}</p><p class="said">{text(said)}</p></div>'


def _pending_html(asked: AskedQuestion) -> str:
    pending = ungraded_on(asked)
    if not pending:
        return ""
    failure = _last_failure(asked, pending)
    if failure and failure.late:
        return busy_html("Your answer is still being graded. The marks will appear when they are ready.")
    if failure:
        said = f"Not graded yet: {failure.reason} Your answer is saved."
        return f'<p class="aside-line failed">{text(said)}</p>'
    return busy_html("Your answer is being graded.")


def _last_failure(asked: AskedQuestion, pending: Sequence[AnswerGiven]) -> GradingFailed | None:
    ids = {answer.id for answer in pending}
    return next((failure for failure in reversed(asked.failures) if failure.answer_id in ids), None)


def _marks_html(event: AnswerGraded, asked: AskedQuestion, *, done: bool) -> str:
    """The marks of an answer: first the points that were made, then what is not sure, then what is open."""
    current = asked.grades[-1].id == event.id
    if not current:
        return f'<p class="aside-line">{text(_tally(event, unasked(asked, event.grade)))}</p>'
    silent = unasked(asked, event.grade)
    if done:
        shown, heading = event.grade.criteria, f"Marks: {_tally(event, silent)}"
        kept_back = ""
    else:
        # What is missing is still to be asked about: to print it here would answer the follow-up.
        shown = tuple(verdict for verdict in event.grade.criteria if word_of(verdict) == "met")
        heading = f"So far: {_tally(event, silent)}"
        kept_back = '<p class="quiet">You will see the remaining points when this question is done.</p>'
        kept_back = kept_back if len(shown) < len(event.grade.criteria) else ""
    ordered = sorted(shown, key=lambda verdict: list(_SIGNS).index(word_of(verdict, silent)))
    rows = "".join(
        _criterion_html(verdict, word_of(verdict, silent), event.graded_text, asked, done=done) for verdict in ordered
    )
    rows = f"<ul>{rows}</ul>" if rows else ""
    return f'<div class="marks"><p class="tally">{text(heading)}</p>{rows}{kept_back}</div>'


def _tally(event: AnswerGraded, silent: Collection[str]) -> str:
    """How many criteria got which word, in the order in which they are shown."""
    return counted([word_of(verdict, silent) for verdict in event.grade.criteria])


def _criterion_html(verdict: CriterionVerdict, word: str, graded_text: str, asked: AskedQuestion, *, done: bool) -> str:
    quotes = "".join(f"<blockquote>{text(graded_text[start:end])}</blockquote>" for start, end in verdict.evidence)
    heard = f'<p class="heard">You said:</p>{quotes}' if quotes else ""
    asking = '<p class="heard">Did you make this point?</p>' if word == "unsure" else ""
    reason = f'<p class="quiet">{text(verdict.reason)}</p>' if verdict.reason else ""
    claim = _claim_html(verdict, asked) if done and asked.closed else ""
    return (
        f'<li class="{word.replace(" ", "-")}"><span class="verdict"><span aria-hidden="true">{_SIGNS[word]}'
        f"</span> {word}</span><div>{_criterion_text(verdict, asked.question)}{heard}{asking}{reason}{claim}</div></li>"
    )


def _claim_html(verdict: CriterionVerdict, asked: AskedQuestion) -> str:
    """What one can press beside a mark that gives no full credit, or that one did."""
    if any(dispute.criterion_id == verdict.id for dispute in asked.disputes):
        return (
            '<p class="quiet" role="status">You told us you made this point. The mark stays as it is, and the report '
            "shows both.</p>"
        )
    if verdict.waived or (verdict.verdict is Verdict.MET and verdict.sure) or verdict.verdict is Verdict.UNSCORED:
        return ""
    return (
        f'<button type="button" class="claim" data-asked="{text(asked.asked_id)}" data-point="{text(verdict.id)}">'
        "I did say this</button>"
    )


def _criterion_text(verdict: CriterionVerdict, question: Question) -> str:
    # A document's question gets its rubric when it is graded; then only the verdict's id is known here.
    if question.rubric is None:
        return f"<p>{text(verdict.id)}</p>"
    try:
        return f"<p>{markdown_line(dtypes_written(question.rubric.criterion(verdict.id).text))}</p>"
    except KeyError:
        return f"<p>{text(verdict.id)}</p>"

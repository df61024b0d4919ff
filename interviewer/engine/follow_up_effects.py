"""Makes follow-ups of what the policy decided to drill, worded by a model where one may."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from interviewer.dialogue import follow_up_words, paraphrase, templates
from interviewer.dialogue.paraphrase import ParaphraseResult
from interviewer.dialogue.quotable import fits, is_about, is_clean
from interviewer.dialogue.quotation import excerpt, quotation, quote_near
from interviewer.engine.paraphraser import Paraphraser
from interviewer.engine.session_store import OpenSession
from interviewer.policy.actions import AskFollowUp
from interviewer.policy.answer_stages import Stage, stage_of, told_on
from interviewer.policy.code_follow_ups import next_code_follow_up
from interviewer.policy.follow_ups import comes_near_enough_to_quote, misheard, says_it, seems_contradicted
from interviewer.policy.next_action import put_off
from interviewer.session.events import FollowUpAsked, ParaphraseRecord
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.queries import asked_by_id, late_mark, require_plan, said_so_far
from interviewer.session.state import AskedQuestion
from knowledge.model import Kind
from rubric.model import Criterion


class FollowUpEffects:
    """Makes follow-ups.

    Args:
        paraphraser: has a model word them; without one, all are said as the bank has them.
        go_on: lets a session go on once a wording has come; called on another thread with the session's id.

    """

    def __init__(self, paraphraser: Paraphraser | None, go_on: Callable[[str], None]) -> None:
        self._paraphraser = paraphraser
        self._go_on = go_on

    def event(self, session: OpenSession, action: AskFollowUp) -> FollowUpAsked | None:
        """Returns a follow-up; ``None`` while a model is wording it."""
        asked, kind, criterion_id = asked_by_id(session.state, action.asked_id), action.kind, action.criterion_id
        turn = len(asked.follow_ups)
        worded = self._worded(session, action, self._from_bank(session, asked, action))
        if worded is None:
            return None
        said, phrased = worded
        return FollowUpAsked(
            id=f"{asked.asked_id}:follow-up:{turn + 1}",
            at=session.now(),
            asked_id=asked.asked_id,
            kind=kind,
            criterion_id=criterion_id,
            said=said,
            phrased=phrased,
        )

    def awaited(self, session_id: str) -> tuple[Future[ParaphraseResult], ...]:
        """Returns the wording that a session waits for, or waited for last."""
        return self._paraphraser.awaited(session_id) if self._paraphraser is not None else ()

    def _from_bank(self, session: OpenSession, asked: AskedQuestion, action: AskFollowUp) -> str:
        point = next_code_follow_up(asked)
        if point is not None and point.topic == action.criterion_id:
            return point.said
        later = put_off(asked)
        if later is not None and (later.kind, later.criterion_id) == (action.kind, action.criterion_id):
            between = asked.follow_ups[-1] is not later
            lead = templates.BACK_TO_FOLLOW_UP if between else templates.NOTHING_BETWEEN
            return lead.format(ask=paraphrase.bare(later.said))
        graded = asked.grades[-1] if asked.grades else None
        points = asked.question.rubric.criteria if asked.question.rubric else ()
        drilled = next((criterion for criterion in points if criterion.id == action.criterion_id), None)
        return follow_up_words.follow_up(
            asked.question,
            action.kind,
            action.criterion_id,
            quote=_quote(asked, drilled, action.kind)
            if drilled
            else _claim(asked)
            if action.kind is FollowUpKind.CLAIM
            else "",
            turn=len(asked.follow_ups),
            seed=require_plan(session.state).seed,
            doubtful=misheard(graded.grade, action.criterion_id) if graded else "",
            doubted=graded is not None and seems_contradicted(graded.grade, action.criterion_id),
            nearly_said=graded is not None and says_it(graded.nearest, action.criterion_id, asked.question.kind),
            said_before=" ".join(follow_up.said for each in session.state.asked for follow_up in each.follow_ups),
            same_stage=drilled is not None and _stage_before(asked) is stage_of(asked.question.kind, drilled),
        )

    def _worded(
        self, session: OpenSession, action: AskFollowUp, said: str
    ) -> tuple[str, ParaphraseRecord | None] | None:
        """Returns a follow-up as it is put, by a model where one may word it; ``None`` while that is waited for."""
        asked = asked_by_id(session.state, action.asked_id)
        ask = paraphrase.ask_for(asked, action.kind, said, session.state) if self._paraphraser is not None else None
        if self._paraphraser is None or ask is None:
            return said, None
        offer = self._paraphraser.offer(session.id, ask, partial(self._go_on, session.id))
        return paraphrase.accepted_wording(said, ask, asked, offer) if offer is not None else None


def _stage_before(asked: AskedQuestion) -> Stage | None:
    """The stage that the last follow-up was on; ``None`` where there was none, or it was on no stage."""
    points = asked.question.rubric.criteria if asked.question.rubric and asked.follow_ups else ()
    last = next((point for point in points if point.id == asked.follow_ups[-1].criterion_id), None)
    return stage_of(asked.question.kind, last) if last else None


def _claim(asked: AskedQuestion) -> str:
    """The statement that a point of the bank speaks against, the surest first; empty where none can be quoted."""
    if not asked.grades:
        return ""
    graded = asked.grades[-1]
    quotes = (excerpt(graded.graded_text, claim.span[0]) for claim in graded.claims if claim.quotable)
    return next(filter(None, quotes), "")


def _quote(asked: AskedQuestion, criterion: Criterion, kind: FollowUpKind) -> str:
    """The person's own words that a follow-up takes up: of a story those that tell the stage it asks about.

    They are one clean clause, and have to do with what is asked. What was taken up on the question already is not taken
    up twice.
    """
    late = late_mark(asked)
    graded = asked.grades[-1] if asked.grades else None
    if late is not None:
        text, marks = said_so_far(asked, late.answer_id), late.nearest
        nearest = quote_near(criterion, text, marks)
    elif graded is not None:
        text, marks, nearest = graded.graded_text, graded.nearest, quotation(criterion, graded)
    else:
        return ""
    told = told_on(asked.question.kind, criterion, text)
    own = [quote for start, _ in told if (quote := excerpt(text, start))]
    heard = [word for answer in asked.answers if answer.spoken is not None for word in answer.spoken.words]
    story = asked.question.kind is Kind.BEHAVIORAL
    # Words that the encoder holds to make the point may be quite other words than ours.
    close = story or says_it(marks, criterion.id, asked.question.kind)
    # What was said the other way around is quoted however far it is from the point.
    near = kind is FollowUpKind.CONTRADICTION or comes_near_enough_to_quote(marks, criterion.id)
    quotes = [
        quote
        for quote in (*own, *filter(None, [nearest]))
        if is_clean(quote, heard) and (close or (near and is_about(quote, criterion)))
    ]
    if story and (stage := stage_of(asked.question.kind, criterion)):
        quotes.sort(key=lambda quote: not fits(stage, quote))
    asked_before = " ".join(follow_up.said for follow_up in asked.follow_ups)
    # A question of theirs is no claim that could be taken up.
    return next((quote for quote in quotes if quote not in asked_before and not quote.endswith("?")), "")

"""When to come back to something that was missed. Pure.

The intervals are those of the Free Spaced Repetition Scheduler (FSRS-6, the package ``fsrs``) for a card seen for the
first time, with its published weights and 90 % retention; without its random spread, so that a report made again says
the same. A report knows one interview; ``interviewer/planning/spaced_repetition.py`` goes on over all of them, with
the same settings.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import cache

from fsrs import Card, Rating, Scheduler

from rubric.model import Verdict

_RATINGS = {
    Verdict.CONTRADICTED: Rating.Again,
    Verdict.MISSING: Rating.Again,
    Verdict.PARTIAL: Rating.Hard,
    Verdict.MET: Rating.Good,
}


def first_review(verdict: Verdict | None, studied: date) -> date:
    """The first day to review a point.

    Args:
        verdict: how it stood in the interview; ``None`` and what is unscored count as missing.
        studied: the day it is studied.

    """
    at = datetime.combine(studied, time(12), tzinfo=UTC)
    rating = _RATINGS.get(verdict, Rating.Again) if verdict else Rating.Again
    card, _ = _scheduler().review_card(Card(card_id=1, due=at), rating, at)
    return card.due.date()


@cache
def _scheduler() -> Scheduler:
    # Steps of minutes are for flash cards in one sitting; here a point is studied once a day.
    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)

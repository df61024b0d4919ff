"""The words about assignments, on a mentor's pages and on a candidate's."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.text import count, listed

# For mentors
TITLE = "Assignments"
NONE_YET = "Your group has no assignments yet."
GIVE = "Give an assignment"
NO_CANDIDATES = "Your group has no candidates yet, so there is nobody to give an assignment to."
HOW_TO_GIVE = (
    "Your candidates find it on their first page, with the due time, how long it takes, and who reads it. The agenda "
    "is the same for all of them."
)
DRAW_UP = "Draw up an agenda"
HOW_TO_DRAW_UP = "Fills the agenda in. You can change it below, or write it yourself."
NO_MATCH = "No questions match your choices."
ALL_OF_IT = "The whole group, and whoever joins it later"
ONLY_LISTED = "Ask on the agenda’s topics only, even where one has no questions left"
TALKS = "Warm-up first, candidate’s own questions last (4 minutes)"
DRAWN_UP_WITHOUT = "Write the minutes as a number from 5 to 180."
GIVEN = "Given. Your candidates see it now."
EXTENDED = "Saved. The assignment is open until then."
CLOSED = "Closed. Nobody can begin it any more; interviews in progress go on."
WITHDRAWN = "Withdrawn. Candidates no longer see it. Their interviews and results stay."
EXTEND = "Extend"
CLOSE = "Close"
WITHDRAW = "Withdraw"
SURELY = "Withdraw this assignment? That cannot be undone."
CHANGE = "Change this assignment"
HOW_TO_CHANGE = (
    "A new due time opens it again if it was closed. Once it is closed, nobody can begin it. Once it is withdrawn, "
    "candidates no longer see it, and that cannot be undone. Interviews and results stay in any case."
)
IS_WITHDRAWN = "This assignment was withdrawn. Candidates no longer see it."
NO_WISH = "What was sent is not an assignment. Reload the page and try again."
UNREAD = "cannot be read at present"
LATE = "late"
OVERDUE = "overdue"

# For candidates
YOURS = "Your assignments"
START = "Start"
CONTINUE = "Continue"
AGAIN = "Start again"
REPORT = "Open the report"
IS_CLOSED = "Closed: it cannot be started any more."
FIXED = "When you start, this agenda is fixed: what you choose below does not change it."


def read_by(mentors: Sequence[str]) -> str:
    """Who reads an interview that is held for an assignment."""
    names = listed(tuple(mentors))
    return f"It is read by {names}, while it goes on and afterwards." if names else ""


def lasts(minutes: int, questions: int) -> str:
    """How long an interview takes."""
    return f"about {count(minutes, 'minute')}, {count(questions, 'question')}"


def may_begin(left: int | None, begun: int) -> str:
    """How many interviews may still be begun for an assignment; empty for as many as one likes."""
    if left is None:
        return ""
    more = "more " if begun else ""
    return f"You can start it {count(left, f'{more}time')}." if left else "You have used all your tries."

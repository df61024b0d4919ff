"""The words of a mentor's pages, and those that tell a candidate who reads their interviews."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.text import listed

TITLE = "Interviews of your group"
ASSIGNMENTS = "Assignments"
NO_CANDIDATES = "Your group has no candidates yet. Whoever runs this page adds them."
NO_INTERVIEWS = "No candidate of your group has held an interview yet."
LIVE = "This interview is still going on."
FOLLOW = "Update this page every 5 seconds"
OVERRIDE = "Override a mark"
HOW_TO_OVERRIDE = (
    "Your mark counts instead of the judge’s, which stays beside it. The candidate’s report shows your name and your "
    "reason."
)
NOTHING_TO_OVERRIDE = "There are no marks yet. They can be overridden once all that was said on a question is graded."
NO_REASON = "A mark needs a reason."
OVERRIDDEN = "Saved. The candidate’s report shows it as yours."
NOT_THERE = "There is no such interview in your group."


def told(mentors: Sequence[str]) -> str:
    """What a candidate is told before they begin.

    Args:
        mentors: names of those of their group.

    """
    those = "The mentor of your group" if len(mentors) == 1 else "The mentors of your group"
    return (
        f"{those} ({listed(tuple(mentors))}) can read every interview you hold here, while it goes on and afterwards, "
        "and those you held before: the questions, what you say and draw, your code, and your marks. Stories you add "
        "are among them. They can override marks. They cannot read your notes, recordings, résumé, or documents."
    )

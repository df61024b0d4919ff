"""What an interviewer answers to whoever asks whether their program passes: what its last run showed. Pure."""

from __future__ import annotations

import re

from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from interviewer.text import listed
from rubric.coding.result import CodeStatus

_ASKS = re.compile(
    r"\b(?:(?:does|do|did|is|are|will|would) "
    r"(?:it|that|this|they|my \w+|the (?:code|program|tests?)|all (?:the |my )?tests?)"
    r"(?: all| now| still)* (?:pass\w*|work\w*|right|correct|fine|green|fail\w*|run)"
    r"|(?:which|what) (?:tests? )?(?:(?:is|are) )?(?:still |now )*(?:fail\w*|red|left|open)"
    r"|what(?:'s| is) (?:still )?(?:failing|wrong with (?:it|my code)))\b",
    re.IGNORECASE,
)

NOT_RUN = "I haven't run it yet. Submit it, and I'll tell you."
PASSES = "Yes, it passes all my tests."
NO_START = "No, it doesn't start. The results beside your code say where it stops."


def answer(asked: AskedQuestion, words: str) -> str:
    """The reply; empty where the person asks something else, or nothing is executed for the question.

    Args:
        asked: the open question.
        words: what the person said.

    """
    if asked.question.task is None or len(words.split()) > _MOST_WORDS or not _ASKS.search(words):
        return ""
    submitted = asked.submission
    if submitted is None:
        return NOT_RUN
    result = submitted.result
    if result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return ""
    if result.status is CodeStatus.PASSED:
        return PASSES
    open_tests = [test for test in result.tests if test.status is not CodeStatus.PASSED]
    failing = list(dict.fromkeys(speakable(test.title) for test in open_tests))
    if not failing:
        return NO_START
    named = listed(tuple(failing[:_NAMED])) if len(failing) <= _NAMED else f"{', '.join(failing[:_NAMED])}, and others"
    return f"Not yet. Still failing: {named}."


_MOST_WORDS = 30
_NAMED = 3

"""What an interviewer answers to whoever asks whether their program passes, or what it returned. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from interviewer.text import last_apart, listed
from rubric.coding.result import CodeResult, CodeStatus, CodeTest

_ASKS = re.compile(
    r"\b(?:(?:does|do|did|is|are|will|would) "
    r"(?:it|that|this|they|my \w+|the (?:code|program|tests?)|all (?:the |my )?tests?)"
    r"(?: all| now| still)* (?:pass\w*|work\w*|right|correct|fine|green|fail\w*|run)"
    r"|(?:which|what) (?:tests? )?(?:(?:is|are) )?(?:still |now )*(?:fail\w*|red|left|open)"
    r"|what(?:'s| is) (?:still )?(?:failing|wrong with (?:it|my code)))\b",
    re.IGNORECASE,
)

_ASKS_WHAT_CAME_OUT = re.compile(
    r"\b(?:what (?:did|does) (?:it|that|they|my \w+|the (?:code|program|function|method)) (?:return|give|print|produce"
    r"|output|say|do)\b"
    r"|what (?:came|comes) out\b|what (?:did|do) you (?:get|see|expect)\b"
    r"|(?:what|which) (?:(?:was|were|is|are) the )?(?:inputs?|outputs?|results?|values?)\b"
    r"(?: (?:did|was|were|that|in|there|of|for|fails?|failed)\b|\?))",
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
    if asked.question.task is None or len(words.split()) > _MOST_WORDS:
        return ""
    submitted = asked.submission
    if submitted is not None and words.rstrip().endswith("?") and _ASKS_WHAT_CAME_OUT.search(words):
        return _what_came_out(submitted.result.tests)
    if not _ASKS.search(words):
        return ""
    return NOT_RUN if submitted is None else _how_it_went(submitted.result)


def answered_first(asked: AskedQuestion, words: str) -> tuple[str, str]:
    """The answer before the question whether the program passes, and the reply to that; both empty where it is not so.

    Args:
        asked: the open question.
        words: what the person said.

    """
    before, last = last_apart(words)
    if len(before.split()) <= _A_FEW or not last.endswith("?"):
        return "", ""
    return before, answer(asked, last)


_A_FEW = 5
"""Words before such a question that are no answer yet."""


def _how_it_went(result: CodeResult) -> str:
    """Whether all tests passed, or which did not; empty where nothing could be executed."""
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


def _what_came_out(tests: Sequence[CodeTest]) -> str:
    """The first case that failed; empty where none did."""
    case = next((case for test in tests for case in test.failing), None)
    if case is None:
        return ""
    put_in, expected, got = (" ".join(part.split()) for part in (case.put_in, case.expected, case.got))
    if max(map(len, (put_in, expected, got))) > _MOST_OF_A_CASE:
        return SEE_RESULTS
    return f"For {put_in} it gave {got}, and {expected} was expected."


SEE_RESULTS = "The results beside your code show what went in, what came out, and what was expected."
_MOST_OF_A_CASE = 60
"""Characters of a value that is read out."""

_MOST_WORDS = 30
_NAMED = 3

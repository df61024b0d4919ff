"""What the interviewer asks about a program that was run: out of what failed, what was measured, and the code. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from interviewer.session.events import CodeRan
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, Timing
from rubric.coding.task import CodeTestKind
from serving.syntax import python_tree

MOST_ABOUT_FAILURES = 2
"""Follow-ups on failing tests that one question may get; after these the person tries on alone."""

_MOST_TOLD = 5
"""Submissions of one question up to which is said how far they have come; the results stand beside the code anyway."""

_STEEPER = 0.4
"""By how much time must grow faster than with our own solution to be worth a question."""

_SYNCHRONIZING = ("item", "cpu", "numpy", "tolist")


_TOLD = {
    "recursion": re.compile(r"\brecursion (?:limit|depth|error)|\b(?:call )?stack\b|\bdeep\b", re.IGNORECASE),
    "synchronisation": re.compile(
        r"\b(?:synchroni[sz]\w*|syncs?|blocks?|blocking|waits?|waiting|stalls?|stalling)\b", re.IGNORECASE
    ),
    "data": re.compile(
        r"\b(?:version counters?|behind (?:autograd|its back)|autograd (?:does ?n['’]t|cannot) \w+)", re.I
    ),
    "except": re.compile(r"\b(?:keyboard ?interrupt|swallow\w*|bare except|every exception|all exceptions)\b", re.I),
}
"""Words by which one knows that the person has spoken of what a reviewer would ask."""


class CodeFollowUp(NamedTuple):
    """Something worth a question.

    Attributes:
        kind: why it is asked.
        topic: names what it is about within its question; nothing is asked about twice.
        said: the question, fit to be said aloud.

    """

    kind: FollowUpKind
    topic: str
    said: str


def next_code_follow_up(asked: AskedQuestion) -> CodeFollowUp | None:
    """What to ask about the last submission; ``None`` where nothing is left to ask."""
    submitted = asked.submission
    if submitted is None:
        return None
    done = {follow_up.criterion_id for follow_up in asked.follow_ups}
    about_failures = sum(topic.startswith("run:test:") for topic in done)
    points: Iterator[CodeFollowUp] = iter(())
    if submitted.result.status is CodeStatus.SANDBOX_UNAVAILABLE:
        return None
    if submitted.result.status is not CodeStatus.PASSED:
        # Several tests fail over one fault: the person mends what was asked about before the next is.
        if any(each.about_run and each.at >= submitted.at for each in asked.follow_ups):
            return None
        if about_failures < MOST_ABOUT_FAILURES:
            points = _failures(submitted.result)
        points = chain(points, _still_failing(asked, submitted))
    else:
        points = _passed(asked, submitted)
    return next((point for point in points if point.topic not in done), None)


def _failures(result: CodeResult) -> Iterator[CodeFollowUp]:
    if result.status is CodeStatus.TAMPERED:
        said = "Your code changes the code that tests it, so none of it counts. How would you do it without that?"
        yield CodeFollowUp(FollowUpKind.EXECUTION, "run:test:tampered", said)
    elif result.status is CodeStatus.FORBIDDEN:
        said = "I ran your code, and it uses something the question rules out. How would you write that part yourself?"
        yield CodeFollowUp(FollowUpKind.EXECUTION, "run:test:forbidden", said)
    elif not result.tests:
        said = f"I tried to run your code, but it doesn't start. {_why(result)} What do you make of that?"
        yield CodeFollowUp(FollowUpKind.EXECUTION, "run:test:start", said)
    for test in result.tests:
        if test.status not in {CodeStatus.PASSED, CodeStatus.FORBIDDEN}:
            said = f"I ran your code. {_failure(test, result)}"
            yield CodeFollowUp(FollowUpKind.EXECUTION, f"run:test:{_bare(test)}", said)


def _still_failing(asked: AskedQuestion, submitted: CodeRan) -> Iterator[CodeFollowUp]:
    """How far a program has come that still fails where it was asked about before."""
    tests = submitted.result.tests
    failing = [test for test in tests if test.status is not CodeStatus.PASSED]
    again = sum(run.submitted for run in asked.runs)
    if failing and 1 < again <= _MOST_TOLD:
        named = speakable(failing[0].title)
        others = ", and it isn't the only one" if len(failing) > 1 else ""
        said = (
            f"I ran it again: {len(tests) - len(failing)} of {len(tests)} tests pass. "
            f"The one on {named} still fails{others}. What do you make of it?"
        )
        yield CodeFollowUp(FollowUpKind.EXECUTION, f"run:again:{again}", said)


def _why(result: CodeResult) -> str:
    return f"Python stops at line {result.line}." if result.line else "Something I asked for isn't defined."


_WHAT_HAPPENS = {
    CodeStatus.TIMEOUT: "it doesn't finish in time. How does its running time grow, and with what?",
    CodeStatus.NO_RESULT: "the process is gone before it returns anything. What could use that much memory?",
    CodeStatus.OVERSIZE: "it returns far more than it should. Where does that come from?",
}
_WHAT_DIFFERS = {
    CodeTestKind.GRADIENT: "the gradients aren't what I expect. Which line of yours decides about them?",
    CodeTestKind.RESOURCE: "it uses more than it should. What's holding on to it?",
}


def _failure(test: CodeTest, result: CodeResult) -> str:
    title = speakable(test.title)
    others = [other for other in result.tests if _bare(other) == _bare(test) and other.name != test.name]
    fine = next((other for other in others if other.status is CodeStatus.PASSED), None)
    if fine is not None:
        right, wrong = _setting(fine), _setting(test)
        return f"The test “{title}” passes {right} but not {wrong}. Why might that be?"
    if test.status is CodeStatus.ERROR:
        where = f" at line {test.line}" if test.line else ""
        what = f"it stops with an error{where}. What does it run into there that you didn't expect?"
    elif test.status is CodeStatus.MISMATCH:
        other = "it returns something other than what I expect. Where in your code does that come from?"
        what = _WHAT_DIFFERS.get(test.kind, other)
    else:
        what = _WHAT_HAPPENS[test.status]
    return f"In the test “{title}”, {what}"


_EXPLAIN = (
    "All my tests pass. Walk me through it: how does it work, what does it cost, and where would it break?",
    "It passes every test. How did you go about it?",
    "That's all tests passed. Take me through your code, step by step. What does it cost?",
    "All tests pass. Which part was the hardest to get right, and how does it work now?",
    "Everything passes. How would you explain this program to a coworker who has to maintain it?",
)
"""Asked of a program that was handed in without a word; another one for each question of an interview."""


def _passed(asked: AskedQuestion, submitted: CodeRan) -> Iterator[CodeFollowUp]:
    if not asked.answers:
        yield CodeFollowUp(FollowUpKind.EXPLANATION, "run:explain", _EXPLAIN[(asked.number - 1) % len(_EXPLAIN)])
    if any(topic.startswith("run:passed:") for topic in (follow_up.criterion_id for follow_up in asked.follow_ups)):
        return
    for timed in submitted.result.timing:
        if timed.exponent > timed.our_exponent + _STEEPER:
            yield CodeFollowUp(FollowUpKind.EXECUTION, "run:passed:time", _slow(timed))
    words = " ".join(answer.text for answer in asked.answers)
    task = asked.question.task
    ours = {topic for topic, _ in _remarks(task.solution)} if task is not None else set()
    for topic, said in _remarks(submitted.source):
        # What our own solution does is no fault of theirs, and what they told they need not be asked.
        if topic in ours or _TOLD[topic].search(words):
            continue
        yield CodeFollowUp(FollowUpKind.EXECUTION, f"run:passed:{topic}", f"All my tests pass. {said}")


def _slow(timed: Timing) -> str:
    factor = round(2**timed.exponent)
    grows = f"about {factor} times as long" if factor > 1 else "noticeably longer"
    return (
        f"All my tests pass. I also measured: with twice the input, your code takes {grows}. "
        "Where does the time go, and how would you avoid it?"
    )


def _remarks(source: str) -> Iterator[tuple[str, str]]:
    """What a reviewer would ask about the text of a program that works."""
    try:
        tree = python_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and _calls_itself(function):
            yield (
                "recursion",
                "One of your functions calls itself. What happens with an input a hundred thousand deep?",
            )
            break
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For | ast.While) and _calls(loop, set(_SYNCHRONIZING)):
            said = "Inside your loop, you pull a number out of a tensor. What does that cost on a GPU?"
            yield "synchronisation", said
            break
    if any(isinstance(node, ast.Attribute) and _is_tensor_data(node) for node in ast.walk(tree)):
        yield (
            "data",
            "You use a tensor's data attribute. What can go wrong with that?",
        )
    if any(isinstance(node, ast.ExceptHandler) and node.type is None for node in ast.walk(tree)):
        yield "except", "You catch every exception there is. Which ones shouldn't you swallow?"


def _is_tensor_data(node: ast.Attribute) -> bool:
    """Whether an attribute may be a tensor's ``data``: one of the object itself is its own."""
    return node.attr == "data" and not (isinstance(node.value, ast.Name) and node.value.id == "self")


def _calls(tree: ast.AST, names: set[str]) -> bool:
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    plain = {function.id for function in called if isinstance(function, ast.Name)}
    methods = {function.attr for function in called if isinstance(function, ast.Attribute)}
    return not names.isdisjoint(plain | methods)


def _calls_itself(function: ast.FunctionDef) -> bool:
    """By its name or as a method of its object; what a class above it has by the same name is another one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id == function.name:
                return True
            if isinstance(called, ast.Attribute) and called.attr == function.name:
                return isinstance(called.value, ast.Name) and called.value.id == "self"
    return False


def _bare(test: CodeTest) -> str:
    return re.sub(r"\[.*\]$", "", test.name)


def _setting(test: CodeTest) -> str:
    """Dtype and device of a test, in words."""
    inside = re.search(r"\[(.*)\]$", test.name)
    spoken = {"float32": "in single precision", "float64": "in double precision", "bfloat16": "in bfloat sixteen"}
    spoken |= {"float16": "in half precision", "cuda": "on the GPU"}
    words = [spoken.get(part, f"with {part}") for part in (inside[1].split(", ") if inside else [])]
    return " ".join(words) or "in the other setting"

"""Whether somebody says of themselves that they do not know something. Pure rules."""

from __future__ import annotations

import re

from interviewer.text import plain

_ADMITS = re.compile(
    r"\bi (?:really |honestly |actually |just |also )?(?:do not|don't) (?:really |quite |actually |honestly |fully )?"
    r"(?:know|understand|remember|recall)\b"
    r"|\bi(?: have|'ve)(?: got)? (?:absolutely |really |honestly )?no (?:idea|clue)\b"
    r"|(?:^|[,;:] )(?:honestly,? )?no (?:idea|clue)\b"
    r"|\bi(?:'m| am) (?:really |honestly )?not (?:really |very |so |that |too )?"
    r"(?:familiar with|good at|strong (?:on|in|at))\b"
    r"|\bi(?:'m| am) (?:really |honestly )?(?:not sure|unsure) how (?:that|this|it|the|to|you|one)\b"
    r"|\bi (?:can't|cannot|couldn't) (?:really )?(?:tell you|say much)\b"
    r"|\bi (?:have not|haven't|'ve not) (?:really |ever )?(?:worked with|used|looked into|studied|learned)\b"
    r"|\bi know (?:very |too |quite )?little (?:about|of)\b"
    r"|\bi(?: have|'ve)? never (?:really |fully |quite )?(?:understood|learned|learnt|looked into|worked with)\b"
    r"|\bi (?:would |will |'ll )?(?:have to |rather )?(?:skip|pass on) (?:the|this|that)\b"
    r".{0,30}\b(?:part|bit|half|piece)\b"
    r"|\bis not (?:really )?my (?:daily work|field|area|strength|strong point)\b"
    r"|\bisn't (?:really )?my (?:daily work|field|area|strength|strong point)\b"
)
_OF_THE_TASK = re.compile(
    r"\bknow (?:yet|in advance|beforehand|up front|ahead of time|of any)\b"
    r"|\b(?:know|remember|recall) (?:how many|how much)\b"
    r"|\b(?:know|remember|recall) (?:what )?(?:the )?(?:exact|precise|number|size|budget|load|traffic)"
    r"|\b(?:know|understand) what (?:more |else |exactly )?you\b"
    r"|\b(?:by heart|offhand|off the top)\b"
    r"|\b(?:so|but|then|and) (?:i|i'd|we|we'd|i'll|we'll)(?: would| will| can| could)?(?: first| then| just)? "
    r"(?:ask|assume|measure|check|test|profile|find out|look it up|estimate)\b"
    # "With my stack I don't know when a list is finished, so I'd need iterators": what a program cannot tell.
    r"|\bso (?:i|i'd|we|we'd|i'll|we'll)(?: would| will| must)? (?:need|have to|keep|store|track|push|mark|count)\b"
    r"(?! (?:to )?(?:look|read|learn|study|ask)\b)"
    r"|\bknow (?:when|whether|if|which|where) [^.,;]{1,40}? (?:is|are|has|have|was|were)(?: been)?(?: already| still)? "
    r"(?:finished|done|over|empty|full|reached|ready|exhausted|closed|open|complete|left|next)\b"
    r"|\b(?:with|without|in|inside|at|from) (?:my|our|just|only) (?!(?:experience|opinion|view|project|team|job|work"
    r"|case|head|memory|understanding|studies)\b)[^.,;]{1,30}?,? i (?:do not|don't|cannot|can't) know\b"
    r"|\b(?:where|when|if|whenever|because|since|that|which|or) i (?:do not|don't|cannot|can't)\b"
    r"|^(?:if|when|as long as|what|whatever|where|until|because|since) i (?:do not|don't)\b"
)
"""What is not known of the task, by the program, or for now, and is no gap of the person's."""


def admits_not_knowing(sentence: str) -> bool:
    """Whether a sentence says that its speaker does not know, or leaves out, what was asked for.

    Args:
        sentence: one, in the person's own words.

    """
    said = plain(sentence)
    if said.endswith("?"):
        return False
    return _ADMITS.search(said) is not None and _OF_THE_TASK.search(said) is None

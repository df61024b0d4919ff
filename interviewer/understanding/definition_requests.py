"""What a person asks the meaning of: "What is X?", "What is X good for?", "How does X differ from Y?"."""

from __future__ import annotations

import re

_THING = r"(?P<thing>\S+(?: \S+){0,4}?)"
_OTHER = r"(?P<other>\S+(?: \S+){0,4}?)"
_BEFORE = r"(?:(?:so|and|okay|ok|well|uh|um|right|yes|yeah|sure|one question|just|quickly)[, :]+)*"
_ASKED = (
    r"(?:(?:can|could|would) you (?:please |quickly |briefly )?(?:(?:tell me|explain|say|remind me)(?: again)? )?)?"
)
_AFTER = r"(?: again| exactly| actually| really| please| in short| in (?:pytorch|deep learning|general))*\W*"
_MARKS = "?!.,"
_FILLER = re.compile(r"(?:^|(?<=[\s,]))(?:u+h+m*|u+m+|h+m+|e+r+m*|you know|i mean)\b[,.]?", re.IGNORECASE)
_STUTTER = re.compile(r"\b((?:\S+ ){0,2}\S+?),? \1\b", re.IGNORECASE)
_USES = r"(?: (?:good |useful |used |needed )?for| about)?"

_COMPARED = (
    rf"(?:what(?:'s| is| are) |explain )?the differences? between {_THING} and {_OTHER}",
    rf"what(?:'s| is| are) (?:the )?differences? between {_THING} and {_OTHER}",
    rf"how (?:does|do|is|are) {_THING} (?:differ|different) from {_OTHER}",
    rf"how do {_THING} and {_OTHER} differ",
    rf"what distinguishes {_THING} from {_OTHER}",
    rf"(?:when|why) (?:would|do|should|does) (?:you|one|I|we|people) (?:use|prefer|choose|pick|want) {_THING}"
    rf" (?:instead of|rather than|over) {_OTHER}",
    rf"why (?:is|are) {_THING} (?:preferred (?:over|to)|better than|used instead of) {_OTHER}",
    rf"is {_THING} (?:really )?the same(?: thing)? as {_OTHER}",
    rf"(?:what about )?{_THING} (?:vs\.?|versus) {_OTHER}",
)
_DEFINED = (
    rf"what(?: exactly)?(?:'s| is| are|s) (?:the (?:point|purpose|idea|use|meaning) (?:of|behind) )?{_THING}{_USES}",
    rf"{_THING} (?:is|are) what",
    rf"what {_THING} (?:is|are){_USES}",
    rf"what (?:does|do) {_THING} (?:do|mean|stand for|help with|bring)",
    rf"what(?:'s| is) meant by {_THING}",
    rf"why (?:is|are|do|does|would|do we|do you|does one|would one|would you|do people) {_THING}"
    r" (?:needed|used|useful|necessary|important|works?|helps?)",
    rf"why (?:do we|do you|does one|would one|would you|do people) (?:need|use|want|do) {_THING}",
    rf"how (?:does|do) {_THING} (?:work|help)",
    rf"(?:explain|define|describe|tell me about|tell me what is) {_THING}",
)


def _whole(forms: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"{_BEFORE}{_ASKED}{form}{_AFTER}", re.IGNORECASE) for form in forms)


_COMPARISONS, _DEFINITIONS = _whole(_COMPARED), _whole(_DEFINED)


def compared(text: str) -> tuple[str, str] | None:
    """The two things whose difference is asked for, in the person's words; ``None`` where something else is asked."""
    for told in _questions(text):
        for form in _COMPARISONS:
            if found := form.fullmatch(told):
                return found["thing"], found["other"].rstrip(_MARKS)
    return None


def defined(text: str) -> tuple[str, ...]:
    """What the thing may be called whose meaning is asked for; empty where something else is asked."""
    return tuple(
        dict.fromkeys(
            found["thing"].rstrip(_MARKS)
            for told in _questions(text)
            for form in _DEFINITIONS
            if (found := form.fullmatch(told))
        )
    )


def _questions(text: str) -> tuple[str, ...]:
    """The text without what one says while thinking, and each question in it."""
    told = _STUTTER.sub(r"\1", " ".join(_FILLER.sub(" ", text).split()))
    return (told, *(part for part in re.split(r"(?<=[.!?])\s+", told) if part.endswith("?")))

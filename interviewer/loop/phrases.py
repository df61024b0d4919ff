"""The wording of a loop: its rounds, and the debrief in Markdown. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.loop.debrief import Debrief, Evidence, Recommendation, RoundDebrief, Vote, WhatIf
from interviewer.loop.rounds import HeldRound
from interviewer.report.phrases.result import interval
from interviewer.report.render.markdown import inline
from interviewer.session.loop_plan import LoopPlan
from interviewer.text import count, listed, percent, shortened

_RECOMMENDED = {
    Recommendation.HIRE: "Hire at {level} level.",
    Recommendation.NO_HIRE: "Do not hire at {level} level.",
    Recommendation.UNDECIDED: "No decision: the evidence does not settle whether {level} level is reached.",
}
_QUOTE = 160


def outline(plan: LoopPlan, held: Sequence[HeldRound]) -> Iterator[str]:
    """The rounds of a loop, a line each: what, by whom, how long, and how it stands."""
    by_number = {each.place.number: each for each in held}
    for number, each in enumerate(plan.rounds, 1):
        this = by_number.get(number)
        stands = (
            "not started"
            if this is None
            else f"{'finished' if this.over else 'in progress'}, interview {this.session_id}"
        )
        yield f"{number}. {each.kind.value}, {each.interviewer} ({each.style.value}), {each.minutes} min: {stands}"


def markdown(found: Debrief) -> str:
    """The debrief as Markdown."""
    return "\n\n".join(_debrief(found)) + "\n"


def recommendation(found: Debrief) -> str:
    """What the committee recommends, and how sure it is."""
    said = _RECOMMENDED[found.recommendation].format(level=found.level.value)
    if not all(each.over for each in found.rounds):
        said = f"So far: {said[0].lower()}{said[1:]}"
    if found.probability is None:
        return f"{said} Nothing is graded yet."
    return f"{said} The chance of being at {found.level.value} level or above is {percent(found.probability)}%."


def _debrief(found: Debrief) -> Iterator[str]:
    yield f"# Debrief: {inline(found.plan.name)}"
    yield f"**{recommendation(found)}** {found.standing}".rstrip()
    held = [each for each in found.rounds if each.session_id]
    to_come = len(found.rounds) - len(held)
    if to_come:
        yield f"{len(held)} of {count(len(found.rounds), 'round')} started; {to_come} still to come."
    yield "## What each interviewer says"
    for each in held:
        yield from _round(each)
    yield "## Where they disagree"
    yield "\n".join(_disagreements(found)) or "Nowhere, going by what the judge was sure of."
    yield "## What would change the recommendation"
    yield "\n".join(f"- {line}" for line in _changes(found))
    if found.open_topics:
        yield "## What is still open"
        yield f"On {inline(listed(found.open_topics))}, at most half of the points were clearly made."


def _round(each: RoundDebrief) -> Iterator[str]:
    vote = each.vote.value if each.vote is Vote.NONE or each.sure else f"{each.vote.value}, unsure"
    score = ""
    if each.score is not None:
        score = f", {percent(each.score)} of 100" + (f" (likely {interval(each.interval)})" if each.interval else "")
    yield f"### {each.number}. {inline(each.interviewer)}, {each.kind.value}: {vote}{score}"
    lines = [*_listed("For", each.made), *_listed("Against", each.lacking)]
    if each.undecided:
        lines.append(f"- {count(each.undecided, 'point')} open: the judge was unsure.")
    if each.ungraded:
        lines.append(f"- {count(each.ungraded, 'answer')} not graded.")
    if each.skipped:
        lines.append(f"- {count(each.skipped, 'question')} skipped.")
    if not each.over:
        lines.append("- This round is not finished.")
    yield "\n".join(lines) or "- Nothing the judge was sure of."


def _listed(side: str, found: Sequence[Evidence]) -> Iterator[str]:
    for each in found:
        quote = f" “{inline(shortened(' '.join(each.quote.split()), _QUOTE))}”" if each.quote else ""
        yield f"- {side}, {inline(each.topic)}: {inline(each.point)}{quote}"


def _disagreements(found: Debrief) -> Iterator[str]:
    names = {each.number: each for each in found.rounds}
    for each in found.disagreements:
        one, other = names[each.first], names[each.second]
        first, second = inline(one.interviewer), inline(other.interviewer)
        if each.topic:
            yield f"- On {inline(each.topic)}, {first} and {second} are sure of opposite things."
        else:
            yield f"- {first} says {one.vote.value}, {second} says {other.vote.value}."


def _changes(found: Debrief) -> Iterator[str]:
    names = {each.number: each.interviewer for each in found.rounds}
    for each in found.would_change:
        yield f"{_if(each, names)}: {each.recommendation.value}, chance {percent(each.probability)}%."
    to_come = [each for each in found.rounds if not each.over]
    if to_come:
        yield f"{count(len(to_come), 'round')} not finished: {listed(tuple(each.kind.value for each in to_come))}."
    if not found.would_change and found.tried:
        tried = count(found.tried, "change")
        yield f"None of the {tried} tried: leaving out a round, or settling the points the judge was unsure of."
    if not found.would_change and not found.tried and not to_come:
        yield "Nothing was tried: there is too little evidence."


def _if(change: WhatIf, names: dict[int, str]) -> str:
    if change.without_round is not None:
        return f"Without the round of {inline(names[change.without_round])}"
    return (
        "If every point the judge was unsure of was made"
        if change.undecided_made
        else "If every point the judge was unsure of was missed"
    )

"""The questions of a deep dive: on work of the person's own, or on a paper they name. Pure.

Nobody here knows the work or the paper, so the criteria ask for what can be checked in the words of an answer alone: a
decision with its reason, a figure with what it is compared to, a limit. They have no example statements, so their marks
are less sure than those of the bank.
"""

from __future__ import annotations

from typing import NamedTuple

from interviewer.session.loop_plan import LoopPlace, RoundKind
from knowledge.model import Kind, Question, Source
from rubric.model import AskedBy, Criterion, Rubric

UNNAMED = "the piece of work that you know best"
UNNAMED_PAPER = "a paper that you know well"
_MINUTES = 8


class _Point(NamedTuple):
    text: str
    probe: str
    weight: float = 2.0
    asked_by: AskedBy = AskedBy.OPENING


class _Opening(NamedTuple):
    name: str
    spoken: str
    points: tuple[_Point, ...]


_LATER = AskedBy.PROBE

_OWN_WORK = (
    _Opening(
        "problem",
        "Let's talk about {subject}. What problem was it meant to solve, and why was that worth solving?",
        (
            _Point("Names who had the problem.", "Who had that problem?"),
            _Point("Says what the problem cost, as a figure or a consequence.", "What did the problem cost them?"),
            _Point("Says what was done before and why that was not enough.", "What was there before?", 1.0, _LATER),
            _Point(
                "Says by which measure success was to be judged.", "How were you going to measure success?", 1.0, _LATER
            ),
        ),
    ),
    _Opening(
        "decision",
        "What was the most important technical decision in it, and what did you decide against?",
        (
            _Point("Names one concrete technical decision.", "Which decision do you have in mind?"),
            _Point("Names an alternative that was rejected.", "What else could you have done?"),
            _Point("Gives a reason for the decision that comes from this project.", "What made you decide that way?"),
            _Point("Says what the decision cost.", "What did you give up for it?", 1.0, _LATER),
        ),
    ),
    _Opening(
        "own-part",
        "Which part of it was your own, and what was the hardest thing about that part?",
        (
            _Point("Separates the speaker's own part from what others did.", "What did others do?"),
            _Point("Names one particular difficulty.", "What exactly made it hard?"),
            _Point("Describes step by step how the difficulty was overcome.", "What did you do first, and what then?"),
            _Point(
                "Names something that was tried and did not work.", "What did you try that didn't work?", 1.0, _LATER
            ),
        ),
    ),
    _Opening(
        "evidence",
        "How do you know that it worked?",
        (
            _Point("Gives the result as a figure.", "Can you put a number on it?"),
            _Point("Says what the result is compared with.", "Compared with what?"),
            _Point("Says how the comparison was kept fair.", "What could have made it unfair?", 1.0, _LATER),
            _Point("Names a result that spoke against the work.", "Which result did not fit?", 1.0, _LATER),
        ),
    ),
    _Opening(
        "hindsight",
        "What would you do differently if you began again today?",
        (
            _Point("Names one concrete thing that would be done differently.", "Which part would you change first?"),
            _Point("Gives what happened as the reason for it.", "What happened that makes you say that?"),
            _Point("Names a case in which the work fails.", "Where does it fail today?", 1.0, _LATER),
        ),
    ),
)

_PAPER = (
    _Opening(
        "claim",
        "Let's talk about {subject}. What does it claim that was not known before?",
        (
            _Point("States the paper's main claim in one or two sentences.", "What is the one claim that matters?"),
            _Point("Names the earlier work that the claim is measured against.", "What was there before?"),
            _Point("Says why the earlier work was not enough.", "Why was that not enough?", 1.0, _LATER),
        ),
    ),
    _Opening(
        "method",
        "How does the method work, as you would explain it at a whiteboard?",
        (
            _Point("Says what goes in and what comes out.", "What goes in, and what comes out?"),
            _Point("Describes the step that is new.", "Which step is new?"),
            _Point("Gives the reason why that step helps.", "Why should that help?"),
            _Point("Says what the method costs in compute or memory.", "What does it cost to run?", 1.0, _LATER),
        ),
    ),
    _Opening(
        "evidence",
        "Which of its experiments convinces you most, and which one does not?",
        (
            _Point("Names an experiment that supports the claim, and its result.", "What was measured there?"),
            _Point("Gives a reason why that experiment is convincing.", "Why does it convince you?"),
            _Point("Names an experiment or a comparison that is weak or missing.", "What did they leave out?"),
        ),
    ),
    _Opening(
        "limits",
        "Where would it fail, or cost more than it is worth?",
        (
            _Point("Names a setting in which the method fails or does not pay.", "Where would you not use it?"),
            _Point("Explains the failure by how the method works.", "Which part of the method breaks there?"),
            _Point("Names an assumption that the results depend on.", "What do the results assume?", 1.0, _LATER),
        ),
    ),
    _Opening(
        "next",
        "What would you try next if it were your paper?",
        (
            _Point("Proposes one concrete experiment or change.", "What would you change first?"),
            _Point("Says which result would settle whether it works.", "How would you know that it works?"),
            _Point("Says what the experiment would cost.", "How much would that take?", 1.0, _LATER),
        ),
    ),
)


def deep_dive_questions(place: LoopPlace | None) -> tuple[Question, ...]:
    """The questions of a deep dive, in the order in which they are asked; none where the interview is no deep dive.

    Args:
        place: the round of a loop that the interview is.

    """
    if place is None or place.round.kind is not RoundKind.DEEP_DIVE:
        return ()
    return _on(" ".join(place.plan.subject.split()), paper=place.plan.paper)


def unnamed_questions() -> tuple[Question, ...]:
    """The questions of every deep dive, on whatever the person chooses, so that one can be practiced by itself."""
    return (*_on("", paper=False), *_on("", paper=True))


def _on(named: str, *, paper: bool) -> tuple[Question, ...]:
    subject = (f"the paper {named}" if named else UNNAMED_PAPER) if paper else (named or UNNAMED)
    return tuple(_question(opening, subject, paper=paper) for opening in (_PAPER if paper else _OWN_WORK))


def _question(opening: _Opening, subject: str, *, paper: bool) -> Question:
    # Braces in the person's own words are no places to be filled.
    said = opening.spoken.replace("{subject}", subject)
    return Question(
        id=f"deep-dive-{'paper' if paper else 'own-work'}-{opening.name}",
        text=said,
        spoken=said,
        topic="paper" if paper else "own work",
        kind=Kind.CONCEPT,
        minutes=_MINUTES,
        source=Source(path="deep dive"),
        rubric=Rubric(
            criteria=tuple(
                Criterion(
                    id=f"c{place}", text=point.text, probe=point.probe, weight=point.weight, asked_by=point.asked_by
                )
                for place, point in enumerate(opening.points, 1)
            ),
            origin="bank",
        ),
    )

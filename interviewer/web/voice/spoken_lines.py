"""What the interviewer says aloud, line by line. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from interviewer.dialogue import templates
from interviewer.dialogue.utterances import acknowledge, acknowledge_next, closing
from interviewer.session.events import AnswerGiven, Event, PersonSpoke
from interviewer.session.plan import SegmentKind
from interviewer.session.state import State
from interviewer.session.style import Style
from interviewer.speech.pronunciation import spoken
from serving.frozen import FrozenModel
from serving.speech.tts.sentences import sentences


class Line(FrozenModel):
    """One thing that the interviewer says.

    Attributes:
        id: of the event it belongs to.
        text: as it is said aloud.

    """

    id: str
    text: str


def lines_after(state: State, heard: str) -> tuple[Line, ...]:
    """What is still to be said to somebody who has heard everything up to a line.

    Args:
        state: of the interview.
        heard: id of the last line that was said; where there is no such line, only what was said last is given: a
            person who turns the voice on, or comes back, wants to hear where they stand and not the whole interview.

    """
    lines = all_lines(state)
    places = [place for place, line in enumerate(lines) if line.id == heard]
    return lines[places[-1] + 1 :] if places else lines[-1:]


def said_at_once(state: State) -> str:
    """The first sentence after the next answer: it can be said before anybody knows what was said.

    Empty where the person has the word for something else than an answer.
    """
    answers = state.segment.part is SegmentKind.WARM_UP if state.segment is not None else state.current is not None
    if not answers or state.ended is not None:
        return ""
    return sentences(spoken(acknowledge_next(state)))[0]


def all_lines(state: State) -> tuple[Line, ...]:
    """Everything that the interviewer has said, in order; answers are acknowledged as the transcript shows it."""
    thanks = acknowledge(state)
    said = [(event.id, _said(event, thanks)) for event in _in_order(state)]
    if state.ended is not None:
        said.append((state.ended.id, closing(state.ended)))
    aloud = ((name, spoken(text)) for name, text in said if text)
    return tuple(Line(id=name, text=text) for name, text in aloud if text)


def _in_order(state: State) -> Sequence[Event]:
    """Every event once, by time; equal times keep the order they came in."""
    in_segments = chain.from_iterable(segment.turns for segment in state.segments)
    turns = chain.from_iterable(asked.turns for asked in state.asked)
    once = {event.id: event for event in chain(in_segments, turns, state.others)}
    return sorted(once.values(), key=lambda event: event.at)


def _said(event: Event, thanks: dict[str, str]) -> str:
    if isinstance(event, AnswerGiven):
        return thanks.get(event.id, "")
    if isinstance(event, PersonSpoke):
        return ""
    return str(getattr(event, "said", ""))


def fixed_phrases(style: Style = Style.NEUTRAL) -> tuple[str, ...]:
    """What an interviewer of that manner says word for word in every interview: worth being made into sound ahead."""
    by_manner = (
        templates.ACKNOWLEDGMENTS,
        templates.NEXT,
        templates.GREETINGS,
        templates.FIRST,
        templates.LAST,
        templates.AFTER_SKIP,
    )
    leads = (templates.HINT_LEADS, templates.REPEAT_LEADS)
    always = (*leads, templates.WAITING, templates.GO_AHEAD, templates.GO_ON)
    fitting = templates.ACK_REPLIES.values()
    phrases = chain(*always, *fitting, *(table[style] for table in by_manner))
    return tuple(dict.fromkeys(spoken(phrase) for phrase in phrases if phrase))

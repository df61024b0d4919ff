"""Holds an interview with nobody present: the answers come from a file."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion, State
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.speech.transcription import Transcription, spoken_answer
from interviewer.understanding.input_validation import clean_answer
from knowledge.model import Question
from serving.errors import BadInputError, BadLineError
from serving.frozen import FrozenModel

# How often a service that does not wait for marks is asked whether one has come.
_POLL_S = 0.05

_KEYS = frozenset({"question_id", "any", "answer"})


class ScriptedAnswer(FrozenModel):
    """One prepared answer.

    Attributes:
        question_id: the question it is for, follow-ups included; ``None`` when it is for whatever is asked.
        answer: what is said; empty where it is recorded.
        recording: a file in which it is said; it is recognized when its question is known, whose terms help.

    """

    question_id: str | None
    answer: str
    recording: Path | None = None


Hear = Callable[[Path, Question], Transcription]
"""Recognizes the recording of an answer to a question."""


def read_answers(path: Path, known: Callable[[str], bool] | None = None) -> list[ScriptedAnswer]:
    """Read prepared answers: one JSON object a line, ``{"question_id": …}`` or ``{"any": true}`` with ``answer``.

    Args:
        path: the file, UTF-8; empty lines are passed over.
        known: tells whether there is a question of an id; left out, every id will do.

    Raises:
        BadInputError: the file cannot be read or holds no answer.
        BadLineError: a line is not such an object.

    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}.") from error
    answers = [_read_line(path, number, line, known) for number, line in enumerate(lines, start=1) if line.strip()]
    if not answers:
        raise BadInputError(f"{path} has no answers.", hint='Write lines like {"any": true, "answer": "…"}.')
    return answers


def recorded(files: Sequence[Path]) -> list[ScriptedAnswer]:
    """Recordings as answers, each for whatever is asked when its turn comes.

    Raises:
        BadInputError: one of them is not there.

    """
    for file in files:
        if not file.is_file():
            raise BadInputError(f"There is no recording {file}.")
    return [ScriptedAnswer(question_id=None, answer="", recording=file) for file in files]


def run_script(
    service: InterviewService,
    plan: Plan,
    answers: Iterable[ScriptedAnswer],
    session_id: str | None = None,
    hear: Hear | None = None,
) -> str:
    """Hold an interview with prepared answers; run again with its id after a crash, it goes on where it stood.

    Where answers name questions, exactly these are asked, in the order in which they are first named. An
    open question gets the next unused answer of its own, else the next one that is for whatever is asked;
    when there is neither, it is skipped if the answers name questions, and else the interview ends. A prepared
    answer is taken as an answer whatever it sounds like.

    Args:
        service: best one that waits for marks (``patience_s=None``), so that runs can be compared.
        plan: what is asked as far as the answers do not say it.
        answers: the same ones whenever a script is run again.
        session_id: of the interview to begin or to go on with; a new one where none is given.
        hear: recognizes recorded answers; needed where there are any.

    Returns:
        The interview's id.

    Raises:
        BadInputError: no question fits, one that is named does not exist, or a recording cannot be an answer.
        InterviewerError: whatever the service raises.

    """
    script = list(answers)
    named = tuple(dict.fromkeys(line.question_id for line in script if line.question_id is not None))
    if named:
        plan = plan.model_copy(update={"question_ids": named})
    session_id = service.start(plan, session_id)
    state = service.advance(session_id)
    while state.ended is None:
        if state.segment is not None:
            # What is prepared is prepared for questions.
            service.skip(session_id, f"script-skip-{state.segment.part.name.lower()}")
            state = service.advance(session_id)
            continue
        current = state.current
        if current is None or not isinstance(next_action(state), Listen):
            time.sleep(_POLL_S)
            state = service.advance(session_id)
            continue
        place = _next_line(script, current, state)
        if place is not None:
            text, spoken = _said(script[place], current.question, hear)
            service.answer(session_id, text, _request_id(place), literally=True, spoken=spoken)
        elif named:
            service.skip(session_id, f"script-skip-{current.number}", whole=True)
        else:
            service.end(session_id, "script-end")
        state = service.advance(session_id)
    return session_id


def _said(line: ScriptedAnswer, question: Question, hear: Hear | None) -> tuple[str, SpokenAnswer | None]:
    if line.recording is None or hear is None:
        return line.answer, None
    heard = hear(line.recording, question)
    if heard.problem:
        raise BadInputError(f"{line.recording} cannot be an answer. {heard.problem}")
    return heard.written, spoken_answer((heard,), (str(line.recording),))


def _request_id(place: int) -> str:
    return f"script-{place + 1}"


def _next_line(script: Sequence[ScriptedAnswer], current: AskedQuestion, state: State) -> int | None:
    """The place of the answer to give now; what was given already is known by its request id."""
    given = {turn.id for asked in state.asked for turn in asked.turns}
    unused = [place for place in range(len(script)) if _request_id(place) not in given]
    own = (place for place in unused if script[place].question_id == current.question.id)
    anyone = (place for place in unused if script[place].question_id is None)
    return next(own, next(anyone, None))


def _read_line(path: Path, number: int, line: bytes, known: Callable[[str], bool] | None) -> ScriptedAnswer:
    try:
        data = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise BadLineError(path, number, "this is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise BadLineError(path, number, "this is not a JSON object.") from error
    if not isinstance(data, dict):
        raise BadLineError(path, number, "this is not a JSON object.")
    if unknown := sorted(set(data) - _KEYS):
        raise BadLineError(path, number, f'the key "{unknown[0]}" is unknown.')
    question_id = data.get("question_id")
    if (question_id is None) == (data.get("any") is None):
        raise BadLineError(path, number, 'exactly one of "question_id" and "any" is needed.')
    if question_id is None and data["any"] is not True:
        raise BadLineError(path, number, '"any" can only be true.')
    if question_id is not None and not (isinstance(question_id, str) and question_id):
        raise BadLineError(path, number, '"question_id" must be a string.')
    if question_id is not None and known is not None and not known(question_id):
        raise BadLineError(path, number, f"there is no question {question_id}.")
    if not isinstance(data.get("answer"), str):
        raise BadLineError(path, number, '"answer" is needed and must be a string.')
    try:
        text = clean_answer(data["answer"])
    except BadInputError as error:
        raise BadLineError(path, number, error.message, hint=error.hint) from error
    return ScriptedAnswer(question_id=question_id, answer=text)

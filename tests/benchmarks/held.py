"""Holds interviews with the real judge and writes what was said: ``make held``; made to be read.

The candidate is a script with a character: it gives one of our own answers of the bank's measured set, in one style or
another, says now and then what people say beside answering, and replies to a follow-up rightly, wrongly, vaguely or
not at all.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from interviewer.cli.container import Container, unattended_service
from interviewer.dialogue.utterances import acknowledge
from interviewer.engine.service import InterviewService
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.report.analysis.findings import findings
from interviewer.report.phrases.common import as_written, mark_word
from interviewer.report.render.markdown import render_markdown
from interviewer.scoring.unasked_points import unasked
from interviewer.session.events import AnswerDeclined, Event, FollowUpAsked, Said
from interviewer.session.plan import Plan, SegmentKind
from interviewer.session.queries import as_said
from interviewer.session.state import AskedQuestion, Segment, State
from interviewer.session.style import Style
from interviewer.storage.sqlite_journal import Journal

ANSWERS = Path(__file__).parent / "bank_answers.jsonl"
QUESTIONS = 5
BESIDE = (
    "Sorry, could you repeat that?",
    "Do you mean during training or at inference?",
    "Can I have a hint?",
    "Hm, give me a moment.",
    "That is a good question.",
)
VAGUE = ("It depends on the case, I would say.", "I would have to look at the numbers.", "Usually that is handled.")
NOT_KNOWN = ("I don't know.", "No idea, to be honest.", "I am not sure, I have never needed it.")
WARM_UP = (
    "I spent the last year on a recommender in PyTorch, mostly the training loop and the data pipeline.",
    "I finished my thesis on speech recognition; since then I prepare for interviews.",
    "We serve a language model for support tickets, and I keep its latency down.",
)
ASKED_BACK = (
    ("What is gradient checkpointing good for?", "No, that's all."),
    ("How did I do?", "Thanks, nothing else."),
    ("What's the salary range?", "No."),
    ("nothing, thank you",),
)


class Candidate:
    """Says something whenever it is asked.

    Args:
        seed: its character: how much it knows, and which style it answers in.

    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._knows = 0.2 + 0.6 * self._chance.random()
        self._style = self._chance.randrange(4)
        self._asked_back = list(self._chance.choice(ASKED_BACK))
        self._beside = self._chance.sample(BESIDE, 3)
        rows = map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines())
        self._answers = {row["id"]: row["answers"] for row in rows}
        self.questions = tuple(self._chance.sample(sorted(self._answers), QUESTIONS))

    def talks(self, talk: Segment) -> str:
        """What is said where nothing is graded."""
        if talk.part is SegmentKind.WARM_UP:
            return self._chance.choice(WARM_UP)
        return self._asked_back.pop(0) if self._asked_back else "No, thank you."

    def answers(self, asked: AskedQuestion) -> str:
        """What is said to a question or its last follow-up."""
        last = next(event for event in reversed(asked.turns) if isinstance(event, Said))
        if isinstance(last, FollowUpAsked | AnswerDeclined) and last.criterion_id:
            return self._replies(asked, last.criterion_id)
        if self._beside and self._chance.random() < 0.3:
            return self._beside.pop()
        if not asked.answers:
            given = self._answers[asked.question.id]
            return given[self._style % len(given)]["text"]
        return self._chance.choice(VAGUE)

    def _replies(self, asked: AskedQuestion, criterion_id: str) -> str:
        criteria = asked.question.rubric.criteria if asked.question.rubric else ()
        examples = next((each.examples for each in criteria if each.id == criterion_id), None)
        luck = self._chance.random()
        if examples is None or luck > 0.9:
            return self._chance.choice(VAGUE)
        if luck < self._knows:
            return self._chance.choice(examples.met)
        if luck < self._knows + 0.15:
            return self._chance.choice(NOT_KNOWN)
        return self._chance.choice(examples.contradicted + examples.near)


def hold(service: InterviewService, number: int) -> State:
    """One interview, from its greeting to its end."""
    candidate = Candidate(number)
    styles = list(Style)
    plan = Plan(
        question_ids=candidate.questions,
        talks=True,
        follow_ups=2,
        depth=True,
        seed=number,
        style=styles[number % len(styles)],
        drill=number % 5 == 4,
    )
    session = service.start(plan)
    state = service.advance(session)
    turn = 0
    while state.ended is None:
        if state.segment is not None:
            said = candidate.talks(state.segment)
        elif state.current is not None and isinstance(next_action(state), Listen):
            said = candidate.answers(state.current)
        else:
            raise AssertionError(f"nobody is asked: {next_action(state)}")
        service.answer(session, said, f"turn-{turn}")
        turn += 1
        state = service.advance(session)
    return state


def told(state: State) -> Iterator[str]:
    """An interview as Markdown."""
    yield f"*{state.plan.style.value if state.plan else ''} interviewer, {len(state.asked)} questions*"
    talks = {talk.part: talk for talk in state.segments}
    thanks = acknowledge(state)
    yield from _talk(talks.get(SegmentKind.WARM_UP))
    for asked in state.asked:
        yield f"## {asked.number}. {asked.question.topic}, {asked.question.level.value}"
        for event in as_said(asked.turns):
            yield from _turn(event, thanks)
        yield from _marks(asked)
    yield from _talk(talks.get(SegmentKind.THEIR_QUESTIONS))


def _talk(talk: Segment | None) -> Iterator[str]:
    for turn in talk.turns if talk else ():
        words = turn.person_words
        yield f"**Candidate:** {words}" if words is not None else f"**Interviewer:** {as_written(turn.said)}"


def _turn(event: Event, thanks: Mapping[str, str]) -> Iterator[str]:
    words = event.person_words
    if words is not None:
        yield f"**Candidate:** {words}"
    if event.id in thanks:
        yield f"**Interviewer:** {thanks[event.id]}"
    if isinstance(event, Said):
        kind = f" *({event.kind.value})*" if isinstance(event, FollowUpAsked) else ""
        yield f"**Interviewer:**{kind} {as_written(event.said)}"


def _marks(asked: AskedQuestion) -> Iterator[str]:
    if not asked.grades or asked.question.rubric is None:
        return
    grade = asked.grades[-1].grade
    silent, lines = unasked(asked, grade), []
    for criterion in asked.question.rubric.criteria:
        verdict = grade.verdict(criterion.id)
        word = mark_word(verdict.verdict, sure=verdict.sure, credit=verdict.credit, never_asked=criterion.id in silent)
        lines.append(f"> - {word}: {criterion.text}")
    yield "\n".join(["> Marks:", ">", *lines])


def main() -> None:
    """Hold them and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", type=int, nargs="*", default=range(10), help="which candidates")
    parser.add_argument("--into", type=Path, help="a folder; two files for each: what was said, and the report")
    wanted = parser.parse_args()
    container = Container()
    container.embedding_model()
    container.judge()
    library = container.library()
    library.catch_up()
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "journal.db") as journal,
        unattended_service(container, journal, library) as service,
    ):
        for number in wanted.numbers:
            state = hold(service, number)
            text = "\n\n".join([f"# Interview {number + 1}", *told(state)]) + "\n"
            if wanted.into:
                wanted.into.mkdir(parents=True, exist_ok=True)
                (wanted.into / f"interview-{number + 1}.md").write_text(text, encoding="utf-8")
                report = render_markdown(findings(f"held-{number + 1}", state))
                (wanted.into / f"report-{number + 1}.md").write_text(report, encoding="utf-8")
            print(text, flush=True)
    container.close()


if __name__ == "__main__":
    main()

"""Holds interviews with simulated candidates of known ability: ``make simulate``; prints Markdown tables.

Real are the service, the fold, the choice of questions, the drilling, the phrasing, the ability estimate and the
bank. Simulated are the candidate, the judge's reading and the disk. A candidate has an ability on each topic; a point
is made by the graded response model (Samejima 1969): ability less the level's difficulty, less what this question
deviates from its level, plus noise, against two thresholds, so that points come met, partial, and missing or
contradicted. An answer consists of example statements of the bank, one for each point; the judge finds these again.
With an error at the measured rate it says of each point what the real judge said of some point of the same label, drawn
from the 876 of ``judged_bank.csv`` (written by ``make grade-bench``).

Every candidate is interviewed in four ways: adaptively, by taking turns at the plan's level alone, in random order, and
in the bank's order; each time by a judge that never errs and by one that does.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interviewer.dialogue.answer_leakage import Secrets, leaked, secrets
from interviewer.engine.service import InterviewService
from interviewer.planning import question_selector
from interviewer.planning.ability import DIFFICULTY, Estimate, evidence, topic_key
from interviewer.policy.actions import Listen
from interviewer.policy.next_action import next_action
from interviewer.session.events import Event, QuestionAsked, QuestionClosed
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.journal import SessionSummary, Stored
from interviewer.session.plan import Plan
from interviewer.session.queries import planned_length
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.speech.speakable_text import speakable
from knowledge.bank.parser import load_bank
from knowledge.model import Hit, Question
from rubric.grading.grader import GradeRequest, score
from rubric.model import Criterion, CriterionVerdict, Engine, Grade, Verdict

JUDGED = Path(__file__).parent / "judged_bank.csv"

WAYS = ("adaptive", "plan's level", "random", "bank's order")
COUNTS = (1, 2, 3, 4, 6, 8, 12)
LENGTH = 12
TOPICS = 4

PERSONS, OWN_TOPICS, QUESTIONS = 1.2, 0.8, 0.6
"""Standard deviations of the simulated: persons, a person's topics, questions of a level."""

HALF_MADE = 0.6
"""Half the width of the band of partly made points, in logits."""

OPPOSITE = 0.25
"""Share of the points not made on which the opposite is said."""

HELPED = 0.8
"""Logits by which a follow-up makes a point easier."""

_HARDLY_ANYTHING = "I remember that it was about one of those cases where it has to be handled with care."
_NOTHING_MORE = "It is as I said, that was all of what I had in mind about it."

RECOVERING = frozenset(
    {
        FollowUpKind.CONTRADICTION,
        FollowUpKind.MISSING,
        FollowUpKind.PARTIAL,
        FollowUpKind.UNSURE,
        FollowUpKind.UNGRADED,
    }
)
"""Follow-ups that are asked since a point is not there; others ask for an example, or further than the point."""

_EVEN = 0.15
_PARTS = 25


class Candidate(NamedTuple):
    """Somebody to be interviewed.

    Attributes:
        number: which one; decides all that is drawn for them.
        abilities: on each topic, in logits.
        plan: what they want.

    """

    number: int
    abilities: dict[str, float]
    plan: Plan


class Held(NamedTuple):
    """What is measured of one interview.

    Attributes:
        way: how questions were chosen.
        overall: error of the mean over the plan's topics after each of ``COUNTS`` questions.
        topic: errors of the plan's topics, likewise.
        within: whether each topic lay within its interval, likewise.
        even: whether no topic was asked two questions more than another that still had one.
        length: questions asked, and planned.
        missing: points truly not made by first answers.
        asked: follow-ups on points that seemed not to be made, or not surely.
        hits: follow-ups on points truly not made.
        repeats: questions asked twice, or near-duplicates of one asked.
        leaks: sayings that gave something of a rubric or reference away.

    """

    way: str
    overall: dict[int, float]
    topic: dict[int, list[float]]
    within: dict[int, list[bool]]
    even: bool
    length: tuple[int, int]
    missing: int
    asked: int
    hits: int
    repeats: int
    leaks: int


class MemoryJournal:
    """A journal without a disk; every interview stands alone, so nobody's past comes in."""

    def __init__(self) -> None:
        self._events: dict[str, list[Event]] = defaultdict(list)
        # Marks are appended from another thread than the interview's.
        self._lock = threading.RLock()

    def append(self, session_id: str, event: Event) -> bool:
        """See ``EventJournal.append``."""
        if any(held.id == event.id for held in self._events[session_id]):
            return False
        self._events[session_id].append(event)
        return True

    def events(self, session_id: str, since: int = 1) -> tuple[Event, ...]:
        """See ``EventJournal.events``."""
        return tuple(self._events[session_id][since - 1 :])

    def read(self, session_id: str, since: int = 1) -> Stored:
        """See ``EventJournal.read``."""
        return Stored(events=self.events(session_id, since))

    def holds(self, session_id: str) -> bool:
        """See ``EventJournal.holds``."""
        return bool(self._events[session_id])

    def lock(self, session_id: str) -> AbstractContextManager[object]:
        """See ``EventJournal.lock``."""
        return self._lock

    def last_at(self, session_id: str) -> Any:
        """See ``EventJournal.last_at``."""
        return max((event.at for event in self._events[session_id]), default=None)

    def sessions(self, *, checked: bool = False) -> tuple[SessionSummary, ...]:
        """See ``EventJournal.sessions``."""
        return ()


class Shelf:
    """The bank as a library; two questions are near where most words of the shorter one are in the other."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = tuple(questions)
        self._words = {question.id: _words(f"{question.text} {question.topic}") for question in questions}
        self._near: dict[str, frozenset[str]] = {}
        self._secrets: dict[str, Secrets] = {}

    def questions(self) -> tuple[Question, ...]:
        """See ``QuestionIndex.questions``."""
        return self._questions

    def leads(self) -> tuple[Question, ...]:
        """See ``QuestionIndex.leads``."""
        return self._questions

    def near(self, question: Question) -> frozenset[str]:
        """See ``QuestionIndex.near``."""
        if question.id not in self._near:
            own = self._words[question.id]
            self._near[question.id] = frozenset(
                name
                for name, words in self._words.items()
                if name != question.id and len(own & words) / min(len(own), len(words)) >= 0.85
            )
        return self._near[question.id]

    def secrets(self, question: Question) -> Secrets:
        """What must not be said of a question while it is open."""
        if question.id not in self._secrets:
            self._secrets[question.id] = secrets(question)
        return self._secrets[question.id]

    def search(self, text: str, k: int) -> list[Hit]:
        """Nobody chooses topics in words of their own here."""
        return []


class Mind:
    """What a candidate says, and so what is true of each point of each question.

    Args:
        candidate: whose.

    """

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate
        self.truth: dict[str, dict[str, Verdict]] = {}
        self.first: dict[str, dict[str, Verdict]] = {}

    def skips(self, question: Question) -> bool:
        """Whether they would rather not answer: half of those do who would make hardly a point."""
        return self._edge(question) < -2.5 and self._draw(question, "skips").random() < 0.5

    def answer(self, question: Question) -> str:
        """The first answer: a statement on each point of which they have something to say."""
        found = {each.id: self._verdict(question, each, 0.0, "first") for each in _criteria(question)}
        self.truth[question.id] = dict(found)
        self.first[question.id] = found
        said = [_statement(each, found[each.id]) for each in _criteria(question)]
        return " ".join(filter(None, said)) or _HARDLY_ANYTHING

    def reply(self, question: Question, criterion_id: str) -> str:
        """The answer to a follow-up on a point."""
        criterion = next((each for each in _criteria(question) if each.id == criterion_id), None)
        if criterion is None:
            return _NOTHING_MORE
        before = self.truth[question.id][criterion_id]
        found = before if before is Verdict.MET else self._verdict(question, criterion, HELPED, "again")
        if _RANK[found] > _RANK[before]:
            self.truth[question.id][criterion_id] = found
            return _statement(criterion, found)
        return _NOTHING_MORE

    def _edge(self, question: Question) -> float:
        deviation = random.Random(f"question {question.id}").gauss(0, QUESTIONS)
        ability = self._candidate.abilities[topic_key(question.topic)]
        return ability - DIFFICULTY[question.level] - deviation

    def _verdict(self, question: Question, criterion: Criterion, ease: float, turn: str) -> Verdict:
        draw = self._draw(question, f"{criterion.id} {turn}")
        chance = draw.random()
        value = self._edge(question) + ease + float(np.log(chance / (1 - chance)))
        if value > HALF_MADE:
            return Verdict.MET
        if value > -HALF_MADE:
            return Verdict.PARTIAL
        return Verdict.CONTRADICTED if draw.random() < OPPOSITE else Verdict.MISSING

    def _draw(self, question: Question, what: str) -> random.Random:
        return random.Random(f"{self._candidate.number} {question.id} {what}")


_RANK = {Verdict.MISSING: 0, Verdict.CONTRADICTED: 0, Verdict.PARTIAL: 1, Verdict.MET: 2}


class Reader:
    """A judge that reads what a candidate meant, rightly or with the errors of the real one.

    Args:
        mind: of the candidate.
        questions: by their texts.
        errors: whether it errs as the real judge was measured to.

    """

    def __init__(self, mind: Mind, questions: dict[str, Question], *, errors: bool) -> None:
        self._mind, self._questions, self._errors = mind, questions, errors

    def grade(self, request: GradeRequest) -> Grade:
        """See ``Grader.grade``."""
        question = self._questions[request.question]
        verdicts = tuple(self._verdict(question, criterion, request.answer) for criterion in request.rubric.criteria)
        engine = Engine(
            judge="simulated",
            model="none",
            digest="",
            rubric_version="",
            spread=1.95 if self._errors else None,
        )
        return Grade(score=score(request.rubric, verdicts), criteria=verdicts, engine=engine, seconds=0.0)

    def prepare(self, question: str, criteria: Sequence[Criterion]) -> None:
        """See ``Grader.prepare``: nothing can be done ahead."""

    def read_ahead(self, request: GradeRequest, stop: Callable[[], bool]) -> None:
        """See ``Grader.read_ahead``: nothing can be done ahead."""

    def _verdict(self, question: Question, criterion: Criterion, answer: str) -> CriterionVerdict:
        truth = self._mind.truth[question.id][criterion.id]
        said = _statement(criterion, truth)
        start = answer.rfind(said) if said else 0
        chances = np.eye(4)[_CLASSES.index(truth)]
        if self._errors:
            # The same point made in the same way is misheard in the same way, however often it is read.
            drawn = random.Random(f"{criterion.text} {truth} {start}")
            chances = np.array(drawn.choice(judged()[truth]))
        credit = float(chances[0] + chances[1] / 2)
        verdict = _CLASSES[int(np.argmax(chances))]
        return CriterionVerdict(
            id=criterion.id,
            credit=min(credit, 1.0),
            verdict=verdict,
            sure=abs(float(chances[:2].sum()) - 0.5) >= _EVEN,
            contradicted=min(float(chances[3]), 1.0),
            evidence=() if verdict is Verdict.MISSING else ((start, start + max(len(said), 1)),),
        )


_CLASSES = (Verdict.MET, Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED)


@cache
def judged() -> dict[Verdict, list[list[float]]]:
    """What the real judge made of points of each label: probabilities of met, partial, missing and contradicted."""
    rows: dict[Verdict, list[list[float]]] = defaultdict(list)
    with JUDGED.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            chances = np.array([float(row[name]) for name in _CLASSES])
            rows[Verdict(row["label"])].append((chances / chances.sum()).tolist())
    return rows


def candidate(number: int, shelf: Shelf, length: int = LENGTH) -> Candidate:
    """The candidate of a number."""
    draw = random.Random(f"candidate {number}")
    overall = draw.gauss(0, PERSONS)
    topics = sorted({question.topic for question in shelf.questions()})
    abilities = {topic_key(topic): overall + draw.gauss(0, OWN_TOPICS) for topic in topics}
    plan = Plan(topics=tuple(draw.sample(topics, TOPICS)), length=length, follow_ups=2, seed=number)
    return Candidate(number, abilities, plan)


def hold(who: Candidate, shelf: Shelf, way: str, *, errors: bool) -> tuple[Event, ...]:
    """The journal of an interview.

    Args:
        who: is interviewed.
        shelf: the questions there are.
        way: how questions are chosen, one of ``WAYS``.
        errors: whether the judge errs.

    """
    mind = Mind(who)
    reader = Reader(mind, {question.text: question for question in shelf.questions()}, errors=errors)
    journal = MemoryJournal()
    with InterviewService(journal, shelf, reader, patience_s=None) as service:
        session = service.start(plan_for(who, shelf, way), "simulated")
        turn = 0
        while (state := service.advance(session)).ended is None:
            action = next_action(state)
            assert isinstance(action, Listen), action
            turn += 1
            current = state.current
            if current is None or (not current.answers and mind.skips(current.question)):
                service.skip(session, f"turn-{turn}")
            elif not current.answers:
                service.answer(session, mind.answer(current.question), f"turn-{turn}", literally=True)
            else:
                point = current.follow_ups[-1].criterion_id
                service.answer(session, mind.reply(current.question, point), f"turn-{turn}", literally=True)
        return journal.events(session)


def plan_for(who: Candidate, shelf: Shelf, way: str) -> Plan:
    """The candidate's plan, with the questions named where they are not chosen on the way."""
    own = [question for question in shelf.questions() if question.topic in who.plan.topics]
    match way:
        case "random":
            random.Random(f"order {who.number}").shuffle(own)
        case "bank's order":
            pass
        case "plan's level":
            own = []
            while len(own) < who.plan.length and (chosen := _next(shelf, who.plan, own)):
                own.append(chosen)
        case _:
            return who.plan
    return who.plan.model_copy(update={"question_ids": tuple(question.id for question in own[: who.plan.length])})


def _next(shelf: Shelf, plan: Plan, asked: Sequence[Question]) -> Question | None:
    """The next question where nothing is known of how the person answered."""
    exclude = {name for held in asked for name in shelf.near(held)}
    chosen = question_selector.choose(shelf.leads(), plan, asked, exclude=exclude)
    return chosen.question if chosen else None


def measure(who: Candidate, shelf: Shelf, way: str, events: Sequence[Event]) -> Held:
    """What is measured of an interview."""
    state = fold(events)
    overall, topic, within = {}, {}, {}
    truths = {name: who.abilities[topic_key(name)] for name in who.plan.topics}
    for count in COUNTS:
        if count > len(state.asked):
            break
        told = evidence(state.model_copy(update={"asked": state.asked[:count]}))
        estimate = Estimate(told, DIFFICULTY[who.plan.level])
        found = {name: estimate.of(name) for name in truths}
        overall[count] = float(np.mean([found[name].mean - truth for name, truth in truths.items()]))
        topic[count] = [found[name].mean - truth for name, truth in truths.items()]
        within[count] = [found[name].low <= truth <= found[name].high for name, truth in truths.items()]
    missing, asked, hits = drilled(who, state)
    return Held(
        way=way,
        overall=overall,
        topic=topic,
        within=within,
        even=evenly(who, shelf, state),
        length=(len(state.asked), planned_length(who.plan)),
        missing=missing,
        asked=asked,
        hits=hits,
        repeats=repeats(shelf, state),
        leaks=sum(1 for _ in leaks(shelf, events)),
    )


def drilled(who: Candidate, state: State) -> tuple[int, int, int]:
    """Points not made by first answers, follow-ups, and follow-ups on points that were not made when they were asked.

    What is true is drawn again for the candidate, from the same numbers, and never read from a grade.
    """
    missing = asked = hits = 0
    mind = Mind(who)
    for held in state.asked:
        if not held.answers:
            continue
        mind.answer(held.question)
        missing += sum(verdict is not Verdict.MET for verdict in mind.first[held.question.id].values())
        for follow_up in held.follow_ups:
            if follow_up.kind not in RECOVERING:
                continue
            asked += 1
            hits += mind.truth[held.question.id][follow_up.criterion_id] is not Verdict.MET
            mind.reply(held.question, follow_up.criterion_id)
    return missing, asked, hits


def evenly(who: Candidate, shelf: Shelf, state: State) -> bool:
    """Whether the topics took turns: none was asked twice more often than one that still had a question."""
    times = Counter(asked.question.topic for asked in state.asked)
    near = {name for asked in state.asked for name in shelf.near(asked.question)}
    seen = near | {asked.question.id for asked in state.asked}
    left = {question.topic for question in shelf.questions() if question.id not in seen}
    most = max(times.values())
    return all(most - times[topic] <= 1 for topic in who.plan.topics if topic in left)


def repeats(shelf: Shelf, state: State) -> int:
    """Questions asked again: the same one, its words, or a near-duplicate."""
    found = 0
    for place, asked in enumerate(state.asked):
        before = [held.question for held in state.asked[:place]]
        same = {question.id for question in before} | {name for held in before for name in shelf.near(held)}
        texts = {question_selector.normal(question.text) for question in before}
        found += asked.question.id in same or question_selector.normal(asked.question.text) in texts
    return found


def leaks(shelf: Shelf, events: Sequence[Event]) -> Iterator[str]:
    """What was said, or given as a reason, before a question was closed, and gives something of its rubric away.

    What another question or its probes ask, in the bank's own words, is no leak, nor is what the candidate said.
    """
    told, state = [], fold(events)
    by_id = {asked.asked_id: asked.question for asked in state.asked}
    closed_at = {event.asked_id: place for place, event in enumerate(events) if isinstance(event, QuestionClosed)}
    for place, event in enumerate(events):
        about = event.id if isinstance(event, QuestionAsked) else getattr(event, "asked_id", "")
        told += [(place, about, text) for text in (getattr(event, "said", ""), getattr(event, "why", "")) if text]
    heard = [(place, getattr(event, "text", "")) for place, event in enumerate(events)]
    for asked in state.asked:
        end = closed_at.get(asked.asked_id, len(events))
        kept = shelf.secrets(asked.question)
        for place, about, text in told:
            if place >= end:
                break
            other = by_id[about] if about != asked.asked_id and about in by_id else None
            known = [*(said for _, said in heard[:place]), *(_asks(other) if other else ())]
            if leaked(text, kept, known):
                yield text


def _asks(question: Question) -> list[str]:
    """What a question and its probes say."""
    texts = (question.spoken, *(criterion.probe for criterion in _criteria(question)))
    return [form for text in texts for form in (text, speakable(text))]


def _criteria(question: Question) -> tuple[Criterion, ...]:
    return question.rubric.criteria


def _statement(criterion: Criterion, verdict: Verdict) -> str:
    """What is said on a point by who makes it like that; nothing where they miss it without a word."""
    examples = criterion.examples
    kinds = {Verdict.MET: examples.met, Verdict.PARTIAL: examples.near, Verdict.CONTRADICTED: examples.contradicted}
    return next(iter(kinds.get(verdict, ())), "")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def simulate(numbers: Sequence[int], ways: Sequence[str] = WAYS, *, errors: bool, length: int = LENGTH) -> list[Held]:
    """Interviews of some candidates in some ways."""
    shelf = the_bank()
    return [
        measure(who, shelf, way, hold(who, shelf, way, errors=errors))
        for number in numbers
        for who in [candidate(number, shelf, length)]
        for way in ways
    ]


@cache
def the_bank() -> Shelf:
    """The bank, read once in each process."""
    return Shelf(load_bank())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--interviews", type=int, default=500, help="for each of the two judges")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    begin = time.perf_counter()
    for errors in (False, True):
        numbers = range(max(1, arguments.interviews // len(WAYS)))
        parts = [numbers[start::_PARTS] for start in range(min(_PARTS, len(numbers)))]
        with ProcessPoolExecutor(arguments.processes) as pool:
            futures = [pool.submit(simulate, list(part), errors=errors) for part in parts]
            held = [each for future in futures for each in future.result()]
        print(f"\n{'A judge that errs as the real one' if errors else 'A judge that never errs'}:")
        print("\n".join(tables(held)), flush=True)
    print(
        f"\n{len(numbers)} candidates, each in {len(WAYS)} ways by two judges, in {time.perf_counter() - begin:.0f} s",
        file=sys.stderr,
    )


def tables(held: Sequence[Held]) -> Iterator[str]:
    """Errors against questions asked, and what else is promised."""
    by_way = {way: [each for each in held if each.way == way] for way in WAYS}
    of: dict[str, Callable[[list[Held], int], float]] = {
        "RMSE of a topic": lambda some, n: _rms(error for each in some for error in each.topic.get(n, ())),
        "RMSE of their mean": lambda some, n: _rms(each.overall[n] for each in some if n in each.overall),
        "share within the 90 % interval": lambda some, n: _mean(hit for each in some for hit in each.within.get(n, ())),
    }
    for name, compute in of.items():
        yield f"\n| {name}, after questions | " + " | ".join(map(str, COUNTS)) + " |"
        yield "|" + "---|" * (len(COUNTS) + 1)
        for way, some in by_way.items():
            yield f"| {way} | " + " | ".join(f"{compute(some, count):.2f}" for count in COUNTS) + " |"
    yield "\n| | topics took turns | whole length | repeats | leaks | follow-ups a missing point | on a missing point |"
    yield "|" + "---|" * 7
    for way, some in by_way.items():
        asked, missing = sum(each.asked for each in some), sum(each.missing for each in some)
        yield (
            f"| {way} | {_mean(each.even for each in some):.0%} "
            f"| {_mean(each.length[0] == each.length[1] for each in some):.0%} "
            f"| {sum(each.repeats for each in some)} | {sum(each.leaks for each in some)} "
            f"| {asked / missing:.2f} | {sum(each.hits for each in some) / asked:.1%} |"
        )


def _rms(errors: Iterator[float]) -> float:
    values = np.array(list(errors))
    return float(np.sqrt((values**2).mean())) if len(values) else float("nan")


def _mean(values: Iterator[bool]) -> float:
    found = list(values)
    return float(np.mean(found)) if found else float("nan")


if __name__ == "__main__":
    main()

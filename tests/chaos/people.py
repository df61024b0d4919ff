"""People who hold interviews through the proxy of a cluster, whatever ends meanwhile, and what its database must have.

Each says a word with every answer that nobody else says. What was acknowledged has to be stored once, in its own
interview, with one mark; what failed is looked for on the page that is opened again, and said again if it is not there.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx

from interviewer.session.events import AnswerGiven, AnswerGraded, Event, InterviewStarted
from interviewer.session.journal import EventJournal, new_session_id
from interviewer.session.plan import Plan
from rubric.training.labeled_answers import Answer, by_question
from tests.chaos.holding import NUMBER
from tests.http_page import HttpPage, PageError

MARKER = re.compile(r"marker[0-9]+x[0-9]+x")
PATIENCE_S = 600.0
"""Seconds within which a person gets on, whatever happens."""

_LOOKS_S = 1.0
_KNOCKS_S = 0.2


@dataclass
class Person:
    """One person and their interview.

    Attributes:
        number: of the person.
        answers: to each question, in order.
        session: the interview.
        acknowledged: numbers of the questions whose answer the page has taken.
        outages: for each time that the page was gone, seconds until it was open again.
        told: notes that stood where the reply should have been.

    """

    number: int
    answers: tuple[Answer, ...]
    session: str = field(default_factory=new_session_id)
    acknowledged: set[int] = field(default_factory=set)
    outages: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @property
    def started(self) -> InterviewStarted:
        """The beginning: their questions, and no follow-ups, since what those ask depends on when a mark comes."""
        ids = tuple(each.question_id for each in self.answers)
        plan = Plan(question_ids=ids, length=len(ids), follow_ups=0, seed=self.number)
        return InterviewStarted(id="interview:started", at=datetime.now(UTC), plan=plan)

    def marker(self, question: int) -> str:
        """The word of an answer."""
        return f"marker{self.number}x{question}x"

    def words(self, question: int) -> str:
        """What is answered to a question, by its number from 1."""
        return f"{self.answers[question - 1].text} My own word for it is {self.marker(question)}."


def people(answers: Sequence[Answer], number: int, questions: int) -> list[Person]:
    """So many people, each with so many different questions: neighbors share some, as in a room."""
    groups = list(by_question(answers).values())
    made = []
    for person in range(number):
        chosen = (groups[(person + turn) % len(groups)] for turn in range(questions))
        made.append(Person(person, tuple(group[person % len(group)] for group in chosen)))
    return made


async def hold(person: Person, url: str, think_s: tuple[float, float], arrive_s: float) -> None:
    """Hold the interview to its end.

    Raises:
        TimeoutError: it did not get on.

    """
    chance = random.Random(person.number)
    await asyncio.sleep(chance.uniform(0, arrive_s))
    end = time.monotonic() + PATIENCE_S + len(person.answers) * think_s[1]
    gone: float | None = None
    # The cookie keeps a person on one page, also when they open it again.
    async with httpx.AsyncClient(base_url=url, timeout=60.0, trust_env=False) as http:
        while time.monotonic() < end:
            try:
                page = HttpPage(http)
                await page.open(person.session)
                if gone is not None:
                    person.outages.append(time.monotonic() - gone)
                    gone = None
                await _through(person, page, think_s, chance, end)
            except (PageError, httpx.HTTPError):
                gone = gone if gone is not None else time.monotonic()
                await asyncio.sleep(_KNOCKS_S)
            else:
                return
    raise TimeoutError(f"person {person.number} did not come to an end, at {sorted(person.acknowledged)}")


async def _through(
    person: Person, page: HttpPage, think_s: tuple[float, float], chance: random.Random, end: float
) -> None:
    while not page.is_shown("report") and time.monotonic() < end:
        found = NUMBER.search(str(page.value("progress")))
        number = int(found[1]) if found else 0
        if not number or not page.is_usable("send") or number in person.acknowledged:
            await asyncio.sleep(_LOOKS_S)
            await page.poll()
            continue
        if person.marker(number) in str(page.value("transcript")):
            # What failed on the way back had been stored.
            person.acknowledged.add(number)
            continue
        thought = time.monotonic() + chance.uniform(*think_s)
        while time.monotonic() < min(thought, end):
            await asyncio.sleep(min(_LOOKS_S, max(0.0, thought - time.monotonic())))
            await page.poll()
        if person.marker(number) in str(page.value("transcript")):
            continue
        page.put("answer", person.words(number))
        await page.click("send")
        if note := page.value("note"):
            person.told.append(str(note))
        else:
            person.acknowledged.add(number)


def stored_wrongly(person: Person, events: Sequence[Event]) -> Iterator[str]:
    """What the database has of an interview that it should not have, or lacks."""
    who = f"person {person.number}"
    said = [event for event in events if isinstance(event, AnswerGiven)]
    counts = Counter(word for event in said for word in MARKER.findall(event.text))
    own = {person.marker(number) for number in range(1, len(person.answers) + 1)}
    if foreign := counts.keys() - own:
        yield f"{who}: has words of others: {', '.join(sorted(foreign))}"
    for number in sorted(person.acknowledged):
        if counts[person.marker(number)] != 1:
            yield f"{who}: answer {number} was acknowledged and is stored {counts[person.marker(number)]} times"
    marks = Counter(event.answer_id for event in events if isinstance(event, AnswerGraded))
    for event in said:
        if marks[event.id] != 1:
            yield f"{who}: an answer has {marks[event.id]} marks"


def waits(events: Sequence[Event]) -> list[float]:
    """Seconds from each answer to its mark."""
    marked = {event.answer_id: event.at for event in events if isinstance(event, AnswerGraded)}
    said = [event for event in events if isinstance(event, AnswerGiven) and event.id in marked]
    return [(marked[event.id] - event.at).total_seconds() for event in said]


def begin(journal: EventJournal, persons: Sequence[Person]) -> None:
    """Store the beginnings of all interviews; opening an address goes on from there."""
    for person in persons:
        journal.append(person.session, person.started)

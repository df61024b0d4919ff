"""Which question comes next in an interview: what is there, what was asked, and what the person brings from before."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from itertools import product

from cachetools import LRUCache

from interviewer.engine.ports import Library
from interviewer.planning import selection_reasons
from interviewer.planning.ability import standing
from interviewer.planning.deep_dive import deep_dive_questions, unnamed_questions
from interviewer.planning.prior_sessions import Past, past
from interviewer.planning.question_selector import (
    Choice,
    allowed,
    askable,
    choose,
    for_minutes,
    free_topics,
    names_topic,
)
from interviewer.planning.spaced_repetition import with_reworded
from interviewer.session.clock import body_minutes, spare_minutes
from interviewer.session.journal import EventJournal
from interviewer.session.plan import AgendaItem, Plan
from interviewer.session.reducer import fold
from interviewer.session.state import State
from knowledge.model import Question
from rubric.authoring.derive import derive_rubric
from serving.errors import BadInputError

_log = logging.getLogger(__name__)

_ON_TOPIC = 0.3
"""Cosine similarity from which a question belongs to a topic in the person's own words."""

_AMONG = 40
"""Hits among which the questions on a topic are looked for."""

_AMONG_ALL = 200
"""Hits among which the person's own questions on a topic are looked for."""

_EARLIER = 30
"""Interviews before this one that it goes by: what is older tells next to nothing."""

_REMEMBERED = 200
"""Interviews for which this is remembered; of others it is read again."""


class QuestionSupply:
    """Chooses questions for interviews.

    Args:
        library: where questions come from.
        journal: holds the interviews before.
        clock: tells the time in UTC.

    """

    def __init__(self, library: Library, journal: EventJournal, clock: Callable[[], datetime]) -> None:
        self._library = library
        self._journal = journal
        self._clock = clock
        self._guard = threading.Lock()
        self._pasts: LRUCache[str, Past] = LRUCache(_REMEMBERED)

    def check(self, plan: Plan) -> None:
        """See that a plan can begin.

        Raises:
            BadInputError: no question fits it, or it names one that is unknown or cannot be graded.
            ServiceMissingError: topics in words of one's own need the embedder, and it is not there.

        """
        known = {question.id: question for question in with_reworded(self._all(plan), plan.question_ids)}
        for question_id in plan.question_ids:
            if question_id not in known:
                raise BadInputError(f"There is no question {question_id}.")
            if not askable(known[question_id]):
                raise BadInputError(
                    f"Question {question_id} cannot be graded: it has neither a rubric nor a reference answer."
                )
        if self._choose(plan, State(plan=plan), Past()) is None:
            wanted = ", ".join([*plan.topics, *plan.kinds])
            raise BadInputError(
                f"There is no question on {wanted}." if wanted else "There are no questions yet.",
                hint="Choose something else, or add documents with questions on it.",
            )

    def choose(self, session_id: str, number: int, plan: Plan, state: State) -> Choice | None:
        """The question of that number by the agenda; where nothing fits what stands there, one that fits the plan.

        Raises:
            ServiceMissingError: topics in words of one's own need the embedder, and it is not there.
            StorageError: the disk refused.

        """
        known = self._past(session_id, plan)
        if plan.agenda and number > len(plan.agenda) and not plan.question_ids:
            more = self._one_more(number, plan, state, known)
            return more and more.model_copy(update={"why": selection_reasons.one_more()})
        if number <= len(plan.agenda) and not plan.question_ids:
            item = plan.agenda[number - 1]
            for narrowed in (_as_stands(item, plan), plan.model_copy(update={"topics": (item.topic,)})):
                for minutes in (item.minutes, None):
                    chosen = self._choose(narrowed, state, known, minutes)
                    if chosen is not None:
                        return chosen
        return self._choose(plan, state, known)

    def _one_more(self, number: int, plan: Plan, state: State, known: Past) -> Choice | None:
        """A question beyond the agenda that the time left is enough for.

        It is of a kind that was chosen and did not fit beside the others, else like one of the agenda's own, and then
        of another document than those asked before, where there is one: a chapter of the bank holds questions on one
        theme.
        """
        spare = spare_minutes(state)
        places = len(plan.agenda)
        items = [plan.agenda[(number - 1 + turn) % places] for turn in range(places)]
        told = frozenset(held.question.source.path for held in state.asked)
        asked = {held.question.kind for held in state.asked}
        planned, body = sum(item.minutes for item in plan.agenda), body_minutes(plan.minutes, talks=plan.talks) or 0
        for kind in (kind for kind in plan.kinds if kind not in asked):
            chosen = self._choose(plan.model_copy(update={"kinds": (kind,)}), state, known, spare, most=spare)
            # Chosen, and too long for the agenda beside the others; what would have fitted was taken out of it.
            if chosen is not None and planned + chosen.question.minutes > body:
                return chosen
        for apart, item in product((told, frozenset()), items):
            if item.minutes > spare:
                continue
            chosen = self._choose(_as_stands(item, plan), state, known, item.minutes, most=spare, apart=apart)
            if chosen is not None:
                return chosen
        return None

    def _choose(
        self,
        plan: Plan,
        state: State,
        known: Past,
        minutes: int | None = None,
        *,
        most: int | None = None,
        apart: Collection[str] = (),
    ) -> Choice | None:
        """The next question, with a rubric: one without gets one derived, or is passed over.

        Where minutes are given, a design question is one for so long; none takes more than the most, or is of one of
        the documents that are left apart.
        """
        asked = [held.question for held in state.asked]
        questions = [
            held
            for held in self._questions(plan)
            if (minutes is None or for_minutes(held, minutes)) and (most is None or held.minutes <= most)
            if held.source.path not in apart
        ]
        found = self._found(questions, plan)
        exclude = set() if plan.question_ids else {name for held in asked for name in self._library.near(held)}
        exclude |= self._left_out(plan.left_out)
        stands = standing(state, known.evidence)
        reviewed = len({held.id for held in asked} & {question.id for question in known.due})
        while True:
            chosen = choose(
                questions,
                plan,
                asked,
                exclude=exclude,
                found=found,
                standing=stands,
                due=known.due if reviewed < plan.reviews else (),
                before=known.asked,
            )
            if chosen is None or chosen.question.rubric is not None:
                return chosen
            question = chosen.question
            try:
                rubric = derive_rubric(question.text, question.reference, kind=question.kind)
            except BadInputError as error:
                _log.info("question %s cannot be asked: %s", question.id, error)
                exclude.add(question.id)
            else:
                return Choice(question=question.model_copy(update={"rubric": rubric}), why=chosen.why)

    def _questions(self, plan: Plan) -> Sequence[Question]:
        """Those that may be asked: one of each that ask the same, or whatever the plan names."""
        if plan.question_ids:
            return with_reworded(self._all(plan), plan.question_ids)
        # Of their own documents alone each question is asked in its own words, whatever else asks the same.
        every = self._library.questions() if plan.own_documents else self._library.leads()
        return allowed(every, plan.documents, own=plan.own_documents)

    def _all(self, plan: Plan) -> Sequence[Question]:
        """Every question that a plan may name, those of a deep dive included."""
        return (*self._library.questions(), *(deep_dive_questions(plan.loop) or unnamed_questions()))

    def _left_out(self, ids: Sequence[str]) -> set[str]:
        """Ids of what is not asked because it was asked in another interview, and of all that is too near to it."""
        there = {question.id: question for question in self._library.questions()} if ids else {}
        near = (self._library.near(there[name]) for name in ids if name in there)
        return {*ids, *(name for names in near for name in names)}

    def _past(self, session_id: str, plan: Plan) -> Past:
        """What the person's latest interviews before this one bring into it."""
        with self._guard:
            held_past = self._pasts.get(session_id)
        if held_past is None:
            sessions = self._journal.sessions()
            started = next((held.started for held in sessions if held.id == session_id), self._clock())
            before = [held.id for held in sessions if held.started < started][:_EARLIER]
            interviews = [fold(self._journal.events(name)) for name in before]
            questions = self._library.leads() if plan.reviews else ()
            held_past = past(interviews, started.astimezone(), questions)
            with self._guard:
                self._pasts[session_id] = held_past
        return held_past

    def _found(self, questions: Sequence[Question], plan: Plan) -> Mapping[str, Sequence[str]]:
        return {topic: self._fitting(topic, plan) for topic in free_topics(questions, plan)}

    def _fitting(self, topic: str, plan: Plan) -> tuple[str, ...]:
        """Ids of the questions that belong to a topic in the person's own words, the nearest first.

        Where questions name the topic, it is these alone: a search that has to find something also finds what is only
        near to it.
        """
        wanted = _AMONG_ALL if plan.own_documents else max(4 * plan.length, _AMONG)
        hits = [hit.question for hit in self._library.search(topic, wanted) if hit.similarity >= _ON_TOPIC]
        hits = [hit for hit in hits if not plan.kinds or hit.kind in plan.kinds]
        hits = [hit for hit in hits if names_topic(hit, topic)] or hits
        found = dict.fromkeys(hit.id for hit in hits)
        # A search finds of questions that ask the same only one, which need not be the person's own.
        if plan.own_documents:
            found |= dict.fromkeys(name for hit in hits for name in sorted(self._library.near(hit)))
        return tuple(found)


def _as_stands(item: AgendaItem, plan: Plan) -> Plan:
    """The plan for one place of its agenda: its topic, and its kind where it has one."""
    return plan.model_copy(update={"topics": (item.topic,), "kinds": (item.kind,) if item.kind else plan.kinds})

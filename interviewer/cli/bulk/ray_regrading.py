"""Regrading by the machines of a Ray cluster: one actor a machine, each given one interview after the other.

What came of an interview is kept as soon as it is there, so whatever ends, the same command continues. An actor that
ends is begun anew where its machine is alive, and its interview is given to whoever is free.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import interviewer
from interviewer.cli.bulk.grading_actor import Judge, Reply
from interviewer.cli.bulk.ray_cluster import AGAIN, Node, nodes
from interviewer.storage.regrades import TRIES
from interviewer.text import count
from rubric.model import Grade
from serving.errors import ServiceMissingError

log = logging.getLogger(__name__)

_PROJECT = Path(interviewer.__file__).parent.parent
"""The folder that has to be in the same place on every machine."""

LOOK_S = 1.0
"""Seconds between two looks at which machines the cluster has."""


class Kept(Protocol):
    """Where it is kept what came of each interview; see ``Regrades``."""

    def begin(self, session: str) -> int:
        """Begin an interview; returns which try it is, 0 where there is nothing to do."""

    def keep(self, session: str, outcome: str) -> bool:
        """Keep what came of it; returns whether it counts."""

    def give_up(self, session: str, why: str) -> None:
        """Note that it cannot be graded again."""

    def put_off(self, session: str) -> None:
        """Note that it is tried again later."""


class Work(NamedTuple):
    """An interview that is to be graded again.

    Attributes:
        session: its id.
        requests: of its answers, each a ``GradeRequest`` as JSON.
        outcome: makes of the grades, in the order of the requests, what is kept.

    """

    session: str
    requests: list[str]
    outcome: Callable[[list[Grade]], str]


class Told(NamedTuple):
    """How far it is.

    Attributes:
        done: interviews that have ended.
        machines: those that have a judge now.
        starting: those that do not yet.

    """

    done: int
    machines: int
    starting: int


class _Machine:
    """A machine and its actor."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.actor: Any = None
        self.call: Any = None
        self.work: Work | None = None
        self.ready = False
        self.deaths = 0
        self.failure = ""


class RayRegrading:
    """A run of it over a cluster that ``connected`` holds.

    Args:
        kept: where outcomes go.
        opener: what opens an actor's judge, as ``module:name``.
        judge: which judge.
        tell: is told what happens besides, in sentences.
        show: is told how far it is.

    """

    def __init__(
        self,
        kept: Kept,
        opener: str,
        judge: Judge,
        tell: Callable[[str], None],
        show: Callable[[Told], None],
    ) -> None:
        self._kept, self._opener, self._judge, self._tell, self._show = kept, opener, judge, tell, show
        self._machines: dict[str, _Machine] = {}
        self._waiting: deque[Work] = deque()
        self._done = 0

    def run(self, work: Iterable[Work]) -> None:
        """Have all of it done.

        Raises:
            ServiceMissingError: no machine of the cluster can do it; what was done is kept.
            StorageError: what came of an interview could not be kept.

        """
        self._waiting.extend(work)
        try:
            while self._waiting or any(each.work for each in self._machines.values()):
                self._look()
                self._give()
                self._take()
                members = [each for each in self._machines.values() if each.actor is not None]
                ready = sum(each.ready for each in members)
                self._show(Told(self._done, ready, len(members) - ready))
        finally:
            self._end()

    def _look(self) -> None:
        """Have an actor on each machine that is alive and was not set aside."""
        alive = {node.id: node for node in nodes()}
        if not alive:
            raise ServiceMissingError("No machine of the Ray cluster is alive.", hint=AGAIN)
        for gone in self._machines.keys() - alive.keys():
            machine = self._machines[gone]
            if machine.actor is not None:
                self._tell(f"{machine.node.address} is no longer in the cluster.")
                self._back(machine)
            del self._machines[gone]
        for name, node in alive.items():
            machine = self._machines.setdefault(name, _Machine(node))
            if machine.actor is None and not machine.failure:
                self._start(machine)
        if all(each.failure for each in self._machines.values()):
            left = count(len(self._waiting), "interview")
            raise ServiceMissingError(f"No machine can grade, so {left} did not get new marks.", hint=AGAIN)

    def _start(self, machine: _Machine) -> None:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        own = not (self._judge["judge_urls"] or self._judge["llm_url"])
        made: Any = ray.remote(_actor_class()).options(
            num_cpus=1,
            num_gpus=1 if own and machine.node.cards >= 1 else 0,
            max_restarts=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(machine.node.id, soft=False),
        )
        machine.actor = made.remote(str(_PROJECT), self._opener, dict(self._judge))
        machine.call, machine.ready = machine.actor.open.remote(), False

    def _give(self) -> None:
        """Give each machine that is free an interview."""
        for machine in self._machines.values():
            while machine.ready and machine.call is None and self._waiting:
                work = self._waiting.popleft()
                tried = self._kept.begin(work.session)
                if tried > TRIES:
                    self._kept.give_up(work.session, f"{TRIES} actors ended while they graded it.")
                    self._tell(f"Gave up interview {work.session}: {TRIES} actors ended while they graded it.")
                if not 0 < tried <= TRIES:
                    self._done += 1
                    continue
                machine.work, machine.call = work, machine.actor.grade.remote(work.requests)

    def _take(self) -> None:
        """Wait for whatever ends first, for a moment, and keep what came of it."""
        import ray

        calls = {each.call: each for each in self._machines.values() if each.call is not None}
        ended, _ = ray.wait(list(calls), timeout=LOOK_S) if calls else ([], [])
        for call in ended:
            machine = calls[call]
            try:
                reply: Reply = ray.get(call)
            except ray.exceptions.RayError as error:
                self._died(machine, error)
                continue
            machine.call = None
            if reply["failure"]:
                self._failed(machine, reply)
            elif machine.work is None:
                machine.ready = True
            else:
                work, machine.work, machine.deaths = machine.work, None, 0
                grades = [Grade.model_validate_json(each) for each in reply["grades"]]
                self._kept.keep(work.session, work.outcome(grades))
                self._done += 1

    def _died(self, machine: _Machine, error: Exception) -> None:
        log.info("an actor on %s ended: %s", machine.node.address, error)
        machine.deaths += 1
        # An interview that ends every actor is given up before its machine is.
        most = 2 * TRIES if machine.ready else TRIES
        over = f" while it graded interview {machine.work.session}, which is graded again" if machine.work else ""
        self._tell(f"The actor on {machine.node.address} ended{over}.")
        self._back(machine)
        if machine.deaths >= most:
            missing = "No module named" in str(error)
            why = (
                f"this project, or a package of it, is not in {_PROJECT} there"
                if missing
                else f"its actor ended {most} times"
            )
            self._set_aside(machine, f"{machine.node.address} is not used: {why}.")

    def _failed(self, machine: _Machine, reply: Reply) -> None:
        """What an actor could not do is about its machine, or about the interview."""
        work = machine.work
        if work is not None and not reply["passes"]:
            self._kept.give_up(work.session, reply["failure"])
            self._tell(f"Gave up interview {work.session}: {reply['failure']}")
            machine.work = None
            self._done += 1
            return
        if work is not None:
            self._kept.put_off(work.session)
        self._back(machine)
        self._set_aside(machine, f"{machine.node.address} is not used: {reply['failure']}")

    def _set_aside(self, machine: _Machine, why: str) -> None:
        machine.failure = why
        self._tell(why)

    def _back(self, machine: _Machine) -> None:
        """End a machine's actor; its interview comes next."""
        if machine.work is not None:
            self._waiting.appendleft(machine.work)
        _kill(machine.actor)
        machine.actor = machine.call = machine.work = None
        machine.ready = False

    def _end(self) -> None:
        """End all actors; what they had in hand is not begun."""
        for machine in self._machines.values():
            if machine.work is not None:
                self._kept.put_off(machine.work.session)
            if machine.actor is not None:
                _kill(machine.actor)


def _actor_class() -> type:
    """A class that Ray sends whole: a process of another machine does not know where this project lies there."""

    class Grading:
        def __init__(self, project: str, opener: str, judge: Judge) -> None:
            import sys

            if project not in sys.path:
                sys.path.insert(0, project)
            from interviewer.cli.bulk.grading_actor import GradingActor

            self._actor = GradingActor(opener, judge)

        def open(self) -> Reply:
            return self._actor.open()

        def grade(self, requests: list[str]) -> Reply:
            return self._actor.grade(requests)

    return Grading


def _kill(actor: Any) -> None:
    import ray

    try:
        ray.kill(actor)
    except Exception as error:  # noqa: BLE001 - it has ended, or its cluster has
        log.info("an actor was not ended: %s", error)

"""The states and signals of labeled answers, read once and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from interviewer.cli.container import Container
from interviewer.cli.output import shown
from rubric.fitted_weights import ADAPTER
from rubric.training import fit_state_head
from rubric.training.fit_state_head import Table
from rubric.training.labeled_answers import Answer
from serving.llm.client import StateClient
from serving.models import adapter, catalogue


class Recorder:
    """Passes on what a client gives, and keeps it as it came: a point has the mean of several readings.

    Args:
        client: gives the states.

    """

    def __init__(self, client: StateClient) -> None:
        self._client, self._given = client, list[np.ndarray]()

    def states(self, prompts: Sequence[str]) -> np.ndarray:
        """See ``StateClient.states``."""
        self._given.append(self._client.states(prompts))
        return self._given[-1]

    @property
    def recorded(self) -> np.ndarray:
        """All states, in the order in which they were given, [prompts, hidden]."""
        return np.concatenate(self._given)


class Replay:
    """Gives states that were read before, in their order."""

    def __init__(self, states: np.ndarray) -> None:
        self._states, self._next = states, 0

    def states(self, prompts: Sequence[str]) -> np.ndarray:
        """See ``StateClient.states``."""
        begin, self._next = self._next, self._next + len(prompts)
        if self._next > len(self._states):
            raise ValueError(f"{self._next} states are asked for, and {len(self._states)} are kept.")
        return self._states[begin : self._next].astype(np.float32)


def kept_states(answers: list[Answer], keep: Path | None) -> Path | None:
    """Where the states of these answers' prompts, read by this very model, are kept."""
    asked = [
        (each.question, fit_state_head.claimed(each).read, [item.text for item in each.criteria]) for each in answers
    ]
    # The sentence encoder chooses the excerpts.
    told = json.dumps(["as given", catalogue.judge_digest(), adapter.version_of(ADAPTER), asked])
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    return keep / f"states-{catalogue.JUDGE_LAYERS}-{digest}.npy" if keep else None


def signals_of(container: Container, name: str, answers: Sequence[Answer], client: StateClient) -> Table:
    """The samples of some answers, with the states that a client gives."""
    with shown(f"Reading {name}") as tell:

        def progress(number: int, count: int) -> None:
            tell(f"{number} of {count}", number / count)

        return fit_state_head.table(answers, client, container.statement_encoder, container.cross_encoder, progress)


def samples(container: Container, name: str, answers: list[Answer], keep: Path | None) -> Table:
    """The samples of some answers."""
    kept = kept_states(answers, keep)
    there = kept is not None and kept.exists()
    if kept is not None and there:
        return signals_of(container, name, answers, Replay(np.load(kept)))
    recorder = Recorder(container.judge_service.client)
    data = signals_of(container, name, answers, recorder)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, recorder.recorded)
    return data


def read(wanted: Sequence[tuple[str, list[Answer]]], keep: Path | None) -> list[Table]:
    """The samples of some bodies of answers; the judge's server is started unless all states were kept."""
    container = Container()
    try:
        container.embedding_model()
        kept = [kept_states(answers, keep) for _, answers in wanted]
        if not all(path is not None and path.exists() for path in kept):
            container.judge()
        return [samples(container, name, answers, keep) for name, answers in wanted]
    finally:
        container.close()

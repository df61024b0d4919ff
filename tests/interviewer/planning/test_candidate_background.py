"""What a résumé says about an interview."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.planning.agenda import InterviewOptions, draw_up, make_plan
from interviewer.planning.candidate_background import Background, background, forget, keep, kept, lines_of, opening
from knowledge.bank.parser import load_bank
from knowledge.model import Hit
from serving.encoders.sentence_encoder import Embedder
from serving.errors import BadInputError

RESUME = """
# Jane Doe

jane@example.org

## Experience

- Built a retrieval service with FAISS that answers 400 requests a second on two machines
- Led the move of our training to FSDP on 64 GPUs with NCCL and gradient checkpointing.
- Trained people
- Responsible for the coffee machine and the plants in the corner of the office kitchen

## Skills

Distributed data parallel training, tensor parallelism, all-reduce, NCCL debugging
"""


class Titles:
    """Finds questions by the meaning of their titles alone."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._questions = [held for held in load_bank() if held.topic in {"distributed training", "data loading"}]
        self._vectors = embedder.embed([held.title for held in self._questions])

    @property
    def complete(self) -> bool:
        return True

    def search(self, text: str, k: int) -> list[Hit]:
        similar = self._vectors @ self._embedder.embed([text])[0]
        best = sorted(range(len(similar)), key=lambda place: -similar[place])[:k]
        return [
            Hit(question=self._questions[place], score=float(similar[place]), similarity=float(similar[place]))
            for place in best
        ]


def test_the_topics_are_those_that_the_lines_speak_of(tmp_path: Path, embedder: Embedder) -> None:
    (tmp_path / "cv.md").write_text(RESUME, encoding="utf-8")
    found = background(lines_of(tmp_path / "cv.md"), Titles(embedder))
    assert found.topics[0] == "distributed training"
    assert found.opening.startswith("Built a retrieval service with FAISS")
    plan = make_plan(
        InterviewOptions(minutes=30, leaning=found.topics, opening=found.opening), load_bank(), seed=1, editor=False
    )
    assert plan.agenda[0].topic in found.topics
    assert plan.background


def test_the_opening_is_something_the_person_did() -> None:
    assert opening(["Responsible for many things in many places", "Optimised kernels for attention by half again"]) == (
        "Optimised kernels for attention by half again"
    )
    assert opening(["Built it", "A person who built things for others all day"]) == ""
    assert opening(["Built " + "very " * 40 + "much"]) == ""


def test_what_was_chosen_stays_and_is_put_in_order() -> None:
    wish = InterviewOptions(minutes=30, topics=("autograd", "training"), leaning=("serving", "training"))
    assert {item.topic for item in draw_up(wish, load_bank())} == {"autograd", "training"}
    assert draw_up(wish, load_bank())[0].topic == "training"


def test_it_is_kept_until_it_is_forgotten(tmp_path: Path) -> None:
    assert kept(tmp_path) == Background()
    known = Background(topics=("serving",), opening="Built <b>things</b>")
    keep(known, tmp_path)
    assert kept(tmp_path) == known
    assert forget(tmp_path)
    assert not forget(tmp_path)
    assert kept(tmp_path) == Background()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"cv\.pdf"):
        lines_of(tmp_path / "cv.pdf")

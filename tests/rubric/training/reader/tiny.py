"""A tiny model and a small corpus, made here."""

from __future__ import annotations

import zlib

import torch
from transformers import Qwen2Config, Qwen2Model

from rubric.model import Criterion, Examples, Verdict
from rubric.training.reader.corpus import Entry, Excerpt, Point, held_out

HIDDEN, VOCABULARY, LAYERS = 32, 512, 3


def tokenize(text: str) -> list[int]:
    """A token a word."""
    return [zlib.crc32(word.encode()) % VOCABULARY for word in text.split()]


def model(dtype=torch.float32) -> Qwen2Model:
    """One of random weights."""
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=48,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
    )
    return Qwen2Model(config).to(dtype).requires_grad_(False).eval()


def names(held: bool, count: int, source: str = "bank") -> list[str]:
    """Ids of questions that are held out of a fit, or that are not."""
    found = (f"{source}{number}" for number in range(10_000))
    return [name for name, _ in zip((each for each in found if held_out(each, 5) is held), range(count), strict=False)]


def point(name: str, number: int, told: bool = True) -> Point:
    """A criterion whose every text names it and its side."""

    def said(side: str, count: int = 3) -> tuple[str, ...]:
        return tuple(f"{side} of {name} number{number} in the way {way}." for way in range(count))

    examples = Examples(met=said("Right"), contradicted=said("Wrong"), near=said("Almost")) if told else Examples()
    others = tuple(f"Right of {name} number{other} in the way 0." for other in range(3) if other != number)
    excerpts = (
        Excerpt(words=f"answered: right {number}\nand more", allowed=(Verdict.MET,), kind="answer"),
        Excerpt(words=f"answered: half {number}", allowed=(Verdict.PARTIAL,), kind="answer"),
        Excerpt(words=f"answered: silent {number}\nand so on", allowed=(Verdict.MISSING,), kind="answer"),
        Excerpt(words=f"answered: wrong {number}", allowed=(Verdict.CONTRADICTED,), kind="answer"),
        Excerpt(words=f"reference {number}", allowed=(Verdict.MET,), kind="reference"),
    )
    return Point(
        criterion=Criterion(id=f"c{number}", text=f"The point {number} of {name}.", examples=examples),
        parts=said("Part", 1) if told else (),
        distractors=others if told else (),
        excerpts=excerpts,
    )


def entry(name: str, source: str = "bank", told: bool = True) -> Entry:
    """A question of three criteria."""
    return Entry(
        id=name,
        source=source,
        text=f"Why {name}?",
        points=tuple(point(name, number, told) for number in range(3)),
    )


def corpus(fitted: int = 6, held: int = 2) -> list[Entry]:
    """Questions of the bank and graded ones, some of them held out."""
    bank = [entry(name) for name in [*names(False, fitted), *names(True, held)]]
    graded = [entry(name, "graded", told=False) for name in names(False, 2, "graded")]
    return [*bank, *graded]

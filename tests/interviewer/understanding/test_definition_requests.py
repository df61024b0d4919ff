"""What a person asks the meaning of is taken from the question, whatever its form."""

from __future__ import annotations

import pytest

from interviewer.understanding.definition_requests import compared, defined


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("What is gradient checkpointing good for?", "gradient checkpointing"),
        ("What's RMSNorm?", "RMSNorm"),
        ("whats a graph break", "a graph break"),
        ("So, what does zero grad do?", "zero grad"),
        ("What does MFU stand for?", "MFU"),
        ("Why do we need warmup?", "warmup"),
        ("How does flash attention work?", "flash attention"),
        ("Could you briefly explain speculative decoding?", "speculative decoding"),
        ("Yes, one question: what is the point of label smoothing?", "label smoothing"),
        ("What exactly is a KV cache?", "a KV cache"),
        ("I keep reading about it. What is GRPO?", "GRPO"),
        ("Can you tell me what GRPO is?", "GRPO"),
        ("What is meant by perplexity?", "perplexity"),
        ("Why is pinned memory useful?", "pinned memory"),
    ],
)
def test_the_thing_that_is_asked_about(text: str, thing: str) -> None:
    assert thing in defined(text)
    assert compared(text) is None


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("What is the difference between eval and no grad?", ("eval", "no grad")),
        ("What's the difference between DDP and FSDP again?", ("DDP", "FSDP")),
        ("How does bf16 differ from fp16?", ("bf16", "fp16")),
        ("how is AdamW different from Adam?", ("AdamW", "Adam")),
        ("When would you use FSDP instead of DDP?", ("FSDP", "DDP")),
        ("Why is bf16 preferred over fp16?", ("bf16", "fp16")),
        ("Is gradient checkpointing the same as rematerialization?", ("gradient checkpointing", "rematerialization")),
        ("LayerNorm vs. RMSNorm?", ("LayerNorm", "RMSNorm")),
    ],
)
def test_the_two_things_that_are_compared(text: str, things: tuple[str, str]) -> None:
    assert compared(text) == things


@pytest.mark.parametrize(
    "text",
    [
        "What's the salary range?",
        "How many people are on the team that I would join, and who leads it?",
        "No, thank you.",
        "Does DDP average or sum the gradients?",
    ],
)
def test_what_asks_for_no_meaning_is_not_compared(text: str) -> None:
    assert compared(text) is None

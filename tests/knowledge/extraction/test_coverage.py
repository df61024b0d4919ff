"""The bank covers every question of the five documents beside the project: a list made and reviewed by hand.

``shared_coverage.json`` names, for each question of each document in its order, the entry of the bank that covers it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knowledge.bank.parser import load_bank
from knowledge.documents.reader import read
from knowledge.extraction.extractor import questions
from knowledge.model import Kind, Question
from tests.locations import SHARED

DOCUMENTS = SHARED / "documents"
COVERAGE: dict[str, list[str]] = json.loads((Path(__file__).parent / "shared_coverage.json").read_text("utf-8"))

BEYOND = {
    "torch.compile and graph breaks": "torch-compile-one-graph",
    "FSDP2": "distributed-fsdp2-wrapping",
    "tensor parallel with DTensor": "distributed-dtensor-placements",
    "NCCL hangs": "distributed-nccl-hang",
    "activation memory arithmetic": "memory-transformer-activations",
    "roofline arithmetic": "intensity-matmul-elementwise",
    "attention kernels": "performance-flash-attention",
    "KV cache": "kv-cache-memory",
    "quantisation for serving": "serving-quantisation",
    "continuous batching": "serving-continuous-batching",
    "paged attention": "serving-paged-attention",
    "speculative decoding": "serving-speculative-decoding",
    "numerics of bf16 and fp8": "formats-bf16-fp16-fp8",
    "data loading bottlenecks": "data-loading-bottleneck",
    "reproducibility": "training-reproducibility",
    "profiling a real trace": "profiling-trace-reading",
    "Triton kernels": "triton-row-softmax",
    "distributed checkpointing": "distributed-checkpointing",
    "evaluation": "training-trust-metric",
    "data leakage": "training-leakage",
}


@pytest.fixture(scope="module")
def bank() -> dict[str, Question]:
    return {question.id: question for question in load_bank()}


def test_the_bank_is_large_enough_and_goes_beyond_the_documents(bank: dict[str, Question]) -> None:
    assert len(bank) >= 160
    assert set(BEYOND.values()) <= set(bank)


@pytest.mark.shared
@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="no shared/documents beside the project")
@pytest.mark.parametrize("name", sorted(COVERAGE))
def test_every_question_of_a_document_is_covered(name: str, bank: dict[str, Question]) -> None:
    asked = questions(read(DOCUMENTS / name))
    assert len(asked) == len(COVERAGE[name])
    for question, entry in zip(asked, COVERAGE[name], strict=True):
        assert entry in bank, f"{entry}, which covers “{question.text}”, is not in the bank"
        story = Kind.BEHAVIORAL in {question.kind, bank[entry].kind}
        assert (question.kind is bank[entry].kind) or not story, f"“{question.text}” is not covered by {entry}"

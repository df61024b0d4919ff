"""What the recognizer is told before it listens: how such talk is written, and the terms it may hold. Pure.

Only what the person has been asked is used, never the reference or the rubric: a recognizer that is told the answer
hears it.
"""

from __future__ import annotations

import re

from knowledge.model import Question

LONGEST = 620
"""Characters of the longest prompt; Whisper reads about 220 tokens of it and leaves the rest out."""

FIELD = (
    "PyTorch", "torch.no_grad()", "loss.backward()", "optimizer.zero_grad()", "requires_grad", "autograd", "nn.Module",
    "DataLoader", "num_workers", "pin_memory", "softmax", "logits", "cross entropy", "AdamW", "learning rate", "1e-4",
    "batch norm", "LayerNorm", "ReLU", "float16", "bfloat16", "CUDA", "GPU", "torch.compile", "DDP", "FSDP", "NCCL",
    "all-reduce", "KV cache", "transformer", "embedding", "tensor", "int8",
)  # fmt: skip
"""Terms of the field, the most useful first; as many are named as there is room for."""

# Written with fillers, so that they are written down: Whisper leaves out what its context leaves out.
_MANNER = "Um, so, uh, let me think. I would, you know, say"

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"`([^`\n]{2,40})`")
_NAME = re.compile(
    r"\b(?:[A-Za-z]\w*(?:\.\w+)+|[A-Za-z]+_\w+|[A-Z]{2,}[a-z]?\w*|[A-Z][a-z]+[A-Z]\w*|[A-Za-z]{2,5}\d{1,2})\b(?:\(\))?"
)


def terms(question: Question) -> tuple[str, ...]:
    """The names that the question itself uses, in the order in which it uses them, without repetition."""
    shown = f"{question.topic}\n{question.spoken}\n{question.text}"
    found = [(match.start(), match.group(1)) for match in _QUOTED.finditer(_FENCE.sub(" ", shown))]
    found += [(match.start(), match.group(0)) for match in _NAME.finditer(shown)]
    names = (name.strip() for _, name in sorted(found))
    return tuple(dict.fromkeys(name for name in names if len(name) > 1))


def prompt(question: Question | None) -> str:
    """What the recognizer is told while it listens to an answer to that question; ``None`` for the field alone."""
    asked = (*terms(question), question.topic) if question else ()
    said = _MANNER
    known: set[str] = set()
    for term in (*asked, *FIELD):
        if term.casefold() not in known and len(said) + len(term) + 2 < LONGEST:
            said += f"{',' if known else ''} {term}"
            known.add(term.casefold())
    return f"{said}."

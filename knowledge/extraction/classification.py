"""What a document's question is about, from the words of the question and of the headings above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knowledge.model import Kind, Level

GENERAL = "general"
"""The topic of a question that names nothing we know."""

_TOPICS: dict[str, str] = {
    "autograd": (
        r"autograd|backward|requires_grad|no_grad|inference_mode|detach|hooks?|differentiation|computation graph|"
        r"incorrect gradients?|custom gradients?"
    ),
    "tensors": r"tensors?|views?|reshape|contiguous|broadcast|strides?|numpy|sparse|in-place|dtype|indexing",
    "modules": r"nn\.module|modules?|parameters?|sequential|state_dict|layers?|functional|save and load",
    "training": (
        r"training loops?|optimi[sz]ers?|adam|adamw|sgd|learning rate|schedul\w+|warmup|\w*loss|regulari[sz]\w+|"
        r"dropout|overfit\w*|batch normali[sz]ation|augmentation|early stopping|label smoothing|imbalanced|"
        r"distillation|fine-tun\w+|lora|gradient (?:accumulation|clipping)|vanishing|exploding|forgetting"
    ),
    "data loading": r"data ?loaders?|datasets?|data pipelines?|samplers?|collate",
    "performance": (
        r"memory|oom|profil\w+|gradient checkpointing|mixed precision|amp|torch\.compile|compile|kernels?|cuda|gpus?|"
        r"warps?|compute-bound|fast(er)?|speed|efficien\w+|bottlenecks?|latency"
    ),
    "distributed training": (
        r"distributed|data ?parallel\w*|ddp|fsdp|multi-gpu|nccl|all-reduce|parallelism|sharded|across \w+ gpus"
    ),
    "serving": (
        r"deploy\w*|production|torchscript|torch\.jit\.\w+|jit|onnx|serv(e|ing)|quanti[sz]\w+|qat|ptq|prun\w+|"
        r"inference|export|tracing|scripting|compression"
    ),
    "architectures": (
        r"cnns?|convolution\w*|resnet|rnns?|lstms?|gnns?|graph neural|receptive field|gans?|autoencoders?|"
        r"diffusion|architectur\w+|upsampling|layer normali[sz]ation|group normali[sz]ation"
    ),
    "transformers": r"transformers?|attention|bert|gpt|llms?|language models?|embeddings?|tokeni[sz]\w+",
    "algorithms": (
        r"algorithms?|data structures?|complexity|heap|trie|queue|stack|linked list|hash|lru|tree|bfs|dfs|sort|"
        r"sliding window|union-find|palindrome|nested list|find all pairs|o\(\w"
    ),
    "debugging": r"debug\w*|nan|leaks?|errors?|exception\w*|monkey patch\w*|common mistakes?",
}
_PATTERNS = {topic: re.compile(rf"(?<!\w)(?:{words})(?!\w)") for topic, words in _TOPICS.items()}

_LEVELS = {
    Level.STAFF: re.compile(r"\b(staff|expert|principal)\b"),
    Level.SENIOR: re.compile(r"\b(hard|advanced|senior)\b"),
    Level.MID: re.compile(r"\b(medium|intermediate|mid(-level)?)\b"),
    Level.JUNIOR: re.compile(r"\b(easy|beginners?|basics?|junior|fundamentals?|entry[- ]level)\b"),
}

_BEHAVIORAL = re.compile(
    r"\bbehaviou?ral\b|^(tell me about|describe|share)\b.*\b(a time|a (\w+ )?situation|an experience|an example)\b"
)
_DESIGN = re.compile(r"^(design|architect)\b|\bhow would you (design|architect|scale|build a system)\b")
_DESIGN_SECTION = re.compile(r"\b(system|architecture) design\b|^system\b")
_DEBUGGING = re.compile(
    r"^(debug|fix|explain and fix|what causes this error)\b|\b(debug this|find the bug)\b|"
    r"^(?!explain\b).*\bhow (would|do) you debug\b"
)
_CODING = re.compile(r"^(implement|write|code)\b|\bimplement (a|an|the) (function|class)\b")
_CODING_SECTION = re.compile(r"\bcoding (challenges?|problems?|exercises?|questions?|tasks?)\b")
_PLAIN = re.compile(r"[`*$]")


def kind_of(question: str, section: Sequence[str]) -> Kind:
    """The kind: what the headings say first, then how the question is put."""
    text = _plain(question)
    headings = _plain(" / ".join(section))
    if _BEHAVIORAL.search(headings) or _BEHAVIORAL.search(text):
        return Kind.BEHAVIORAL
    if _DESIGN_SECTION.search(headings) or _DESIGN.search(text):
        return Kind.SYSTEM_DESIGN
    if _CODING_SECTION.search(headings):
        return Kind.CODING
    if _DEBUGGING.search(text):
        return Kind.DEBUGGING
    return Kind.CODING if _CODING.search(text) else Kind.CONCEPT


def topic_of(question: str, section: Sequence[str], kind: Kind) -> str:
    """One topic of a small vocabulary: the one whose words the question uses most, headings counting less."""
    if kind in {Kind.BEHAVIORAL, Kind.SYSTEM_DESIGN}:
        return str(kind)
    text = _plain(question)
    headings = _plain(" / ".join(section[-2:]))
    best, most = ("training" if re.search(r"\btrain", text) else GENERAL), 0
    for topic, pattern in _PATTERNS.items():
        hits = 3 * len(pattern.findall(text)) + 2 * bool(pattern.search(headings))
        if hits > most:
            best, most = topic, hits
    return best


def level_of(section: Sequence[str]) -> Level | None:
    """The level the nearest heading states, if any does."""
    for heading in reversed(section):
        for level, pattern in _LEVELS.items():
            if pattern.search(heading.lower()):
                return level
    return None


def _plain(text: str) -> str:
    return _PLAIN.sub("", text).lower().strip()

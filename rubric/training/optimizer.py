"""The steps that fit a model: AdamW, gradients clipped, rates that rise and fall once (Smith and Topin 2017)."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from serving.atomic import replacement

if TYPE_CHECKING:
    import torch

LONGEST_GRADIENT = 1.0

KEPT_EVERY_S = 120.0
"""Seconds of work that are lost at most when a long fit is broken off."""

Batch = TypeVar("Batch")


def descend(
    groups: list[dict[str, Any]],
    batches: Iterable[Batch],
    loss_of: Callable[[Batch], torch.Tensor],
    progress: Callable[[int, int, float], None],
    *,
    steps: int,
    rising: float,
    kept: Path | None = None,
) -> None:
    """Change parameters in place, a batch a step.

    Args:
        groups: ``params`` that learn, and their highest rate ``lr``.
        batches: at least as many as there are steps, the same ones whenever the same fit is begun.
        loss_of: the loss of a batch.
        progress: told how many of how many steps are done, and the loss of the last.
        steps: how many.
        rising: share of them in which the rates rise.
        kept: file to go on from when the fit was broken off; it is gone once the fit is done.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    learning = [parameter for group in groups for parameter in group["params"]]
    optimizer = torch.optim.AdamW(groups)
    rates = [group["lr"] for group in groups]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=steps, pct_start=rising)
    state = {"optimizer": optimizer, "schedule": schedule}
    begin = _taken_up(kept, learning, state) if kept else 0
    last_kept = time.monotonic()
    for number, batch in enumerate(itertools.islice(batches, begin, steps), begin):
        loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learning, LONGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        if kept and time.monotonic() - last_kept > KEPT_EVERY_S:
            _keep(kept, number + 1, learning, state)
            last_kept = time.monotonic()
        progress(number + 1, steps, loss.item())
    if kept:
        kept.unlink(missing_ok=True)


def _keep(kept: Path, done: int, learning: list[Any], state: dict[str, Any]) -> None:
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    states = {name: each.state_dict() for name, each in state.items()}
    with replacement(kept, partial=kept.with_name(kept.name + ".new")) as partial:
        torch.save({"done": done, "learning": [each.detach() for each in learning]} | states, partial)


def _taken_up(kept: Path, learning: list[Any], state: dict[str, Any]) -> int:
    """Go on from what was kept.

    Returns:
        How many steps were done.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    if not kept.is_file():
        return 0
    found = torch.load(kept, weights_only=True, map_location="cpu")
    with torch.no_grad():
        for parameter, value in zip(learning, found["learning"], strict=True):
            parameter.copy_(value)
    for name, each in state.items():
        each.load_state_dict(found[name])
    return int(found["done"])

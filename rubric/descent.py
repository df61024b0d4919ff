"""The steps that fit an encoder: AdamW, gradients clipped, rates that rise and fall once (Smith and Topin 2017)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import torch

LONGEST_GRADIENT = 1.0

Batch = TypeVar("Batch")


def descend(
    groups: list[dict[str, Any]],
    batches: Iterable[Batch],
    loss_of: Callable[[Batch], torch.Tensor],
    progress: Callable[[int, int, float], None],
    *,
    steps: int,
    rising: float,
) -> None:
    """Change parameters in place, a batch a step.

    Args:
        groups: ``params`` that learn, and their highest rate ``lr``.
        batches: at least as many as there are steps.
        loss_of: the loss of a batch.
        progress: told how many of how many steps are done, and the loss of the last.
        steps: how many.
        rising: share of them in which the rates rise.

    """
    import torch  # noqa: PLC0415 - only whoever fits pays for the import

    learning = [parameter for group in groups for parameter in group["params"]]
    optimizer = torch.optim.AdamW(groups)
    rates = [group["lr"] for group in groups]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=steps, pct_start=rising)
    for number, batch in zip(range(steps), batches, strict=False):
        loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learning, LONGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        progress(number + 1, steps, loss.item())

"""Sentences that are often written and can be put to the test: an expression that finds them, a probe that checks.

A claim is reported only when the probe, run with the torch that is installed, says that it does not hold.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from knowledge.code.review.torch_api import Finding, verdict

_DENIED = re.compile(r"deprecat|\bnot\b[^.]{0,20}$|instead of|legacy|superseded|replaced|maintenance", re.IGNORECASE)


class Claim(NamedTuple):
    """A sentence that may be out of date or wrong.

    Attributes:
        pattern: finds it, within one line.
        holds: the probe; gets the match and tells what is so instead, empty where the claim holds.
        dated: whether it was true once.

    """

    pattern: re.Pattern[str]
    holds: Callable[[re.Match[str]], str]
    dated: bool = False


def in_prose(text: str) -> Iterator[tuple[Finding, bool]]:
    """Claims in a text that do not hold, each with whether it was true once."""
    for number, line in enumerate(text.split("\n"), 1):
        for claim in _CLAIMS:
            match = claim.pattern.search(line)
            if match and not (claim.dated and _DENIED.search(line)):
                said = claim.holds(match)
                if said:
                    yield Finding(number, said), claim.dated


def _view_of_strided(_: re.Match[str]) -> str:
    return _VIEW if _can_view_what_is_not_contiguous() else ""


_VIEW = (
    "`view()` does not need a contiguous tensor but strides that fit the new shape: "
    "`torch.zeros(4, 6)[:, :3].view(4, 3, 1)` works on one that is not contiguous."
)


@cache
def _can_view_what_is_not_contiguous() -> bool:
    import torch  # noqa: PLC0415 - takes seconds, and only documents with such a claim need it

    part = torch.zeros(4, 6)[:, :3]
    return not part.is_contiguous() and part.view(4, 3, 1).data_ptr() == part.data_ptr()


def _adam_first_step(_: re.Match[str]) -> str:
    size = _first_step_of_adam()
    if size > 1.5:
        return ""
    return (
        f"Adam's first steps are not large: with bias correction the first one is {size:.2f} times the learning rate, "
        "however small the gradient."
    )


@cache
def _first_step_of_adam() -> float:
    import torch  # noqa: PLC0415 - as above

    weight = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.Adam([weight], lr=0.1)
    weight.grad = torch.full((1,), 1e-4)
    optimizer.step()
    return abs(float(weight.detach()) - 1.0) / 0.1


def _smoothed(match: re.Match[str]) -> str:
    claimed = [float(part) for part in match["values"].split(",")]
    epsilon = float(match["epsilon"])
    real = _smooth_targets(epsilon, len(claimed))
    if max(abs(a - b) for a, b in zip(sorted(claimed), sorted(real), strict=True)) < 0.01:
        return ""
    shown = ", ".join(f"{value:.3f}" for value in real)
    return f"Smoothed by {epsilon:g}, a target over {len(claimed)} classes is [{shown}], which is what torch uses."


def _smooth_targets(epsilon: float, classes: int) -> list[float]:
    """The targets torch's cross-entropy uses: the gradient of the loss by the logits is the softmax minus these."""
    import torch  # noqa: PLC0415 - as above

    logits = torch.zeros(1, classes, requires_grad=True)
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor([0]), label_smoothing=epsilon)
    (slope,) = torch.autograd.grad(loss, logits)
    return [float(value) for value in (1 / classes - slope[0])]


def _halves_overflow_first(_: re.Match[str]) -> str:
    import torch  # noqa: PLC0415 - as above

    half, single = torch.finfo(torch.float16).max, torch.finfo(torch.float32).max
    if half >= single:
        return ""
    return f"Mixed precision is a cause of instability, not a remedy: float16 overflows beyond {half:g}."


def _torchscript(_: re.Match[str]) -> str:
    said = verdict("torch.jit.script")
    return f"TorchScript is no longer the way. {said}" if said else ""


def _views_in_inference_mode(_: re.Match[str]) -> str:
    import torch  # noqa: PLC0415 - as above

    with torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        works = torch.ones(4).view(2, 2).shape == (2, 2)
    return "Views can be taken in inference mode, of tensors made before it as well." if works else ""


_CLAIMS = (
    Claim(
        re.compile(
            r"requires[:*\s]+(?:the )?(?:tensor (?:to be |must be )?)?contiguous|"
            r"\bview\b[^.|]{0,40}(?:\bcontiguous (?:tensors? )?only|(?:must|needs? to) be contiguous|"
            r"requires? (?:a )?contiguous)",
            re.IGNORECASE,
        ),
        _view_of_strided,
    ),
    Claim(
        re.compile(
            r"(?:second moment|v_t)[^.]{0,80}zero[^.]{0,40}(?:effective )?learning rate (?:is )?very (?:large|high)",
            re.I,
        ),
        _adam_first_step,
    ),
    Claim(
        re.compile(
            r"\[(?P<values>0\.\d+(?:\s*,\s*0\.\d+)+)\][^.]{0,25}(?:epsilon|smoothing|ε)\s*=\s*(?P<epsilon>0\.\d+)", re.I
        ),
        _smoothed,
    ),
    Claim(
        re.compile(r"inference_mode\b[^|]*\|[^|]*\|\s*No\b[^|]*views", re.IGNORECASE),
        _views_in_inference_mode,
    ),
    Claim(
        re.compile(
            r"(?:numerical instability|unstable|nan)\W{1,6}(?:use|add|enable|try) mixed precision", re.IGNORECASE
        ),
        _halves_overflow_first,
    ),
    Claim(
        re.compile(r"\bTorchScript\b", re.IGNORECASE),
        _torchscript,
        dated=True,
    ),
)

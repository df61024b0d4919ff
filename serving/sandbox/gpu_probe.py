"""Whether a job can use a card in the sandbox, tried out: CUDA's first steps behind the walls and limits of a job."""

from __future__ import annotations

import json
import time
from pathlib import Path

from serving.errors import SandboxMissingError
from serving.frozen import FrozenModel
from serving.sandbox.backends import registry
from serving.sandbox.backends.base import WorkerSpec
from serving.sandbox.gpu_access import GpuAccess
from serving.sandbox.process import SandboxedProcess
from serving.sandbox.restrictions import LIMITS, restrictions

PROBE = Path(__file__).parent / "inside" / "cuda_probe.py"
LIBRARY = "libcuda.so.1"
SECONDS = 60.0

_MOST = 64 * 1024
_MEANINGS = {
    2: "the card's memory is full",
    100: "the driver finds no card",
    304: "an operating system call failed, as where the driver cannot read what it needs below /sys",
    802: "the card is not ready",
    999: "an unknown fault of the driver",
}


class GpuTrial(FrozenModel):
    """How far CUDA's first steps led.

    Attributes:
        step: the one that failed; empty where none did.
        code: CUDA's error number there.
        why: what else is known of the failure.
        cards: how many cards the process sees.
        seconds: that the steps took; most of it makes the context, which every job has to make.
        missing: what is needed of the machine and is not there.

    """

    step: str = ""
    code: int = 0
    why: str = ""
    cards: int = 0
    seconds: float = 0.0
    missing: tuple[str, ...] = ()

    @property
    def trouble(self) -> str:
        """Why code cannot run on the card, one sentence; empty where it can."""
        if not self.step and self.cards == 1:
            return ""
        if not self.step:
            return f"Code is not run on the card: a job would see {self.cards} cards where it should see one."
        what = _MEANINGS.get(self.code, f"CUDA error {self.code}") if self.code else self.why or "it gives no reason"
        lacking = f" Missing: {', '.join(self.missing)}." if self.missing else ""
        return f"Code is not run on the card: {self.step} fails in the sandbox ({what}).{lacking}"


def tried(access: GpuAccess, *, limited: bool = True, library: str = LIBRARY) -> GpuTrial:
    """Take CUDA's first steps as a job would.

    Args:
        access: what a job gets of the card.
        limited: whether under a job's limits and filters too; without them to find out which of both is in the way.
        library: CUDA's driver library; another one in tests.

    """
    try:
        backend = registry.required()
    except SandboxMissingError as error:
        return GpuTrial(step="sandbox", why=error.message, missing=access.missing)
    if not backend.reaches_gpu:
        why = f"{backend.name} keeps the nodes of cards from being opened; {registry.BACKENDS[0].name} does not"
        return GpuTrial(step="sandbox", why=why, missing=access.missing)
    own = json.dumps(restrictions(gpu=True) if limited else None)
    shown = (PROBE.parent, *([Path(library)] if "/" in library else []))
    worker = WorkerSpec(arguments=("-I", "-B", str(PROBE), library, own), shown=shown, gpu=access)
    try:
        with SandboxedProcess(backend, worker, LIMITS, output="stdout") as process:
            said, in_time = process.everything(b"", time.monotonic() + SECONDS, _MOST)
            complained = process.errors.strip().splitlines()
    except OSError as error:
        return GpuTrial(step="start", why=str(error), missing=access.missing)
    if not in_time:
        return GpuTrial(step="CUDA", why=f"it does not answer within {SECONDS:.0f} s", missing=access.missing)
    try:
        return GpuTrial.model_validate(json.loads(said) | {"missing": access.missing})
    except ValueError:
        why = complained[-1][:300] if complained else "the process died"
        return GpuTrial(step="CUDA", why=why, missing=access.missing)

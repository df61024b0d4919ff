"""Runs the fit of the judge's layers on this machine, and goes on with one that was broken off (``make tune``)."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

from rubric.grading.state_head import Linear
from rubric.training.reader.checkpoint import Files, Reader, Settings
from rubric.training.reader.corpus import load
from rubric.training.reader.fit import Fit
from rubric.training.reader.int8_linear import compile_kernels
from rubric.training.reader.model import ReaderModel


def tune(
    reader: Reader, corpus: Path, folder: Path, settings: Settings, progress: Callable[[int, int, float], None]
) -> bool:
    """Fit until it is done or told to stop, by SIGTERM or SIGINT.

    Args:
        reader: as ``load_reader`` gives it.
        corpus: what is fitted to (``rubric.training.reader.corpus.save``).
        folder: of the fit's files; one that has a checkpoint is gone on with.
        settings: of the fit.
        progress: told how many of how many steps are done, and the loss of the last.

    Returns:
        Whether the fit is done; if not, the same call goes on.

    Raises:
        BadInputError: the checkpoint is of another shape of model.

    """
    fit = Fit(reader, load(corpus), Files(folder), settings)
    with _stopped_by_signals(fit.stop):
        return fit.run(progress=progress)


@contextmanager
def _stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def load_reader(folder: Path, layers: int, settings: Settings, device: str, begin: Linear | None) -> Reader:
    """The judge's model, ready to learn.

    Args:
        folder: an int8 checkpoint (``serving.models.quantize``).
        layers: that are read.
        settings: of the fit.
        device: ``cpu`` or ``cuda``; on a CPU the frozen weights are int8.
        begin: what the head starts as.

    """
    from transformers import AutoTokenizer  # noqa: PLC0415 - seconds of imports

    from rubric.training.reader.int8_checkpoint import int8_model  # noqa: PLC0415
    from serving.models.dequantize import dense  # noqa: PLC0415

    torch.manual_seed(settings.seed)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    base = int8_model(folder, layers) if device == "cpu" else dense(folder, layers).to(device)
    model = ReaderModel(base, first=settings.first, rank=settings.rank, begin=begin, int8=False)
    return Reader(model.to(device), lambda text: tokenizer(text, add_special_tokens=False)["input_ids"])


def prepare_processor(threads: int | None = None) -> None:
    """Have torch use the processor as a fit on it needs.

    Args:
        threads: how many; left out, one a core.

    """
    reuse_memory()
    torch.set_num_threads(threads or os.cpu_count() or 1)
    # Without it a reading takes several times as long.
    compile_kernels()


def reuse_memory() -> None:
    """Have glibc keep the memory of large tensors instead of giving it back after each operation.

    Mapped anew, every page of every temporary is zeroed by the kernel first: a third of a step's time.
    """
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallopt"):
        return
    trim_threshold, mmap_max, arenas = -1, -4, -8
    libc.mallopt(mmap_max, 0)
    libc.mallopt(trim_threshold, 2**31 - 1)
    libc.mallopt(arenas, 1)

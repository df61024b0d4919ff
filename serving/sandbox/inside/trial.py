"""What a hidden test works with: inputs from a seed, and instruments. Stands alone; CONTRIBUTING.md shows tests.

A test is a generator that takes a ``Trial`` and yields pairs: what was put in, and what came out. It knows no
expected values: those are what the same test yields with our own solution, under the same seed, elsewhere.

What a program returns cannot be forged: it is compared elsewhere. What it costs (memory, operations, what stays alive)
is measured here, in its own process. ``guard.py`` notices instruments that were changed or switched off, and says what
it cannot notice; a coarse bound on memory is measured from outside too (``serving/sandbox/memory.py``).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import random
import statistics
import sys
import time
import tracemalloc
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

WARM_UPS = 3
REPEATS = 11
LONGEST_MEASURE_S = 2.0
FREE_BYTES = 2_000_000
"""What Python's and NumPy's own objects may hold without counting as memory."""

CHECKED_BYTES = 16


class Trial:
    """One test's inputs and instruments.

    Attributes:
        random: a generator seeded for this test; torch's and NumPy's are seeded too.
        device: where the inputs lie.
        dtype: of ``randn`` where none is named; a test that mentions it is run for several.

    """

    def __init__(self, seed: int, device: str = "cpu", dtype: str = "float32") -> None:
        self.random = random.Random(seed)  # noqa: S311 - inputs, not secrets
        self.device = torch.device(device)
        self.dtype: torch.dtype = getattr(torch, dtype)
        # Of its own, so that a program which draws numbers itself does not change the inputs.
        self._generator = torch.Generator().manual_seed(seed)

    def randn(self, *shape: int, dtype: torch.dtype | None = None, requires_grad: bool = False) -> torch.Tensor:
        """Normally distributed numbers, drawn on the CPU in float64, so that they are the same everywhere."""
        drawn = torch.randn(shape, generator=self._generator, dtype=torch.float64)
        made = drawn.to(self.device, dtype or self.dtype)
        return made.requires_grad_() if requires_grad else made

    def rand(self, *shape: int, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Numbers evenly distributed from 0 to 1."""
        return torch.rand(shape, generator=self._generator, dtype=torch.float64).to(self.device, dtype or self.dtype)

    def integers(self, low: int, high: int, *shape: int) -> torch.Tensor:
        """Whole numbers from ``low`` to ``high - 1``, int64."""
        return torch.randint(low, high, shape, generator=self._generator).to(self.device)

    def permutation(self, count: int) -> torch.Tensor:
        """The numbers 0 to ``count - 1`` in some order, int64."""
        return torch.randperm(count, generator=self._generator).to(self.device)

    def strided(self, tensor: torch.Tensor) -> torch.Tensor:
        """The same numbers lying apart in memory, so that ``view`` would fail where it should not be used."""
        apart = torch.empty(*tensor.shape, 2, dtype=tensor.dtype, device=tensor.device)
        apart[..., 0] = tensor.detach()
        return apart[..., 0].requires_grad_(tensor.requires_grad)

    def fill(self, module: torch.nn.Module) -> torch.nn.Module:
        """Gives a module's parameters numbers that depend on their names and shapes only, in place.

        Two implementations that name their parameters alike become the same function. They keep their
        initialization otherwise, which is nobody's business.
        """
        base = self.random.randrange(2**31)
        with torch.no_grad():
            for name, parameter in sorted(module.named_parameters()):
                own = torch.Generator().manual_seed(base + sum(name.encode()))
                drawn = torch.randn(parameter.shape, generator=own, dtype=torch.float64)
                parameter.copy_(drawn / max(1, parameter.shape[-1] if parameter.ndim else 1) ** 0.5)
        return module

    def raised(self, call: Callable[..., Any], *arguments: Any, **named: Any) -> str:
        """The name of Python's own exception that a call raises, or "nothing"; of a subclass, what it derives from."""
        try:
            call(*arguments, **named)
        except Exception as error:  # noqa: BLE001 - which one it is, is the question
            own = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
            return own.__name__
        return "nothing"

    def gradients(self, output: torch.Tensor, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor | None]:
        """Gradients of some inputs, for a fixed direction of the output; ``None`` where none flows."""
        direction = torch.linspace(-1.0, 1.5, max(output.numel(), 1), dtype=torch.float64)[: output.numel()]
        if not output.requires_grad:
            return [None] * len(inputs)
        found = torch.autograd.grad(
            output, list(inputs), direction.to(output.device, output.dtype).reshape(output.shape), allow_unused=True
        )
        return list(found)

    def ranks(self, world: int, function: Callable[[int], Any]) -> list[Any]:
        """What a function of the rank returns on each rank of a process group: real processes, gloo, the loopback.

        For tasks that say how many ``processes`` they need. Tensors are drawn before, outside of the function.

        Raises:
            RankError: it raised on some rank, left without returning, or the ranks wait for each other.

        """
        ranks: Any = importlib.import_module("ranks")
        found: list[Any] = ranks.run(world, function)
        return found

    def peak(self, call: Callable[[], Any]) -> int:
        """Bytes of tensors that were alive at once during a call, those that lived before it left out.

        What Python and NumPy held beyond ``FREE_BYTES`` is added, so that it is no way around the measurement.

        Raises:
            Tampered: it was kept from being measured.

        """
        alive = _Alive()
        with _python_memory() as python, alive:
            call()
            alive.check()
        return alive.most + python.beyond

    def alive(self) -> int:
        """Bytes of all tensors that Python knows now, each storage once."""
        gc.collect()
        storages = {
            each.untyped_storage().data_ptr(): each.untyped_storage().nbytes()
            for each in gc.get_objects()
            if issubclass(type(each), torch.Tensor) and each.layout is torch.strided
        }
        return sum(storages.values())

    def calls(self, function: Callable[[], Any]) -> int:
        """How many operations of torch a call carries out.

        Raises:
            Tampered: they were kept from being counted.

        """
        counted = _Alive()
        with counted:
            function()
            operations = counted.operations
            counted.check()
        return operations

    def seconds(self, call: Callable[[], Any], read: Sequence[torch.Tensor] = ()) -> float | dict[str, float]:
        """Median seconds of a call: advice for the person, no part of any verdict.

        Args:
            call: what is timed.
            read: tensors of which every number must be read; with them, on a GPU, the bytes and the memory's
                clock and bus are told as well, from which follows a time that no program can beat.

        """
        if self.device.type == "cuda":
            return _with_floor(_seconds_on_gpu(call), read)
        for _ in range(2):
            call()
        taken: list[float] = []
        begun = time.perf_counter()
        while len(taken) < 3 or (len(taken) < REPEATS and time.perf_counter() - begun < LONGEST_MEASURE_S / REPEATS):
            before = time.perf_counter()
            call()
            taken.append(time.perf_counter() - before)
        return statistics.median(taken)


class _Alive(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Follows every storage that operations make until it is gone."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.most, self.operations = 0, 0
        self._now = 0
        self._known: set[int] = set()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # Otherwise Dynamo is imported for nothing, which takes seconds.
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        result = func(*args, **(kwargs or {}))
        self.operations += 1
        before = {_storage(each) for each in _tensors((args, kwargs))}
        for each in _tensors(result):
            if _storage(each) not in before | self._known:
                self._follow(each)
        return result

    def check(self) -> None:
        """Holds a known operation against what was counted.

        Raises:
            Tampered: it was not counted as one.

        """
        before, now, most = self.operations, self._now, self.most
        known = torch.empty(CHECKED_BYTES, dtype=torch.uint8)
        if self.operations != before + 1 or self._now - now != CHECKED_BYTES or self.most < most:
            failure: Any = importlib.import_module("failure")
            raise failure.Tampered("The operations of torch were kept from being followed.")
        del known
        self.most = most

    def _follow(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        address, size = storage.data_ptr(), storage.nbytes()
        if not size:
            return
        self._known.add(address)
        self._now += size
        self.most = max(self.most, self._now)
        weakref.finalize(storage, self._gone, address, size)

    def _gone(self, address: int, size: int) -> None:
        self._known.discard(address)
        self._now -= size


class _Python:
    """Attributes: beyond: bytes that Python and NumPy held at once beyond ``FREE_BYTES``."""

    beyond = 0


@contextlib.contextmanager
def _python_memory() -> Iterator[_Python]:
    """Follows what Python and NumPy allocate; nothing where a test does so itself, or a module is imported meanwhile.

    Raises:
        Tampered: it was switched off meanwhile.

    """
    found = _Python()
    if tracemalloc.is_tracing():
        yield found
        return
    modules = len(sys.modules)
    tracemalloc.start()
    try:
        yield found
        if not tracemalloc.is_tracing():
            failure: Any = importlib.import_module("failure")
            raise failure.Tampered("Python's memory was kept from being followed.")
        if len(sys.modules) == modules:
            found.beyond = max(0, tracemalloc.get_traced_memory()[1] - FREE_BYTES)
    finally:
        tracemalloc.stop()


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def _tensors(value: Any) -> Iterable[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _tensors(each)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


_event: Callable[..., Any] = torch.cuda.Event


def _with_floor(seconds: float, read: Sequence[torch.Tensor]) -> float | dict[str, float]:
    card: Any = torch.cuda.get_device_properties(0)
    if not read:
        return seconds
    # Some drivers tell no clock.
    clock, bus = (int(getattr(card, name, 0)) for name in ("memory_clock_rate", "memory_bus_width"))
    size = sum(tensor.numel() * tensor.element_size() for tensor in read)
    return {"seconds": seconds, "bytes": size, "clock_khz": clock, "bus_bits": bus}


def _seconds_on_gpu(call: Callable[[], Any]) -> float:
    """CUDA events around single calls, the cache flushed before each, the whole device waited for."""
    flush = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    for _ in range(WARM_UPS):
        call()
    taken: list[float] = []
    for _ in range(REPEATS):
        flush.zero_()
        begin, end = (_event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        call()
        torch.cuda.synchronize()
        end.record()
        torch.cuda.synchronize()
        taken.append(begin.elapsed_time(end) / 1000)
    return statistics.median(taken)

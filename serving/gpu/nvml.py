"""Cards as NVML, the library of NVIDIA's driver, tells them; slices (MIG) with their memory and device nodes.

NVIDIA's header ``nvml.h`` describes every call. A value that the driver does not tell is ``None``, as in the rest of
this package.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from serving.gpu.card import Found, Gpu, version_of

LIBRARY = "libnvidia-ml.so.1"
CAPABILITIES = Path("/proc/driver/nvidia/capabilities")
"""Where the kernel module tells which device nodes a slice needs."""

_TEXT = 96
_ENABLED = 1


class _Memory(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


def read(library: Any = None, capabilities: Path = CAPABILITIES) -> Found | None:
    """What NVML tells; ``None`` where there is no such library.

    Args:
        library: the library, opened; left out, the driver's.
        capabilities: the folder in which the kernel module describes its slices.

    """
    if library is None:
        try:
            library = ctypes.CDLL(LIBRARY)
        except OSError:
            return None
    nvml = _Nvml(library)
    if code := int(library.nvmlInit_v2()):
        return Found(trouble=f"NVIDIA's driver cannot be asked for its cards (NVML error {code}).")
    try:
        return Found(gpus=tuple(_gpus(nvml, capabilities)))
    finally:
        library.nvmlShutdown()


class _Nvml:
    """Calls that give ``None`` where the driver gives an error."""

    def __init__(self, library: Any) -> None:
        self._library = library

    def number(self, name: str, *given: Any) -> int | None:
        value = ctypes.c_uint()
        return value.value if self._called(name, *given, ctypes.byref(value)) else None

    def numbers(self, name: str, *given: Any) -> tuple[int, int] | None:
        one, other = ctypes.c_int(), ctypes.c_int()
        return (one.value, other.value) if self._called(name, *given, ctypes.byref(one), ctypes.byref(other)) else None

    def text(self, name: str, *given: Any) -> str:
        value = ctypes.create_string_buffer(_TEXT)
        return value.value.decode(errors="replace") if self._called(name, *given, value, ctypes.c_uint(_TEXT)) else ""

    def memory(self, card: Any) -> tuple[int | None, int | None]:
        value = _Memory()
        told = self._called("nvmlDeviceGetMemoryInfo", card, ctypes.byref(value)) and value.total > 0
        return (value.total, value.free) if told else (None, None)

    def handle(self, name: str, *given: Any) -> Any:
        value = ctypes.c_void_p()
        return value if self._called(name, *given, ctypes.byref(value)) else None

    def _called(self, name: str, *given: Any) -> bool:
        try:
            return int(getattr(self._library, name)(*given)) == 0
        except AttributeError:  # a driver that is older than the call
            return False


def _gpus(nvml: _Nvml, capabilities: Path) -> Iterator[Gpu]:
    driver = nvml.text("nvmlSystemGetDriverVersion")
    for index in range(nvml.number("nvmlDeviceGetCount_v2") or 0):
        handle = nvml.handle("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index))
        if handle is None:
            continue
        memory, free = nvml.memory(handle)
        card = Gpu(
            name=nvml.text("nvmlDeviceGetName", handle),
            memory=memory,
            free=free,
            capability=nvml.numbers("nvmlDeviceGetCudaComputeCapability", handle),
            driver=driver if version_of(driver) else "",
            uuid=nvml.text("nvmlDeviceGetUUID", handle),
            index=index,
            minor=nvml.number("nvmlDeviceGetMinorNumber", handle),
        )
        cut = nvml.numbers("nvmlDeviceGetMigMode", handle)
        if cut is None or cut[0] != _ENABLED:
            yield card
        else:
            yield from _slices(nvml, handle, card, capabilities)


def _slices(nvml: _Nvml, handle: Any, card: Gpu, capabilities: Path) -> Iterator[Gpu]:
    for number in range(nvml.number("nvmlDeviceGetMaxMigDeviceCount", handle) or 0):
        each = nvml.handle("nvmlDeviceGetMigDeviceHandleByIndex", handle, ctypes.c_uint(number))
        if each is None:
            continue
        memory, free = nvml.memory(each)
        instance = nvml.number("nvmlDeviceGetGpuInstanceId", each)
        part = nvml.number("nvmlDeviceGetComputeInstanceId", each)
        folder = capabilities / f"gpu{card.minor}" / "mig" / f"gi{instance}"
        nodes = (_node(folder / "access"), _node(folder / f"ci{part}" / "access"))
        yield Gpu(
            name=nvml.text("nvmlDeviceGetName", each) or f"{card.name} MIG",
            memory=memory,
            free=free,
            capability=card.capability,
            driver=card.driver,
            uuid=nvml.text("nvmlDeviceGetUUID", each),
            index=card.index,
            minor=card.minor,
            nodes=tuple(node for node in nodes if node is not None),
        )


def _node(file: Path) -> int | None:
    """The number of a device node out of the kernel module's description, a line "DeviceFileMinor: 30"."""
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    told = [line.partition(":")[2].strip() for line in lines if line.startswith("DeviceFileMinor:")]
    return int(told[0]) if told and told[0].isdigit() else None

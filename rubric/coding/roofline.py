"""The least time that a device needs to move what a computation must read: a lower bound, no estimate. Pure.

Williams, Waterman and Patterson, Roofline: An Insightful Visual Performance Model (2009), its sloped part: whatever is
computed, inputs that lie in main memory have to come from there once. Writes are left out, since a cache may hold them.
"""

from __future__ import annotations

NOISE = 0.9
"""How far below the floor a time must lie to be called impossible: clocks and boosts are not exact."""


def peak_bandwidth(clock_khz: int, bus_bits: int) -> float:
    """Bytes a second that memory of double data rate delivers at best; 0 where a driver does not tell.

    Args:
        clock_khz: of the memory, as ``cudaDeviceProp.memoryClockRate`` names it.
        bus_bits: width of its bus, ``memoryBusWidth``.

    """
    return 2.0 * max(0, clock_khz) * 1000 * max(0, bus_bits) / 8


def least_seconds(bytes_read: float, bandwidth: float) -> float:
    """The floor in seconds; 0 where nothing is known of the memory, so that no time lies below it.

    Args:
        bytes_read: what must be read from main memory, once.
        bandwidth: bytes a second at best.

    """
    return max(0.0, bytes_read) / bandwidth if bandwidth > 0 else 0.0


def is_impossible(seconds: float, floor: float) -> bool:
    """Whether a time is shorter than any that the device can reach, by more than noise."""
    return seconds < NOISE * floor

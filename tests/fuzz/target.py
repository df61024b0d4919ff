"""What a fuzz target is, and what a finding is."""

from __future__ import annotations

from random import Random
from typing import Protocol


class FoundError(AssertionError):
    """An input made a target do what it must never do; the message says what."""


class Target(Protocol):
    """One thing that is fuzzed. An input is bytes, so that one that found something can be kept as a file."""

    def make(self, rng: Random) -> bytes:
        """Returns a new input, a function of the generator's state alone."""
        ...

    def check(self, data: bytes) -> str:
        """Gives an input to the product.

        Args:
            data: an input; one that ``make`` never returned is valid too.

        Returns:
            What became of it, one or two words, to be counted.

        Raises:
            FoundError: the product did what it must never do.

        """
        ...

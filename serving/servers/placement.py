"""Which of several servers is given a piece of work: pure.

Rendezvous hashing keeps the same work on the same server; bounded loads pass on what would be more than a server's
share (Mirrokni et al., "Consistent Hashing with Bounded Loads", 2018).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

BACK_OFF_S = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds for which a server is left out after its first, second, … failure in a row."""

_SHARE = 1.25
"""How many times its even share of the work in flight a server may have; more goes to the next one."""


def order(urls: Sequence[str], key: str) -> list[str]:
    """Servers by how near they are to a key, the nearest first: the same wherever it is computed."""

    def weight(url: str) -> bytes:
        return hashlib.blake2b(f"{url}\0{key}".encode(errors="replace"), digest_size=16).digest()

    return sorted(urls, key=weight, reverse=True)


def bounded(urls: Sequence[str], in_flight: Mapping[str, int]) -> list[str]:
    """Servers in an order, those that have their share of the work in flight already behind all others.

    Args:
        urls: of the servers that can be used, in the order wanted.
        in_flight: how much each of them has in flight, without what is to be placed.

    """
    most = math.ceil(_SHARE * (1 + sum(in_flight[url] for url in urls)) / max(1, len(urls)))
    return sorted(urls, key=lambda url: in_flight[url] >= most)


def back_off(failures: int) -> float:
    """Seconds for which a server is left out that has failed so often in a row before."""
    return BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)]

"""Random changes of bytes and of JSON values: functions of a generator's state."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

TOKENS = (
    *(b"\x00", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\x0c", b"\x1b[2J", b"\x7f", b"\xed\xa0\x80"),
    *(b"%PDF-1.7", b"PK\x03\x04", b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>", b"&b;", b"<![CDATA["),
    *(b"```", b"~~~", b"---\n", b"# ", b"| a | b |\n|---|---|\n", b"> ", b"- ", b"1. ", b"Q: ", b"[](", b"<div>"),
    *(b"<|im_start|>", b"{{", b"}}", b"\\u0000", b"\\ud800", b"NaN", b"1e999", b"-1", b"9" * 400, b"null", b"[[[["),
    *("\u202e".encode(), "\u200b".encode(), "\ufffd".encode(), "\U000e0041".encode(), "\u2028".encode(), b"2001-99-99"),
    *(b"&a [*a]", b"!!python/object:os.system", b"? ", b": ", b"obj", b"endobj", b"stream\n", b"/Length 99999999"),
)
"""Pieces that mean something to one reader or another."""

VALUES: Sequence[Any] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**400, -0.0, 1e308, float("nan"), float("inf")),
    *("", " ", "\x00", "\ud800", "\ufffd", "a" * 5000, "2026-01-01T00:00:00", "0001-01-01T00:00:00Z", "-1", "NaN"),
    *("question:1", "<script>alert(1)</script>", "../../etc/passwd", "\u202eabc", "1", "interview:started"),
    *([], {}, [[]], [None], {"": None}, [0, -5], [5, 0], [10**9, 10**9 + 1]),
)
"""Values that few programs expect where they expect another."""


def mutated(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """Returns bytes with one to eight random changes.

    Args:
        data: what is changed.
        rng: makes the choices.
        others: what pieces may be taken from.

    """
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 8))):
        _change(changed, rng, others)
    return bytes(changed)


def _change(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 1, 2, 4, 16, 64, 512, 4096)))
    match rng.randrange(9):
        case 0:
            if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
        case 1:
            data[at:end] = rng.randbytes(end - at)
        case 2:
            del data[at:end]
        case 3:
            data[at:at] = data[at:end] * rng.choice((1, 2, 10, 200))
        case 4:
            data[at:at] = rng.choice(TOKENS)
        case 5:
            data[at:end] = rng.choice(TOKENS) * rng.choice((1, 1, 2, 50, 2000))
        case 6:
            del data[at:]
        case 7:
            other = rng.choice(others) if others else bytes(data)
            begin = rng.randrange(len(other) + 1)
            data[at:at] = other[begin : begin + 2048]
        case 8:
            there = rng.randrange(len(data) + 1)
            piece = bytes(data[at:end])
            del data[at:end]
            data[there:there] = piece


def mutated_json(value: Any, rng: Random) -> Any:
    """Returns a JSON value with one part of it exchanged, taken out, doubled or renamed."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        changed = dict(value)
        key = rng.choice(sorted(changed))
        match rng.randrange(10):
            case 0:
                del changed[key]
            case 1:
                changed[str(rng.choice(VALUES))[:50]] = changed.pop(key)
            case 2:
                changed[key] = changed[rng.choice(sorted(changed))]
            case _:
                changed[key] = mutated_json(changed[key], rng)
        return changed
    if isinstance(value, list) and value and rng.random() < 0.9:
        items = list(value)
        place = rng.randrange(len(items))
        match rng.randrange(8):
            case 0:
                del items[place]
            case 1:
                items += items
            case 2:
                rng.shuffle(items)
            case _:
                items[place] = mutated_json(items[place], rng)
        return items
    if isinstance(value, str) and value and rng.random() < 0.4:
        return mutated(value.encode("utf-8", "replace"), rng).decode("utf-8", "replace")
    if isinstance(value, int | float) and not isinstance(value, bool) and rng.random() < 0.5:
        return rng.choice((-value, value + 1, value - 1, value * 10**6, value // 3))
    return rng.choice(VALUES)

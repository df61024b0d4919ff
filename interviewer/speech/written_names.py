"""Names that are said aloud, as code writes them: ``set_epoch`` for "set epoch". Pure, but for its table.

The table is made from the bank (``interviewer.speech.name_table``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("written_names.txt")
"""One name a line: how it is said, a tab, how it is written."""

_DECIMAL = re.compile(r"\b(\d+) point (\d+)\b")
_OTHERS = {
    "a b test": "A/B test",
    "a b tests": "A/B tests",
    "l one": "L1",
    "l two": "L2",
    "nan to num": "nan_to_num",
    "no sync": "no_sync",
    "num workers": "num_workers",
    "nvidia s m i": "nvidia-smi",
    "plus equals": "+=",
    "r m s norm": "RMSNorm",
    "retain grad": "retain_grad",
    "set epoch": "set_epoch",
}
"""What the table lacks, since it is no name of code, or is made of words that the bank writes elsewhere."""


def with_names(said: str) -> str:
    """Words that are meant for the ear, with the names in them as one writes them; all else stays as it is."""
    names, pattern = _table()
    found = pattern.sub(lambda match: names[" ".join(match[0].lower().split())], said)
    return _DECIMAL.sub(r"\1.\2", found)


@cache
def _table() -> tuple[Mapping[str, str], re.Pattern[str]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    names = {**_OTHERS, **dict(line.split("\t") for line in lines)}
    longest_first = sorted(names, key=len, reverse=True)
    ways = "|".join(r"\s+".join(map(re.escape, said.split())) for said in longest_first)
    return names, re.compile(rf"(?<![\w.“])(?:{ways})(?![\w]|\.\w)", re.IGNORECASE)

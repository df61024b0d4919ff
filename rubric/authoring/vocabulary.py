"""The words and phrases of ``vocabulary.yaml``, ready to be matched."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

_DATA: dict[str, str | list[str]] = yaml.safe_load(
    Path(__file__).with_name("vocabulary.yaml").read_text(encoding="utf-8")
)


def _words(name: str) -> frozenset[str]:
    found = _DATA[name]
    return frozenset(found.split() if isinstance(found, str) else found)


def _beginning(name: str, end: str = "") -> re.Pattern[str]:
    return re.compile(rf"^(?:{'|'.join(_DATA[name])}){end}", re.IGNORECASE)


VERBS = _words("verbs")
FINITE = VERBS | _words("bare_verbs")
OPENINGS = _words("openings")
GENERIC = _words("generic")

CONNECTIVE = _beginning("connectives")
EMPTY_TALK = _beginning("empty_talk")
EXAMPLE = _beginning("examples")
LOOKING_BACK = _beginning("looking_back", r"\b")
NO_SUBJECT = _beginning("no_subject", r"\b")
UNSPOKEN_LABEL = _beginning("unspoken_labels", "$")

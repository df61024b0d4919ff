"""What a résumé and a job description say about an interview: which topics, and what to open with.

The texts stay in one folder of the person's; what is made of them are the order of topics in a plan and one line
that the warm-up quotes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from knowledge.documents.formats.sandboxed import Limits
from knowledge.documents.reader import BlockKind, read
from knowledge.model import Hit
from rubric.grading.prompts import INVISIBLE
from serving import paths
from serving.atomic import write_atomic
from serving.errors import ServiceMissingError, StorageError
from serving.frozen import FrozenModel

# A line less alike to every question than this speaks of something else.
_ALIKE = 0.35
_HITS = 5
_MOST_LINES = 80
_LONGEST_LINE = 300
"""Characters of a line that count: a line of a résumé has a hundred, and an embedder reads no more of it anyway."""

_LIMITS = Limits(memory=2**30, cpu_s=30, wall_s=60.0, text=2**20)
"""What reading a résumé may take: somebody waits for it, and it has a few pages."""

_MOST_TOPICS = 5

_OPENING_WORDS = range(6, 31)
_DID = re.compile(
    r"^(i )?(also )?(built|build|developed|designed|implemented|trained|led|wrote|created|optimi[sz]ed|reduced"
    r"|improved|deployed|shipped|migrated|scaled|fine-?tuned|introduced|launched|accelerated|profiled|cut|halved|ported|owned)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"^[\s\-*+•–—·▪◦]+")


class Index(Protocol):
    """Finds questions; ``knowledge.index.question_index.QuestionIndex`` is one."""

    @property
    def complete(self) -> bool:
        """Whether a search answers at once."""
        ...

    def search(self, text: str, k: int) -> list[Hit]:
        """The ``k`` nearest to a text, best first."""
        ...


class Background(FrozenModel):
    """What was found.

    Attributes:
        topics: topics of the questions that the lines are most alike to, the most first.
        opening: something the person did, in their own words; empty where there is none.

    """

    topics: tuple[str, ...] = ()
    opening: str = ""


def lines_of(path: Path) -> tuple[str, ...]:
    """The lines of a document that say something, in order; of very long ones the beginning.

    Characters that hide words or turn their direction are left out.

    Raises:
        BadInputError: the document cannot be read, or takes more than a résumé may.

    """
    document = read(path, limits=_LIMITS)
    kept = (block.text for block in document.blocks if block.kind is not BlockKind.CODE)
    lines = (
        _MARK.sub("", INVISIBLE.sub("", line)[:_LONGEST_LINE]).strip() for text in kept for line in text.splitlines()
    )
    return tuple(line for line in lines if len(line.split()) >= 3)


def background(lines: Sequence[str], index: Index) -> Background:
    """What lines of a résumé or a job description say about an interview.

    Every line votes for the topics of the questions nearest to it, with its similarity.

    Raises:
        ServiceMissingError: the embedding model is not there, or the index is still being made.

    """
    if not index.complete:
        raise ServiceMissingError(
            "The question index is still being made, so nothing can be compared with it.", hint="Try again in a minute."
        )
    votes: Counter[str] = Counter()
    for line in lines[:_MOST_LINES]:
        for hit in index.search(line, _HITS):
            if hit.similarity >= _ALIKE:
                votes[hit.question.topic] += round(1000 * hit.similarity)
    topics = tuple(topic for topic, _ in votes.most_common(_MOST_TOPICS))
    return Background(topics=topics, opening=opening(lines))


def opening(lines: Sequence[str]) -> str:
    """What the person did, by their own account: of the lines that begin with it the one that says most."""
    done = [line for line in lines if _DID.match(line) and len(line.split()) in _OPENING_WORDS]
    return max(done, key=lambda line: (any(c.isdigit() for c in line), len(line)), default="").rstrip(" .;,")


def keep(background_: Background, folder: Path) -> None:
    """Store what was found, in place of what was there.

    Raises:
        StorageError: the disk refused.

    """
    write_atomic(paths.made(folder) / _FILE, background_.model_dump_json())


def kept(folder: Path) -> Background:
    """What was found earlier; nothing where there was nothing."""
    try:
        return Background.model_validate_json((folder / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Background()


def forget(folder: Path) -> bool:
    """Delete what was found; whether there was anything.

    Raises:
        StorageError: the disk refused.

    """
    try:
        (folder / _FILE).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageError(f"{folder / _FILE} cannot be deleted: {error.strerror}.") from error
    return True


_FILE = "background.json"

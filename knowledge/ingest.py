"""Files and folders -> questions in the index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from knowledge.bank import BANK, load_file
from knowledge.extract import questions
from knowledge.index import QuestionIndex
from knowledge.model import Question
from knowledge.readers import SUFFIXES, read
from serving.errors import BadInputError

BANK_SOURCE = "bank/"
"""What the sources of the product's own questions begin with; no path of a person's document does, being absolute."""


def ingest(paths: Sequence[Path], index: QuestionIndex) -> list[Question]:
    """Reads documents into the index; the questions found, in the order of the paths.

    A document that was read before has its own questions replaced and no others. Everything is read before
    anything is written.

    Args:
        paths: Markdown and text files, and folders that are searched for them at any depth.
        index: gets the questions, one source a file.

    Raises:
        BadInputError: a path is missing, unreadable, no text, or a folder without documents.
        BadLineError: a structured entry is malformed.
        StorageError: the disk refused; nothing was changed.

    """
    found: dict[str, list[Question]] = {}
    for path in paths:
        for file in _files(path):
            found[_source(file)] = _questions(file)
    index.replace_all(found)
    return [question for of_file in found.values() for question in of_file]


def sync_bank(index: QuestionIndex, folder: Path = BANK) -> None:
    """Makes the index hold exactly the product's own questions besides those of documents.

    This takes no time: what is new gets its vectors from ``catch_up`` or at the next search.

    Raises:
        BadLineError: an entry of the bank is malformed.
        StorageError: the disk refused; nothing was changed.

    """
    gone: dict[str, list[Question]] = {source: [] for source in index.sources() if source.startswith(BANK_SOURCE)}
    now = {f"{BANK_SOURCE}{file.name}": load_file(file) for file in sorted(folder.glob("*.md"))}
    index.replace_all({**gone, **now}, embed=False)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        files = [
            file
            for file in sorted(path.rglob("*"))
            if file.suffix.lower() in SUFFIXES
            and file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        ]
        if not files:
            raise BadInputError(f"{path} holds no documents.", hint=_KNOWN)
        yield from files
    elif path.exists() and path.suffix.lower() not in {*SUFFIXES, ""}:
        raise BadInputError(f"{path} cannot be read: {path.suffix} files are not known.", hint=_KNOWN)
    else:
        yield path


_KNOWN = f"Documents are Markdown and plain text: {', '.join(sorted(SUFFIXES))}."


def _source(file: Path) -> str:
    return f"{BANK_SOURCE}{file.name}" if _in_bank(file) else str(file.resolve())


def _in_bank(file: Path) -> bool:
    return file.resolve().parent == BANK.resolve()


def _questions(file: Path) -> list[Question]:
    return load_file(file) if _in_bank(file) else questions(read(file))

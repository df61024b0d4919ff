"""Files and folders -> questions in the index.

What can be read is written in one step behind all reading, so whatever ends it before leaves the index as it was.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from knowledge.bank.parser import BANK, load_file
from knowledge.code.review.review import ReviewedQuestions, review_code
from knowledge.documents.formats.registry import known, suffixes
from knowledge.documents.formats.result import MAX_ANSWER, MAX_QUESTIONS, excess, too_many
from knowledge.documents.reader import document_of, load
from knowledge.extraction.extractor import questions
from knowledge.index.disk_store import SourceEntry, digest_of
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion import manifest
from knowledge.ingestion.manifest import ManifestEntry, reader_version
from knowledge.model import Question
from serving.errors import BadInputError, InterviewerError
from serving.frozen import FrozenModel
from serving.progress import Progress, silent
from serving.sandbox.batch_runner import Sandbox

_LOG = logging.getLogger(__name__)

BANK_SOURCE = "bank/"
"""What the sources of the product's own questions begin with; no path of a person's document does, being absolute."""

MOST_IN_ALL = 20_000
"""Questions of the person's own documents together; see ``knowledge.documents.formats.result.MAX_QUESTIONS``."""

_EXAMINED = "examined"

# Places of what was left out that are named; the others are counted.
_NAMED = 3


class Outcome(StrEnum):
    """What became of a file."""

    READ = "read"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    FAILED = "failed"
    SKIPPED = "skipped"


class FileReport(FrozenModel):
    """What became of one file.

    Attributes:
        path: as the person named it, or found in a folder they named.
        outcome: what became of it.
        questions: number of its questions in the index now; of those taken out where it was removed.
        why: a sentence about what is wrong where it failed or was skipped, else empty.
        hint: what the person can do about it; may be empty.
        left_out: a sentence about questions that are too long to be one; empty where there was none.

    """

    path: str
    outcome: Outcome
    questions: int = 0
    why: str = ""
    hint: str = ""
    left_out: str = ""

    @property
    def said(self) -> str:
        """The report in one line for a person."""
        count = "1 question" if self.questions == 1 else f"{self.questions} questions"
        return {
            Outcome.READ: f"{self.path}: {count}" + (f". {self.left_out}" if self.left_out else ""),
            Outcome.UNCHANGED: f"{self.path}: {count}, unchanged",
            Outcome.REMOVED: f"{self.path} is gone: {count} removed",
            Outcome.SKIPPED: f"{self.why} {self.hint}",
            Outcome.FAILED: " ".join(f"{self.why} {self.hint}".split())
            + (f" The {count} read from it before stay." if self.questions else ""),
        }[self.outcome]


class IngestReport(FrozenModel):
    """What became of everything that was given.

    Attributes:
        files: one report a file, in the order given.
        questions: the questions of the files read and unchanged, in that order.
        unmade: what could not be checked of the files read, one sentence each; empty where everything was.

    """

    files: tuple[FileReport, ...] = ()
    questions: tuple[Question, ...] = ()
    unmade: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[FileReport, ...]:
        """The files that could not be used."""
        return tuple(file for file in self.files if file.outcome is Outcome.FAILED)


class _Taken(NamedTuple):
    """A file as taken in: its report, and what is to be written of it, if anything."""

    report: FileReport
    source: str
    entry: ManifestEntry | None = None
    questions: tuple[Question, ...] = ()
    unmade: tuple[str, ...] = ()


def ingest(paths: Sequence[Path], index: QuestionIndex, tell: Progress = silent) -> IngestReport:
    """Reads documents into the index.

    A document that was read before has its own questions replaced and no others; one whose bytes did not change is
    not read again. The questions of documents that are gone from a folder given are removed. A document that cannot
    be used is named in the report and does not stop the others. The code of documents is executed in a sandbox, and
    what is dated or wrong is flagged; where there is no sandbox, that part is left out and made up for as soon as the
    document is given again and there is one.

    Args:
        paths: documents, and folders that are searched for them at any depth.
        index: gets the questions, one source a file.
        tell: hears how far it is.

    Raises:
        StorageError: the disk refused; nothing was changed.

    """
    shelves = index.shelves()
    entries = manifest.load(index.folder)
    # One for all documents: torch, which it imports, takes seconds.
    with Sandbox() as sandbox:
        taken = _taken(list(_files(paths, shelves)), index, entries, sandbox, tell)
    gone = [
        _removed(source, shelves.get(source)) for source in _gone(paths, [*shelves, *entries]) if source not in taken
    ]
    _write(index, [*taken.values(), *gone], tell)
    return IngestReport(
        files=tuple(one.report for one in (*taken.values(), *gone)),
        questions=tuple(question for one in taken.values() for question in one.questions),
        unmade=tuple(dict.fromkeys(sentence for one in taken.values() for sentence in one.unmade)),
    )


def _taken(
    files: Sequence[tuple[Path, BadInputError | None]],
    index: QuestionIndex,
    entries: Mapping[str, ManifestEntry],
    sandbox: Sandbox,
    tell: Progress,
) -> dict[str, _Taken]:
    """What becomes of each file, by its source."""
    shelves = index.shelves()
    taken: dict[str, _Taken] = {}
    held = {source: len(shelf.questions) for source, shelf in shelves.items() if not is_bank(source)}
    for number, (path, trouble) in enumerate(files):
        tell(f"Reading {path.name}", number / len(files))
        if isinstance(trouble, _LinkError):
            taken[str(path.absolute())] = _skipped(path, trouble)
            continue
        source = _source(path)
        before = shelves.get(source)
        if trouble is not None:
            taken[source] = _failed(path, source, trouble, before)
        elif source not in taken:
            one = _take(path, source, before, entries.get(source), memory=index.folder / _EXAMINED, sandbox=sandbox)
            others = sum(count for name, count in held.items() if name != source)
            if one.report.outcome is Outcome.READ and others + len(one.questions) > MOST_IN_ALL and one.questions:
                one = _failed(path, source, _too_many_in_all(path, len(one.questions), others), before)
            held[source] = len(one.questions) if one.report.outcome is Outcome.READ else held.get(source, 0)
            taken[source] = one
    return taken


def is_bank(source: str) -> bool:
    """Returns whether a source is one of the product's own documents."""
    return source.startswith(BANK_SOURCE)


def sync_bank(index: QuestionIndex, folder: Path = BANK) -> None:
    """Makes the index hold exactly the product's own questions besides those of documents.

    This takes no time: files that did not change are not read again, and what is new gets its vectors from
    ``catch_up`` or at the next search.

    Raises:
        BadLineError: an entry of the bank is malformed.
        StorageError: the disk refused; nothing was changed.

    """
    shelves, known = index.shelves(), manifest.load(index.folder)
    now: dict[str, Sequence[Question]] = {source: () for source in shelves if is_bank(source)}
    entries: dict[str, ManifestEntry | None] = dict.fromkeys(now)
    for file in sorted(folder.glob("*.md")):
        source = f"{BANK_SOURCE}{file.name}"
        data = file.read_bytes()
        held = shelves[source].digest if source in shelves else ""
        if held and known.get(source) == _entry(data, held):
            del now[source], entries[source]
            continue
        now[source] = load_file(file)
        entries[source] = _entry(data, digest_of(now[source]))
    if now:
        index.replace_all(now, embed=False)
        manifest.update(index.folder, entries)


def _take(
    path: Path, source: str, before: SourceEntry | None, entry: ManifestEntry | None, *, memory: Path, sandbox: Sandbox
) -> _Taken:
    """A file taken in: read and examined, or found unchanged, or not usable."""
    try:
        data = load(path)
        if entry == _entry(data, before.digest if before else ""):
            same = before.questions if before else ()
            report = FileReport(path=str(path), outcome=Outcome.UNCHANGED, questions=len(same))
            return _Taken(report, source, None, same)
        examined, left_out = _examined(data, path, memory, sandbox)
    except BadInputError as error:
        return _failed(path, source, error, before)
    except InterviewerError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours must not keep the other documents from being read
        _LOG.exception("reading %s broke", path)
        broke = BadInputError(
            f"{path} could not be read: it triggers a fault in this program ({type(error).__name__}).",
            hint="The log says where.",
        )
        return _failed(path, source, broke, before)
    found = examined.questions
    report = FileReport(path=str(path), outcome=Outcome.READ, questions=len(found), left_out=left_out)
    now = _entry(data, digest_of(found) if found else "")
    return _Taken(report, source, None if examined.unmade else now, found, examined.unmade)


def _entry(data: bytes, questions: str) -> ManifestEntry:
    """The entry of a file read now.

    Args:
        data: its bytes.
        questions: ``digest_of`` the questions found; empty where there were none.

    """
    return ManifestEntry(content=hashlib.sha256(data).hexdigest(), reader=reader_version(), questions=questions)


def _examined(data: bytes, path: Path, memory: Path, sandbox: Sandbox) -> tuple[ReviewedQuestions, str]:
    """The questions of a file, the references of documents examined; what our own bank says is held to its tests.

    Returns:
        The questions, and a sentence about those that are too long to be one; empty where there are none.

    Raises:
        BadInputError: the file cannot be used, or holds too many.

    """
    if _in_bank(path):
        return ReviewedQuestions(questions=tuple(load_file(path))), ""
    document = document_of(data, path)
    found = questions(document)
    if len(found) > MAX_QUESTIONS:
        refused = too_many(len(found)).refused
        raise BadInputError(f"{path} {refused.why}.", hint=refused.hint)
    kept, long = [], list(document.left_out)
    for question in found:
        why = _too_long(question)
        if why:
            long.append(f"{question.source.model_copy(update={'section': ()}).place.removeprefix(f'{path}, ')}: {why}")
        else:
            kept.append(question)
    lines = document.lines if document.is_text else ()
    return review_code(kept, lines, memory, sandbox), _left_out(long)


def _too_long(question: Question) -> str:
    """Which part of a question is longer than it may be; empty where none is."""
    rest = len(question.model_dump_json()) - len(question.text)
    why = excess(question.text, question.reference, question.topic, question.title, *question.source.section)
    # Everything is kept more than once: code beside the reference, the text as it is spoken.
    return why or (f"what belongs to it has {rest:,} characters" if rest > 5 * MAX_ANSWER else "")


def _left_out(long: Sequence[str]) -> str:
    if not long:
        return ""
    more = f" and {len(long) - _NAMED} more" if len(long) > _NAMED else ""
    return f"Left out as too long to be a question: {'; '.join(long[:_NAMED])}{more}."


def _too_many_in_all(path: Path, count: int, others: int) -> BadInputError:
    return BadInputError(
        f"{path} was left out: with its {count:,} questions there would be {count + others:,} of your own, and at "
        f"most {MOST_IN_ALL:,} can be kept.",
        hint="Take documents that you no longer need out of their folder and read it again.",
    )


def _skipped(path: Path, why: BadInputError) -> _Taken:
    report = FileReport(path=str(path), outcome=Outcome.SKIPPED, why=why.message, hint=why.hint)
    return _Taken(report, str(path.absolute()))


def _failed(path: Path, source: str, error: BadInputError, before: SourceEntry | None) -> _Taken:
    count = len(before.questions) if before else 0
    return _Taken(
        FileReport(path=str(path), outcome=Outcome.FAILED, questions=count, why=error.message, hint=error.hint), source
    )


def _removed(source: str, before: SourceEntry | None) -> _Taken:
    count = len(before.questions) if before else 0
    return _Taken(FileReport(path=source, outcome=Outcome.REMOVED, questions=count), source)


def _write(index: QuestionIndex, taken: Sequence[_Taken], tell: Progress) -> None:
    """Writes what was read and takes out what is gone, in one step; then says so in the ledger."""
    changed = [one for one in taken if one.report.outcome in {Outcome.READ, Outcome.REMOVED}]
    if changed:
        index.replace_all({one.source: one.questions for one in changed}, tell=tell)
        manifest.update(index.folder, {one.source: one.entry for one in changed})


def _files(paths: Sequence[Path], shelves: dict[str, SourceEntry]) -> Iterator[tuple[Path, BadInputError | None]]:
    """The documents among the paths given and in the folders among them; with an error where there are none.

    A symbolic link in a folder is not followed, and comes with an error that says so: whoever made the folder may have
    wanted to have another file of the person's read. A link that the person named is what they want to have read.
    """
    for path in paths:
        if not path.is_dir():
            yield path, None
            continue
        found = [
            file
            for file in sorted(path.rglob("*"))
            if (file.suffix.lower() in suffixes() or (file.is_symlink() and file.is_dir()))
            and not any(part.startswith((".", "~$")) for part in file.relative_to(path).parts)
            and (file.is_symlink() or not file.is_dir())
        ]
        yield from ((file, _LinkError(file) if file.is_symlink() else None) for file in found)
        if not found and not any(_gone([path], shelves)):
            yield path, BadInputError(f"{path} holds no documents.", hint=known())


class _LinkError(BadInputError):
    """A symbolic link in a folder."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} is a symbolic link and was not followed.", hint="To have it read, name its target.")


def _gone(paths: Sequence[Path], sources: Sequence[str] | dict[str, SourceEntry]) -> Iterator[str]:
    """The sources whose files stood in the folders given and are no more."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    for source in dict.fromkeys(sources):
        file = Path(source)
        if file.is_absolute() and any(file.is_relative_to(folder) for folder in folders) and _is_gone(file):
            yield source


def _is_gone(file: Path) -> bool:
    """Whether there surely is no such file; one that cannot be looked at may be there."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _source(file: Path) -> str:
    return f"{BANK_SOURCE}{file.name}" if _in_bank(file) else str(file.resolve())


def _in_bank(file: Path) -> bool:
    return file.resolve().parent == BANK.resolve()

"""The person's own documents as they stand in the index: which there are, what they ask, and taking one out."""

from __future__ import annotations

from pathlib import Path

from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion import manifest
from knowledge.ingestion.pipeline import is_bank
from serving.errors import BadInputError, StorageError
from serving.frozen import FrozenModel


class OwnQuestion(FrozenModel):
    """One question of a document.

    Attributes:
        id: of the question.
        text: in the document's words.
        merged_into: the question that asks the same and is asked in its place along with ours; empty where none is.
            Of the person's own documents alone it is always asked itself.

    """

    id: str
    text: str
    merged_into: str = ""


class OwnDocument(FrozenModel):
    """One document.

    Attributes:
        source: its name in the index, an absolute path.
        path: as the places of its questions name it; what ``Plan.documents`` holds.
        questions: what it asks, in its order.

    """

    source: str
    path: str
    questions: tuple[OwnQuestion, ...]

    @property
    def name(self) -> str:
        """Its file's name."""
        return Path(self.source).name


class OwnDocuments:
    """The documents of one person.

    Args:
        index: holds their questions.
        folder: where files given through the page are kept; one of these is deleted when it is taken out.

    """

    def __init__(self, index: QuestionIndex, folder: Path) -> None:
        self._index = index
        self._folder = folder

    def all(self) -> tuple[OwnDocument, ...]:
        """Every document with questions, in the order in which they came."""
        shelves = [shelf for name, shelf in self._index.shelves().items() if not is_bank(name)]
        if not shelves:
            return ()
        leads = self._leads()
        return tuple(
            OwnDocument(
                source=shelf.source,
                path=shelf.questions[0].source.path,
                questions=tuple(
                    OwnQuestion(id=held.id, text=held.text, merged_into=leads.get(held.id, ""))
                    for held in shelf.questions
                ),
            )
            for shelf in shelves
            if shelf.questions
        )

    def remove(self, source: str) -> None:
        """Take a document's questions out of the index; a file that the page keeps is deleted.

        Raises:
            BadInputError: there is no such document.
            StorageError: the disk refused.

        """
        if is_bank(source) or source not in self._index.sources():
            raise BadInputError("This document is not there any more.", hint="Reload the page.")
        self._index.replace(source, ())
        manifest.update(self._index.folder, {source: None})
        file = Path(source)
        if file.is_relative_to(self._folder.resolve()):
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise StorageError(f"{file} cannot be deleted: {error.strerror}.") from error

    def _leads(self) -> dict[str, str]:
        """The text of the lead, by the id of each question that another one stands for."""
        return {
            reference.question_id: lead.text
            for lead in self._index.leads()
            for reference in self._index.references(lead.id)[1:]
        }

"""Every error this product raises on purpose, as one tree.

    InterviewerError
    ├── BadInputError            the person gave something we cannot use      exit status 2
    │   ├── BadLineError         … in a given line of a given file
    │   └── KeyRefusedError      a service wants another key
    ├── ServiceMissingError      a needed service is not there                exit status 3
    │   ├── ModelMissingError    a model could not be fetched, verified or converted
    │   ├── ServerStartError     the model server did not come up
    │   ├── ServerGoneError      the model server stopped answering (retryable)
    │   └── SandboxMissingError  code nobody vouches for cannot be executed here
    ├── ProtocolError            a service answered with something we do not understand
    └── StorageError             the disk refused: full, read-only, not ours   exit status 3
        ├── DamagedError         what was stored is not what was written
        └── NewerError           a newer version of this program has stored what this one does not know

Each carries a sentence that says what happened and to what, and a hint that says what to do about it.
"""

from __future__ import annotations

from pathlib import Path


class InterviewerError(Exception):
    """Base of all errors of this product.

    Attributes:
        hint: what the person can do about it, one sentence, may be empty.
        exit_status: what a command ends with when this error reaches its top.
        retryable: whether the same call may succeed later with nothing changed.

    """

    exit_status = 1
    retryable = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def message(self) -> str:
        """The sentence without the hint."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class BadInputError(InterviewerError):
    """The person gave something that cannot be used; nothing was changed."""

    exit_status = 2


class BadLineError(BadInputError):
    """A line of a file cannot be used.

    Args:
        path: the file.
        line: the line's number, counted from 1.
        why: what is wrong with it.

    """

    def __init__(self, path: Path | str, line: int, why: str, *, hint: str = "") -> None:
        super().__init__(f"{path}, line {line}: {why}", hint=hint)
        self.path = Path(path)
        self.line = line


class KeyRefusedError(BadInputError):
    """A service wants another key than the one that it was brought."""


class ServiceMissingError(InterviewerError):
    """A service that is needed for this is not there."""

    exit_status = 3


class ModelMissingError(ServiceMissingError):
    """A model could not be fetched, verified or converted."""


class ServerStartError(ServiceMissingError):
    """A model server did not come up."""


class ServerGoneError(ServiceMissingError):
    """A model server stopped answering; it is being restarted, so try again."""

    retryable = True


class ServerStoppingError(ServerGoneError):
    """A model server is stopping: it finishes what it has begun and takes nothing new."""


class SandboxMissingError(ServiceMissingError):
    """Code that nobody vouches for cannot be executed here, so it is not."""


class ProtocolError(InterviewerError):
    """A service answered with something that is not its protocol; what it said is not used."""


class NotOfferedError(ProtocolError):
    """A service answered, and does not offer what was asked for; it may be asked in another way."""


class StorageError(InterviewerError):
    """The disk or the database refused: full, read-only, not ours, or away."""

    exit_status = 3


class DamagedError(StorageError):
    """What was stored is not what was written; trying again does not help."""


class NewerError(StorageError):
    """A newer version of this program has stored what this one does not know; this one leaves it as it is."""


def is_retryable(error: BaseException) -> bool:
    """Whether the same call may succeed later with nothing changed."""
    return isinstance(error, InterviewerError) and error.retryable

"""Spans of what the program does, for OpenTelemetry but without its libraries: names, ids, counts, times; never a text.

Nothing is recorded before ``use`` was given what records (``serving.observation.trace_export``). Until then a span
costs as much as calling a function does. Which interview is being worked on is known in any case, for logs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from time import time_ns
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

Value = str | int | float | bool
Attributes = Mapping[str, Value]
Kind = Literal["internal", "server", "client", "consumer"]

INTERVIEW = "interview.id"
"""Attribute of every span with the id of the interview that was worked on."""

QUESTION = "question.id"
"""Attribute with the id of a question."""

_T = TypeVar("_T")


class Span(Protocol):
    """A piece of work while it is done."""

    def set(self, name: str, value: Value) -> None:
        """Note what was found out about it; a string has to be an id or the name of something, and no text."""
        ...


class Tracer(Protocol):
    """Records spans."""

    def span(
        self, name: str, kind: Kind, attributes: Attributes, received: Mapping[str, str] | None
    ) -> AbstractContextManager[Span]:
        """A span around a block, below the one that is open here, or below a caller's that its headers name."""
        ...

    def past(self, name: str, begun: int, attributes: Attributes) -> None:
        """Record a span that ends now, given when it began."""
        ...

    def here(self) -> object:
        """What names the open span, for ``back_at`` in another thread."""
        ...

    def back_at(self, place: object) -> AbstractContextManager[None]:
        """Have spans of a block stand below the span that was open somewhere else."""
        ...

    def headers(self) -> dict[str, str]:
        """Headers that name the open span to the server that is called."""
        ...

    def ids(self) -> tuple[str, str] | None:
        """Ids of the open span's trace and of the span, in hexadecimal digits; ``None`` where none is open."""
        ...


class Place(NamedTuple):
    """Where work was handed to another thread.

    Attributes:
        interview: the interview that was worked on; empty where there was none.
        context: what the tracer names its open span with.

    """

    interview: str
    context: object


class _Nothing:
    """The span where nothing is recorded."""

    def set(self, name: str, value: Value) -> None:
        """See ``Span``."""

    def __enter__(self) -> Span:
        return self

    def __exit__(self, *_: object) -> None:
        return None


_NOTHING = _Nothing()
_tracer: Tracer | None = None
_interview: ContextVar[str] = ContextVar("interview", default="")


def use(tracer: Tracer | None) -> None:
    """Have spans recorded from now on, or no longer."""
    global _tracer  # noqa: PLW0603 - one for the process, like the counters of serving.metrics
    _tracer = tracer


def span(
    name: str, attributes: Attributes | None = None, kind: Kind = "internal", received: Mapping[str, str] | None = None
) -> AbstractContextManager[Span]:
    """A span around a block, below the one that is open here; nothing where nothing is recorded.

    An exception that leaves the block is noted by its class alone.

    Args:
        name: of the kind of work, the same whatever is worked on.
        attributes: what is known about it; a string has to be an id or the name of something, and no text.
        kind: what it is for those around it.
        received: the headers of the request that is answered, which may name a span of its sender.

    """
    if _tracer is None:
        return _NOTHING
    return _tracer.span(name, kind, attributes or {}, received)


def part(name: str, attributes: Attributes | None = None) -> AbstractContextManager[Span]:
    """A span around a block where one is open around it already, else nothing: of what is also done again and again."""
    return _NOTHING if ids() is None else span(name, attributes)


def now() -> int:
    """The time, in nanoseconds since 1970."""
    return time_ns()


def past(name: str, begun: int, attributes: Attributes | None = None) -> None:
    """Record a span that ends now.

    Args:
        name: of the kind of work.
        begun: when it began, as ``now`` told it, in nanoseconds.
        attributes: see ``span``.

    """
    if _tracer is not None:
        _tracer.past(name, begun, attributes or {})


def here() -> Place:
    """Where this thread is; for ``back_at`` in the thread that goes on with the work."""
    return Place(_interview.get(), None if _tracer is None else _tracer.here())


@contextmanager
def back_at(place: Place) -> Iterator[None]:
    """Go on in this thread with what was handed over in another one."""
    with about(place.interview):
        if _tracer is None or place.context is None:
            yield
        else:
            with _tracer.back_at(place.context):
                yield


@contextmanager
def about(interview: str) -> Iterator[None]:
    """Name the interview that is worked on in a block, for its spans and for what is logged meanwhile."""
    before = _interview.set(interview)
    try:
        yield
    finally:
        _interview.reset(before)


def interview() -> str:
    """Id of the interview that is worked on here; empty where none is."""
    return _interview.get()


def headers() -> dict[str, str]:
    """Headers for a request to another server, which name the open span in the way of W3C Trace Context."""
    return {} if _tracer is None else _tracer.headers()


def ids() -> tuple[str, str] | None:
    """Ids of the open span's trace and of the span; ``None`` where none is open."""
    return None if _tracer is None else _tracer.ids()


def requests(*names: str) -> Callable[[type[_T]], type[_T]]:
    """Have each call of some methods of a class recorded as a person's request.

    Args:
        names: of the methods; they take an interview's id first, or return one.

    """

    def traced(cls: type[_T]) -> type[_T]:
        for name in names:
            setattr(cls, name, _request(f"interview.{name}", getattr(cls, name)))
        return cls

    return traced


def _request(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: object, *given: Any, **named: Any) -> Any:
        session = given[0] if given and isinstance(given[0], str) else ""
        with about(session or _interview.get()), span(name, kind="server") as request:
            result = method(self, *given, **named)
            if isinstance(result, str):
                request.set(INTERVIEW, result)
            return result

    return call

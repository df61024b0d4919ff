"""Lets the page's library be imported in half the time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LIBRARY = "gradio."
_AGENTS = "mcp"


@contextmanager
def quick_import() -> Iterator[None]:
    """While this is open, Gradio is imported without what the page never uses.

    - Gradio writes a type stub beside each of its components whenever these are imported, and parses the component's
      source for it. It leaves that out where a component has no source file, and is told so.
    - Its server for agents takes along the package ``mcp``, where another package has brought that; without it Gradio
      only lacks that server.
    """
    real = inspect.getfile

    def getfile(thing: Any) -> str:
        if isinstance(thing, type) and thing.__module__.startswith(_LIBRARY):
            raise OSError("no stub is wanted")
        return real(thing)

    hides = _AGENTS not in sys.modules
    inspect.getfile = getfile  # type: ignore[assignment]
    if hides:
        sys.modules[_AGENTS] = None  # type: ignore[assignment]  # what Python takes for a package that is not there
    try:
        yield
    finally:
        inspect.getfile = real
        if hides:
            del sys.modules[_AGENTS]

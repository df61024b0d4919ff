"""The fuzz targets by name. A new one is a module with a context manager that yields a ``Target``, and a line here."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module

from tests.fuzz.target import Target

TARGETS = {
    "documents": "tests.fuzz.documents:opened",
    "frames": "tests.fuzz.frames:opened",
    "journal": "tests.fuzz.journal:opened",
    "page": "tests.fuzz.page:opened",
}
"""Where the context manager of each target is: ``module:function``."""


def opened(name: str) -> AbstractContextManager[Target]:
    """Returns a context in which a target is ready.

    Raises:
        KeyError: there is no such target.

    """
    module, function = TARGETS[name].split(":")
    context: AbstractContextManager[Target] = getattr(import_module(module), function)()
    return context

"""Lets the page's library be imported in half the time."""

from __future__ import annotations

import functools
import importlib
import inspect
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from jinja2 import Template

_LIBRARY = "gradio."
_UNUSED = ("mcp", "email_validator")
_LATER = ("pandas", "gradio.external_utils")


class _Later(ModuleType):
    """A module that is imported when something in it is first used."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


class _Unwritten:
    """Stands in for a template of which nobody reads what it makes."""

    def render(self, **_: object) -> str:
        """Nothing."""
        return ""


@contextmanager
def quick_import() -> Iterator[None]:
    """While this is open, Gradio is imported without what the page never uses.

    - Gradio writes a type stub beside each of its components whenever these are imported, and parses the component's
      source for it. It leaves that out where a component has no source file, and is told so.
    - Its server for agents takes along the package ``mcp``, where another package has brought that; without it Gradio
      only lacks that server. FastAPI takes along ``email_validator``, for the addresses in descriptions of interfaces.
    - It writes the documentation of every event of every component, each out of a template of its own.
    - It takes along pandas for tables, and what talks to models of Hugging Face for pages made of these. Ours has
      neither; should anybody want them, they are imported then.
    - It makes several clients for other servers, and reads all certificates of the web anew for each.
    """
    real, context, template = inspect.getfile, ssl.create_default_context, Template.__new__
    hidden: dict[str, Any] = {
        **dict.fromkeys(_UNUSED),  # what Python takes for packages that are not there
        **{name: _Later(name) for name in _LATER},
    }
    hidden = {name: instead for name, instead in hidden.items() if name not in sys.modules}

    def getfile(thing: Any) -> str:
        if isinstance(thing, type) and thing.__module__.startswith(_LIBRARY):
            raise OSError("no stub is wanted")
        return real(thing)

    inspect.getfile = getfile  # type: ignore[assignment]
    ssl.create_default_context = functools.cache(context)  # type: ignore[assignment]
    Template.__new__ = staticmethod(lambda *_, **__: _Unwritten())  # type: ignore[method-assign]
    sys.modules.update(hidden)
    try:
        yield
    finally:
        inspect.getfile, ssl.create_default_context = real, context
        Template.__new__ = staticmethod(template)  # type: ignore[method-assign]
        for name, instead in hidden.items():
            if sys.modules.get(name) is instead:
                sys.modules.pop(name, None)

"""The process that reads one document: ``python -m knowledge.documents.formats CONVERTER MEMORY CPU_SECONDS``.

The document comes on stdin. On stdout goes ``Converted`` with exit status 0, or ``Refused`` with status 2, as JSON.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from knowledge.documents.formats.encoding import too_long
from knowledge.documents.formats.result import MAX_TEXT, Converted, Refused, UnusableError


def main(converter: str, memory: int, cpu_s: int) -> int:
    """Reads the document within limits; the exit status."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    result = _converted(converter)
    sys.stdout.buffer.write(result.model_dump_json().encode())
    sys.stdout.flush()
    return 0 if isinstance(result, Converted) else 2


def _converted(converter: str) -> Converted | Refused:
    module, name = converter.split(":")
    reader: Callable[[bytes], Converted] = getattr(import_module(module), name)
    try:
        return _checked(reader(sys.stdin.buffer.read()))
    except UnusableError as error:
        return error.refused
    except RecursionError:
        return Refused(why="is nested too deeply")
    except MemoryError:
        return Refused(why="takes too much memory to read", hint="It is very large, or made to do harm.")
    except Exception as error:  # noqa: BLE001 - whatever a library raises means that it cannot read this document
        return Refused(why=f"is damaged, cut short or not what its name says ({_said(error)})")


def _checked(converted: Converted) -> Converted:
    characters = len(converted.text) + sum(len(pair.question) + len(pair.answer) for pair in converted.pairs)
    if characters > MAX_TEXT:
        raise too_long(characters)
    return converted


def _said(error: BaseException) -> str:
    """An error of a library in one line."""
    words: Any = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:200]}" if words else type(error).__name__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))

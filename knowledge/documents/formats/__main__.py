"""The process that reads one document: ``python -m knowledge.documents.formats CONVERTER RESTRICTIONS OWN``.

The document comes on stdin. On stdout goes JSON: ``ConvertedDocument`` with exit status 0, or
``ConversionRefused`` with status 2.
The last two arguments are JSON objects, of ``serving/sandbox/inside/confine.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from knowledge.documents.formats.encoding import too_long
from knowledge.documents.formats.result import MAX_TEXT, ConversionRefused, ConvertedDocument, UnusableError

_INSIDE = Path(__file__).parents[3] / "serving" / "sandbox" / "inside"


def main(converter: str) -> int:
    """Reads the document; the exit status."""
    result = _converted(converter)
    sys.stdout.buffer.write(result.model_dump_json().encode())
    sys.stdout.flush()
    return 0 if isinstance(result, ConvertedDocument) else 2


def confine(restrictions: str, own: str) -> None:
    """Restricts this process; see ``serving/sandbox/inside/confine.py``."""
    # What lies there stands alone: it imports its neighbors by their own names.
    sys.path.append(str(_INSIDE))
    import_module("confine").confine(json.loads(restrictions), json.loads(own))


def _converted(converter: str) -> ConvertedDocument | ConversionRefused:
    module, name = converter.split(":")
    reader: Callable[[bytes], ConvertedDocument] = getattr(import_module(module), name)
    try:
        return _checked(reader(sys.stdin.buffer.read()))
    except UnusableError as error:
        return error.refused
    except RecursionError:
        return ConversionRefused(why="is nested too deeply")
    except MemoryError:
        return ConversionRefused(why="takes too much memory to read", hint="It is very large, or made to do harm.")
    except Exception as error:  # noqa: BLE001 - whatever a library raises means that it cannot read this document
        return ConversionRefused(why=f"is damaged, cut short or not what its name says ({_said(error)})")


def _checked(converted: ConvertedDocument) -> ConvertedDocument:
    characters = len(converted.text) + sum(len(pair.question) + len(pair.answer) for pair in converted.pairs)
    if characters > MAX_TEXT:
        raise too_long(characters)
    return converted


def _said(error: BaseException) -> str:
    """An error of a library in one line."""
    words: Any = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:200]}" if words else type(error).__name__


if __name__ == "__main__":
    confine(sys.argv[2], sys.argv[3])
    sys.exit(main(sys.argv[1]))

"""The process that reads one document: ``python -m knowledge.documents.formats FORM RESTRICTIONS OWN``.

The document comes on stdin. On stdout goes ``Converted`` with exit status 0, or ``Refused`` with status 2, as JSON.
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
from knowledge.documents.formats.result import MAX_TEXT, Converted, Refused, UnusableError

_READERS = {
    "pdf": ("knowledge.documents.formats.pdf", "convert"),
    "html": ("knowledge.documents.formats.html", "convert"),
    "docx": ("knowledge.documents.formats.docx", "convert"),
    "notebook": ("knowledge.documents.formats.notebook", "convert"),
    "csv": ("knowledge.documents.formats.question_tables", "of_csv"),
    "json": ("knowledge.documents.formats.question_tables", "of_json"),
    "jsonl": ("knowledge.documents.formats.question_tables", "of_jsonl"),
}


_INSIDE = Path(__file__).parents[2] / "serving" / "sandbox" / "inside"


def main(form: str) -> int:
    """Reads the document; the exit status."""
    result = _converted(form)
    sys.stdout.buffer.write(result.model_dump_json().encode())
    sys.stdout.flush()
    return 0 if isinstance(result, Converted) else 2


def confine(restrictions: str, own: str) -> None:
    """Restricts this process; see ``serving/sandbox/inside/confine.py``."""
    # What lies there stands alone: it imports its neighbours by their own names.
    sys.path.append(str(_INSIDE))
    import_module("confine").confine(json.loads(restrictions), json.loads(own))


def _converted(form: str) -> Converted | Refused:
    module, name = _READERS[form]
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
    confine(sys.argv[2], sys.argv[3])
    sys.exit(main(sys.argv[1]))

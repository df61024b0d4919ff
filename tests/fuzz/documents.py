"""Fuzz target: files of every format, read, split into questions, and given rubrics.

An input is a file's ending, a line end, and its bytes. Reading runs in ``tests.fuzz.document_reader``, a process that
has imported the readers once and forks for each input, in the two steps that the product has: the reader's process
under its own limits, and what the product's own process does with what the reader gave. A reader may refuse, run out of
what it may use, or die; the second step may only refuse with an error of ours, and neither may take long.
"""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from random import Random

from knowledge.documents.formats.registry import suffixes
from tests.fuzz.mutate import mutated, mutated_json
from tests.fuzz.target import FoundError, Target

ROOT = Path(__file__).parents[2]
LARGEST = 400_000
"""Bytes of an input: with more, slow would say little."""

HOSTILE = (
    b"---\n" + b"a: " + b"[" * 5000 + b"\n---\nQ1. What?\n",
    b"---\nday: 2001-99-99\n---\nQ1. What is a day?\n",
    b"---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\nQ1. What?\n",
    b"Q1. " + b"[" * 4000 + b"?\n",
    b"> " * 2000 + b"Q1. What is it?\n",
    b"- " * 2000 + b"What?\n",
    b"*a **b " * 3000 + b"?\n",
    b"`" * 5000 + b"\n" + b"~" * 5000 + b"\nWhat?\n",
    b"|" * 5000 + b"\n" + b"|-" * 5000 + b"\n",
    b"1. What is " + b"very " * 20000 + b"long?\n",
    b"Q: a?\nA: b\n" * 5000,
    b"<div>" * 3000 + b"Q: a?",
    b"```python\n" + b"(" * 3000 + b"\n```\n",
    b"Q: a?\n```python\n" + b"x = " + b"-" * 20000 + b"1\n```\n",
    b"def f(x):\n" + b" " * 10000 + b"return x\n",
    ("Q1. " + "\u202e\u200b\u0301" * 3000 + "?\n").encode(),
)
"""Texts that are known to be hard for one kind of parser or another."""


class Documents:
    """The target; use ``opened``."""

    def __init__(self, reader: subprocess.Popen[bytes]) -> None:
        self._reader = reader

    @cached_property
    def _seeds(self) -> list[tuple[str, bytes]]:
        from tests.knowledge import stories
        from tests.knowledge.entry import ENTRY

        text = [stories.as_markdown(style).encode() for style in stories.STYLES]
        made = [(".md", each) for each in (*text, ENTRY.encode(), *HOSTILE)]
        made += [(".txt", each) for each in (*text[:2], *HOSTILE)]
        made += [(".html", stories.as_html(style).encode()) for style in stories.STYLES]
        made += [(".docx", stories.as_docx(style)) for style in ("numbered", "heading", "bold")]
        made += [(".pdf", stories.as_pdf(style)) for style in ("numbered", "heading")]
        made += [(".pdf", _plain_pdf())]
        rows = [{"question": text, "answer": "So.", "topic": section} for section, text in stories.QUESTIONS]
        made += [(".json", json.dumps(rows).encode()), (".jsonl", "\n".join(map(json.dumps, rows)).encode())]
        table = [",".join(rows[0]), *(",".join(f'"{value}"' for value in row.values()) for row in rows)]
        made += [(".csv", "\n".join(table).encode()), (".tsv", "\n".join(table).replace(",", "\t").encode())]
        made += [(".ipynb", json.dumps(_notebook(text[0].decode())).encode())]
        return made

    def make(self, rng: Random) -> bytes:
        """See ``Target.make``."""
        suffix, data = rng.choice(self._seeds)
        others = [other for ending, other in self._seeds if ending == suffix]
        if suffix == ".docx" and rng.random() < 0.8:
            changed = _repacked(data, rng)
        elif suffix in {".json", ".ipynb"} and rng.random() < 0.6:
            value = json.loads(data)
            for _ in range(rng.choice((1, 2, 5))):
                value = mutated_json(value, rng)
            changed = json.dumps(value).encode("utf-8", "replace")
        else:
            changed = mutated(data, rng, others)
        if rng.random() < 0.03:
            suffix = rng.choice(sorted(suffixes()))
        return suffix.encode() + b"\n" + changed[:LARGEST]

    def check(self, data: bytes) -> str:
        """See ``Target.check``."""
        assert self._reader.stdin is not None
        assert self._reader.stdout is not None
        self._reader.stdin.write(struct.pack("<I", len(data)) + data)
        self._reader.stdin.flush()
        line = self._reader.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that reads ended with status {self._reader.wait()}")
        told = json.loads(line)
        if told["wrong"]:
            raise FoundError(told["wrong"])
        return str(told["outcome"])


def _repacked(data: bytes, rng: Random) -> bytes:
    """A Word file with one of its parts changed, whole as an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = [name for name in parts if name.endswith((".xml", ".rels"))]
    name = "word/document.xml" if rng.random() < 0.6 else rng.choice(names)
    parts[name] = mutated(parts[name], rng, [parts[other] for other in names])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return out.getvalue()


def _plain_pdf() -> bytes:
    """A PDF whose pages are not compressed, so that a change of a byte is one of what is drawn."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=0)
    for number in range(1, 6):
        canvas.drawString(72, 800 - 40 * number, f"Q{number}. What is the meaning of dimension {number}?")
        canvas.drawString(72, 780 - 40 * number, "It is the axis along which one goes.")
    canvas.save()
    return out.getvalue()


def _notebook(text: str) -> dict[str, object]:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)},
        {"cell_type": "code", "metadata": {}, "source": "x = 1\nx", "outputs": [], "execution_count": 1},
    ]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"language": "python"}}, "cells": cells}


@contextmanager
def opened() -> Iterator[Target]:
    """The target with its process."""
    command = [sys.executable, "-m", "tests.fuzz.document_reader"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        try:
            yield Documents(reader)
        finally:
            assert reader.stdin is not None
            reader.stdin.close()

"""The process that reads fuzzed documents, and does with them what an interview does: see ``tests.fuzz.documents``.

Inputs come on stdin, each with its length before it (four bytes, little endian). For each, one line of JSON goes to
stdout: ``outcome``, and ``wrong`` where it did what it must never do.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from interviewer.dialogue.answer_leakage import secrets
from interviewer.dialogue.utterances import ask
from interviewer.session.plan import Plan
from interviewer.speech.speakable_text import speakable
from interviewer.web.safe_html import markdown
from knowledge.code.review.review import flags_of, marked_blocks
from knowledge.documents.formats import __main__ as child
from knowledge.documents.formats.encoding import decode
from knowledge.documents.formats.registry import FORMATS, format_of
from knowledge.documents.formats.result import ConversionRefused, ConvertedDocument, UnusableError
from knowledge.documents.formats.sandboxed import Limits
from knowledge.documents.reader import document_from, parse
from knowledge.extraction.extractor import questions
from rubric.authoring.derive import derive_rubric
from serving.errors import InterviewerError
from tests.fuzz.traces import traced

READING_CPU_S, USING_CPU_S = 20, 20
"""Seconds of computing after which a step on a small file counts as hanging."""

WAITING_S = 150.0
"""Seconds after which a step that neither computes nor waits for a processor counts as hanging."""

LIMITS = Limits()


class Ended:
    """How a forked step ended: its wait status and what it wrote."""

    def __init__(self, status: int, output: bytes, cpu_s: float, *, hung: bool) -> None:
        self.code = os.waitstatus_to_exitcode(status)
        self.output, self.cpu_s, self.hung = output, cpu_s, hung


def forked(step: Callable[[], int], data: bytes) -> Ended:
    """Run a step in a process of its own, with ``data`` on its stdin; what it writes to stdout is kept."""
    file = os.memfd_create("input")
    os.write(file, data) if data else None
    os.lseek(file, 0, os.SEEK_SET)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.setsid()
            os.dup2(file, 0)
            os.dup2(write, 1)
            os.close(read)
            sys.stdin = open(0, closefd=False)  # noqa: SIM115 - for the rest of this process
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - likewise
            status = step()
            sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            os.write(1, traced(error).encode("utf-8", "replace"))
        finally:
            os._exit(status)
    os.close(file)
    os.close(write)
    output, hung = _drained(read, pid)
    _, status, usage = os.wait4(pid, 0)
    return Ended(status, output, usage.ru_utime + usage.ru_stime, hung=hung)


def _drained(read: int, pid: int) -> tuple[bytes, bool]:
    """All that a process writes until it ends; whether it had to be ended."""
    import select

    begin, pieces = time.monotonic(), []
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while True:
            ready, _, _ = select.select([pipe], [], [], WAITING_S / 10)
            if not ready:
                if time.monotonic() - begin - _wanted_s(pid) < WAITING_S:
                    continue
                os.kill(pid, signal.SIGKILL)
                return b"".join(pieces), True
            if not (piece := pipe.read(1 << 16)):
                return b"".join(pieces), False
            pieces.append(piece)


def _wanted_s(pid: int) -> float:
    """Seconds in which a process computed, or would have on a machine with nothing else to do."""
    computed, queued, _ = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
    return (int(computed) + int(queued)) / 1e9


def used(make: Callable[[], object], suffix: str) -> Callable[[], int]:
    """What the product's own process does with a document that was read, as a step."""

    def step() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (USING_CPU_S, USING_CPU_S + 2))
        resource.setrlimit(resource.RLIMIT_AS, (LIMITS.memory * 2, LIMITS.memory * 2))
        try:
            document = make()
            found = questions(document)
            for question in found:
                marked = question.model_copy(update={"code": marked_blocks(question.code)})
                flags_of(marked, document.lines if document.is_text else ())
                speakable(marked.reference)
                ask(marked, 1, Plan(), after_skip=False)
                secrets(marked)
                markdown(marked.reference)
                # A reference may hold nothing that a rubric could be made of.
                with suppress(InterviewerError):
                    derive_rubric(marked.text, marked.reference, marked.kind)
        except (InterviewerError, UnusableError) as error:
            sys.stdout.write(f"refused: {str(error)[:100]}")
        else:
            sys.stdout.write(f"{min(len(found), 3)}{'+' if len(found) > 3 else ''} questions")
        return 0

    return step


def judged(suffix: str, data: bytes) -> dict[str, str]:
    """What became of a file."""
    found = format_of(suffix)
    if found is None:
        return {"outcome": "unknown ending", "wrong": ""}
    if not found.converter:
        path = Path(f"fuzz{suffix}")
        ended = forked(used(lambda: parse(decode(data), str(path)), suffix), b"")
        return _told(ended, suffix, "using")
    converter = found.converter
    read = forked(lambda: _read_within_limits(converter), data)
    if read.hung:
        return {"outcome": "", "wrong": f"reading a {suffix} waits for more than {WAITING_S:g} s"}
    if read.code == -signal.SIGXCPU:
        return {"outcome": "", "wrong": f"reading a {suffix} takes more than {READING_CPU_S} s of computing"}
    if read.code == 70:
        return {"outcome": "", "wrong": f"reading a {suffix} raised {read.output.decode()}"}
    if read.code < 0:
        return {"outcome": f"{suffix} reader died of signal {-read.code}", "wrong": ""}
    if read.code == 2:
        return _refused(suffix, read.output)
    converted = ConvertedDocument.model_validate_json(read.output)
    return _told(forked(used(lambda: document_from(converted, f"fuzz{suffix}"), suffix), b""), suffix, "using")


def _refused(suffix: str, output: bytes) -> dict[str, str]:
    why = ConversionRefused.model_validate_json(output).why
    if not why.isprintable():
        return {"outcome": "", "wrong": f"the reason for refusing a {suffix} has control characters: {why!r}"}
    return {"outcome": f"{suffix} refused", "wrong": ""}


def _told(ended: Ended, suffix: str, what: str) -> dict[str, str]:
    said = ended.output.decode("utf-8", "replace")
    if ended.hung:
        return {"outcome": "", "wrong": f"{what} a {suffix} waits for more than {WAITING_S:g} s"}
    if ended.code == -signal.SIGXCPU:
        return {"outcome": "", "wrong": f"{what} a {suffix} takes more than {USING_CPU_S} s of computing"}
    if ended.code != 0:
        how = f"died of signal {-ended.code}" if ended.code < 0 else f"raised {said}"
        return {"outcome": "", "wrong": f"{what} a {suffix} {how}"}
    slow = " slowly" if ended.cpu_s > USING_CPU_S / 4 else ""
    return {"outcome": f"{suffix} {'refused' if said.startswith('refused') else 'read'}{slow}", "wrong": ""}


def _read_within_limits(converter: str) -> int:
    """What the process that reads a document does, with limits of our own."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMITS.memory, LIMITS.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (READING_CPU_S, READING_CPU_S + 5))
    return child.main(converter)


def main() -> None:
    """Read documents until stdin ends."""
    # Code in documents may be such that compiling it warns.
    warnings.simplefilter("ignore")
    for each in FORMATS:
        if each.converter:
            import_module(each.converter.split(":")[0])
    out = os.dup(1)
    with os.fdopen(out, "w") as tell:
        while header := sys.stdin.buffer.read(4):
            data = sys.stdin.buffer.read(struct.unpack("<I", header)[0])
            suffix, _, content = data.partition(b"\n")
            tell.write(json.dumps(judged(suffix.decode("ascii", "replace"), content)) + "\n")
            tell.flush()


if __name__ == "__main__":
    main()

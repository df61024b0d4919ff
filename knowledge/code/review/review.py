"""Questions out of documents -> the same questions with their code marked and their references flagged."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from knowledge.code.reconstruction.indentation import compiles
from knowledge.code.review import execution_findings, rules, testable_claims, torch_api
from knowledge.code.review.intentional_errors import expected
from knowledge.code.review.requirements import USUAL, bound_names, free_names, use_of
from knowledge.code.review.torch_api import Finding
from knowledge.model import CodeBlock, CodeUse, FlagKind, Question, ReferenceFlag
from serving.atomic import write_atomic
from serving.errors import InterviewerError, SandboxMissingError
from serving.frozen import FrozenModel
from serving.sandbox.batch_runner import Program, Ran, Sandbox, Status, Trace
from serving.syntax import python_tree


def line_of(block: CodeBlock, line: int) -> int | None:
    """The source line of a line of a block, counted from 1; ``None`` where the block's place is not known."""
    if 0 < line <= len(block.lines):
        return block.lines[line - 1]
    return None if block.line is None else block.line + line - 1


SECONDS = 20.0
"""Wall clock the code of one answer may take; half of it may be spent computing."""

_KNOWN = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim"}
_FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


class ReviewedQuestions(FrozenModel):
    """Questions after examination.

    Attributes:
        questions: as given, with ``use`` of their code and ``flags`` set.
        unmade: what could not be checked here, one sentence each; empty where everything was.

    """

    questions: tuple[Question, ...]
    unmade: tuple[str, ...] = ()


class _Place(NamedTuple):
    """A finding with its line in the source."""

    kind: FlagKind
    reason: str
    line: int | None


def review_code(
    questions: Sequence[Question],
    lines: Sequence[str] = (),
    memory: Path | None = None,
    sandbox: Sandbox | None = None,
) -> ReviewedQuestions:
    """Marks the code of questions and flags what is dated or wrong in their references.

    Code is executed in a sandbox and nowhere else; where there is none, what that would have shown is left out and
    ``unmade`` says so.

    Args:
        questions: of one document, or of several.
        lines: the document's lines, by which prose gets its place; may be empty.
        memory: folder that remembers what execution showed, by a digest of the code, so that it is paid for once.
        sandbox: stays open for other documents; without one, their own.

    """
    marked = [question.model_copy(update={"code": marked_blocks(question.code)}) for question in questions]
    unmade: tuple[str, ...] = ()
    try:
        ran = _run([_program(question.code) for question in marked], memory, sandbox)
    except SandboxMissingError as error:
        ran, unmade = [None] * len(marked), (error.message,)
    flagged = (
        question.model_copy(update={"flags": flags_of(question, lines, result)})
        for question, result in zip(marked, ran, strict=True)
    )
    return ReviewedQuestions(questions=tuple(flagged), unmade=unmade)


def prose_of(reference: str) -> str:
    """A reference without its code."""
    return _FENCE.sub("", reference)


def marked_blocks(blocks: Sequence[CodeBlock]) -> tuple[CodeBlock, ...]:
    """The blocks of one answer, each with what it needs in order to run."""
    result: list[CodeBlock] = []
    for block in blocks:
        earlier = [other.text for other in result if other.language == "python"]
        parses = compiles(block.text) if block.language == "python" else None
        use = use_of(block.text, earlier, block.language)
        result.append(block.model_copy(update={"use": use, "parses": parses}))
    return tuple(result)


def flags_of(question: Question, lines: Sequence[str] = (), ran: Ran | None = None) -> tuple[ReferenceFlag, ...]:
    """What is dated or wrong in a question's reference, in the order of its lines.

    Args:
        question: with its code marked.
        lines: the document's lines; may be empty.
        ran: what executing its code showed; ``None`` where it was not executed.

    """
    prose = prose_of(question.reference)
    places = list(_in_blocks(question, prose, ran))
    places += _in_prose(question, prose, lines)
    seen: set[tuple[FlagKind, object]] = set()
    flags = []
    for place in sorted(places, key=lambda item: (item.line or 0, list(FlagKind).index(item.kind))):
        keys = {(place.kind, place.reason), (place.kind, _subject(place))}
        if not keys & seen:
            seen |= keys
            flags.append(ReferenceFlag(kind=place.kind, reason=place.reason, line=place.line))
    return tuple(flags)


def _subject(place: _Place) -> object:
    """What a flag is about, so that one thing is flagged once: a deprecated name wherever it stands, else a place."""
    if place.kind is FlagKind.DEPRECATED and (name := re.search(r"torch(?:\.\w+)+", place.reason)):
        return name[0]
    return place.line, place.reason


def _in_blocks(question: Question, prose: str, ran: Ran | None) -> Iterator[_Place]:
    known = dict(_KNOWN)
    traces = iter(_traces(question.code, ran))
    for block in question.code:
        if block.language != "python" or not block.parses:
            continue
        tree = python_tree(block.text)
        trace = next(traces, None)
        for kind, finding in _of_block(block, tree, known, prose, trace):
            yield _Place(kind, finding.reason, line_of(block, finding.line))
        known.update(torch_api.imports(tree))


def _of_block(
    block: CodeBlock, tree: ast.Module, known: dict[str, str], prose: str, trace: Trace | None
) -> Iterator[tuple[FlagKind, Finding]]:
    for finding in torch_api.in_code(tree, known):
        if not expected(tree, finding.line):
            yield FlagKind.DEPRECATED, finding
    for finding in rules.findings(block.text, prose, restored=block.restored):
        yield FlagKind.WRONG, finding
    comments = "\n".join(line.partition("#")[2] for line in block.text.split("\n"))
    for finding, dated in testable_claims.in_prose(comments):
        yield FlagKind.DEPRECATED if dated else FlagKind.WRONG, finding
    if trace is not None:
        for finding in execution_findings.notices(trace):
            yield FlagKind.DEPRECATED, finding
        for finding in execution_findings.failures(block.text, trace, whole=block.use is CodeUse.RUNNABLE):
            yield FlagKind.FAILS, finding
        for finding in execution_findings.outputs(block.text, trace):
            yield FlagKind.WRONG, finding


def _in_prose(question: Question, prose: str, lines: Sequence[str]) -> Iterator[_Place]:
    places = _lines_of(prose, question.source.line, lines)
    for finding in torch_api.in_prose(prose):
        yield _Place(FlagKind.DEPRECATED, finding.reason, places[finding.line - 1])
    for finding, dated in testable_claims.in_prose(prose):
        yield _Place(FlagKind.DEPRECATED if dated else FlagKind.WRONG, finding.reason, places[finding.line - 1])


def _lines_of(prose: str, first: int | None, lines: Sequence[str]) -> list[int | None]:
    """The source line of each line of prose; ``None`` where it does not stand there as it is."""
    places: list[int | None] = []
    at = (first or 1) - 1
    for text in prose.split("\n"):
        place = next((n for n in range(at, len(lines)) if text.strip() and text.strip() in lines[n]), None)
        places.append(None if place is None else place + 1)
        at = at if place is None else place
    return places


def _program(blocks: Sequence[CodeBlock]) -> Program | None:
    """The Python of one answer, the usual imports it leaves out in front; ``None`` where it has none."""
    texts = [block.text for block in blocks if block.language == "python" and block.parses]
    if not texts:
        return None
    bound = frozenset().union(*(bound_names(text) for text in texts))
    lacking = frozenset().union(*(free_names(text) for text in texts)) - bound
    usual = "\n".join(line for name, line in USUAL.items() if name in lacking)
    return Program(blocks=(usual, *texts))


def _traces(blocks: Sequence[CodeBlock], ran: Ran | None) -> tuple[Trace, ...]:
    return ran.traces[1:] if ran is not None else ()


def _run(programs: Sequence[Program | None], memory: Path | None, sandbox: Sandbox | None) -> list[Ran | None]:
    """What became of each program, remembered or executed now.

    Raises:
        SandboxMissingError: something would have to be executed and there is no sandbox.

    """
    known = {program: _remembered(program, memory) for program in programs if program is not None}
    new = [program for program, ran in known.items() if ran is None]
    if new:
        with nullcontext(sandbox) if sandbox is not None else Sandbox() as running:
            for program in new:
                (known[program],) = running.run_programs([program], SECONDS)
                _remember(program, known[program], memory)
    return [None if program is None else known[program] for program in programs]


def _file(program: Program, memory: Path) -> Path:
    version = importlib.metadata.version("torch")
    digest = hashlib.sha256(f"1\n{version}\n{program.model_dump_json()}".encode()).hexdigest()
    return memory / digest[:2] / f"{digest[2:40]}.json"


def _remembered(program: Program, memory: Path | None) -> Ran | None:
    if memory is None:
        return None
    try:
        return Ran.model_validate_json(_file(program, memory).read_bytes())
    except (OSError, ValueError):
        return None


def _remember(program: Program, ran: Ran | None, memory: Path | None) -> None:
    """Writes what was found; a disk that refuses costs the time of finding it again and nothing else."""
    if memory is None or ran is None or ran.status is Status.NO_RESULT:
        return
    file = _file(program, memory)
    with suppress(OSError, InterviewerError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, ran.model_dump_json())

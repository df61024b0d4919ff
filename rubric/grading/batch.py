"""Grades a file of answers: many at a time, in order, and again from where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_exponential

from rubric.authoring.derive import derive_rubric
from rubric.grading.grader import Grader, GradeRequest
from rubric.model import Criterion, Examples, Grade, Rubric
from serving.atomic import write_atomic
from serving.errors import BadInputError, BadLineError, StorageError, is_retryable

AT_ONCE = 4
"""Answers graded at the same time; the server batches their criteria."""

PATIENCE_S = 600.0
"""How long an answer is tried again while the model's server is away."""


class _Loose(BaseModel):
    """Part of a line; keys that are not ours are ignored, since such files carry notes and labels."""

    model_config = ConfigDict(extra="ignore")


class _Examples(_Loose):
    met: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


class _Criterion(_Loose):
    id: str | int
    text: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0.0, le=100.0)
    examples: _Examples | None = None


class _Line(_Loose):
    id: str | int
    question: str
    reference: str = ""
    criteria: tuple[_Criterion, ...] | None = None
    answer: str


class Job(NamedTuple):
    """One line of the input.

    Attributes:
        id: as given.
        digest: SHA-256 of the line, so that an answer changed since is graded anew.
        request: what is to be graded.
    """

    id: str | int
    digest: str
    request: GradeRequest


def read_jobs(path: Path) -> list[Job]:
    """The lines of the input file.

    Raises:
        BadInputError: the file cannot be read or holds no line.
        BadLineError: a line is not as it should be.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}.") from error
    jobs = [_job(path, number, line) for number, line in enumerate(raw.split(b"\n"), start=1) if line.strip()]
    if not jobs:
        raise BadInputError(f"{path} holds no answer to grade.", hint="Write one JSON object a line.")
    return jobs


def _job(path: Path, number: int, line: bytes) -> Job:
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadLineError(path, number, "this is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise BadLineError(path, number, "this is not a JSON object.") from error
    try:
        parsed = _Line.model_validate(data)
        request = _request(parsed)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the line"
        raise BadLineError(path, number, f"{place}: {first['msg']}.") from error
    except BadInputError as error:
        raise BadLineError(path, number, error.message, hint=error.hint) from error
    return Job(parsed.id, hashlib.sha256(line.strip()).hexdigest(), request)


def _request(line: _Line) -> GradeRequest:
    if not line.criteria:
        rubric = derive_rubric(line.question, line.reference)
    else:
        rubric = Rubric(criteria=tuple(_criterion(item) for item in line.criteria), origin="given")
    return GradeRequest(question=line.question, reference=line.reference, rubric=rubric, answer=line.answer)


def _criterion(item: _Criterion) -> Criterion:
    given = item.examples or _Examples()
    examples = Examples(met=given.met, contradicted=given.contradicted, near=given.near)
    return Criterion(id=str(item.id), text=item.text, weight=item.weight, examples=examples)


def output_line(identity: str | int, grade: Grade) -> dict[str, Any]:
    """The line written for one answer."""
    keys = {"id", "credit", "verdict", "sure", "evidence", "reason"}
    criteria = [verdict.model_dump(mode="json", include=keys) for verdict in grade.criteria]
    for verdict in criteria:
        if not verdict["reason"]:
            del verdict["reason"]
    return {"id": identity, "score": grade.score, "criteria": criteria, "seconds": grade.seconds}


def grade_file(jobs: Sequence[Job], target: Path, grader: Grader, progress: Callable[[int, int], None]) -> None:
    """Grade the lines of an input file into ``target``.

    What is graded is kept beside the target until all of it is there, so a run that was interrupted goes on
    where it stopped, and the target is never half a file.

    Args:
        jobs: as ``read_jobs`` gives them.
        target: written when all is graded, in the order of the input.
        grader: does the grading.
        progress: told how many of how many are done.

    Raises:
        ServerGoneError: the model's server stayed away; run it again later.
        StorageError: the disk refused.
    """
    partial = target.with_name(target.name + ".partial")
    try:
        kept = _kept(partial)
        with partial.open("a", encoding="utf-8") as file:
            for number, (job, line) in enumerate(_graded(by_question(jobs), kept, grader), start=1):
                if job.digest not in kept:
                    file.write(_entry(job.digest, line))
                    file.flush()
                    kept[job.digest] = line
                progress(number, len(jobs))
        lines = (json.dumps({**kept[job.digest], "id": job.id}, ensure_ascii=False) for job in jobs)
        write_atomic(target, "".join(line + "\n" for line in lines))
        partial.unlink()
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror}.") from error


def by_question(jobs: Sequence[Job]) -> list[Job]:
    """The jobs with all answers to a question together, the questions in the order of the input.

    What the model read of a question and its criteria is kept for the next answer to it.
    """
    first: dict[tuple[str, Rubric], int] = {}
    for place, job in enumerate(jobs):
        first.setdefault((job.request.question, job.request.rubric), place)
    return sorted(jobs, key=lambda job: first[job.request.question, job.request.rubric])


def _entry(digest: str, line: dict[str, Any]) -> str:
    return json.dumps({"digest": digest, "line": line}, ensure_ascii=False) + "\n"


def _kept(partial: Path) -> dict[str, dict[str, Any]]:
    """What an interrupted run left; a line that was cut off is graded again."""
    kept: dict[str, dict[str, Any]] = {}
    if not partial.exists():
        return kept
    for row in partial.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(row)
            kept[entry["digest"]] = entry["line"]
        except (ValueError, KeyError, TypeError):
            continue
    write_atomic(partial, "".join(_entry(digest, line) for digest, line in kept.items()))
    return kept


def _graded(
    jobs: Sequence[Job], kept: dict[str, dict[str, Any]], grader: Grader
) -> Iterator[tuple[Job, dict[str, Any]]]:
    """Each job with its line, in the order given, a few graded at a time."""
    tries = Retrying(
        retry=retry_if_exception(is_retryable),
        wait=wait_exponential(multiplier=0.5, max=10.0),
        stop=stop_after_delay(PATIENCE_S),
        reraise=True,
    )

    def work(job: Job) -> dict[str, Any]:
        found = kept.get(job.digest)
        return found if found is not None else output_line(job.id, tries.copy()(grader.grade, job.request))

    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="grading") as pool:
        try:
            yield from zip(jobs, pool.map(work, jobs), strict=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise

"""The report as JSON, its published schema, and what of it two runs of one interview must share."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from interviewer.report.schema.findings import SCHEMA_VERSION, Findings
from serving.errors import BadInputError

_ID_KEYS = {"answer_id", "asked_id", "event_id"}
_TIME_KEYS = {"at", "started", "last", "seconds", "grading_seconds", "study_on", "review_on"}


def render_json(findings: Findings) -> str:
    """The findings as one JSON document, keys in a stable order, valid against ``json_schema()``."""
    return findings.model_dump_json(indent=2, ensure_ascii=True) + "\n"


def read_reports(files: Iterable[tuple[Path, str]]) -> dict[str, Findings]:
    """Reports that were exported as JSON, by the name of the file they stand in, without its ending.

    Args:
        files: paths with what stands in them; where two are called the same, their folders are named too.

    Raises:
        BadInputError: one is no report, is of another version, or is the same interview as another.

    """
    files = list(files)
    stems = Counter(path.stem for path, _ in files)
    found: dict[str, Findings] = {}
    held: dict[str, Path] = {}
    for path, text in files:
        try:
            report = Findings.model_validate_json(text)
        except ValidationError as error:
            raise BadInputError(
                f"{path} is not a report.", hint="`report SESSION --format json` writes one."
            ) from error
        if report.schema_version != SCHEMA_VERSION:
            raise BadInputError(
                f"{path} has version {report.schema_version} of the report; version {SCHEMA_VERSION} is needed.",
                hint="Write the report again.",
            )
        if report.session_id in held:
            raise BadInputError(f"{path} and {held[report.session_id]} are reports of the same interview.")
        held[report.session_id] = path
        found[path.stem if stems[path.stem] == 1 else f"{path.parent.name}/{path.stem}"] = report
    return found


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of ``render_json``'s documents."""
    schema = Findings.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Interview report",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def schema_text() -> str:
    """The schema as it stands in ``docs/report.schema.json``."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def comparable(findings: Findings, *, digits: int = 3) -> dict[str, Any]:
    """The findings without what differs between two runs of one interview.

    Times and durations and the session's id are left out, event ids are replaced by their order of first
    mention, numbers are rounded, since a server that batches differently adds floats up differently.

    Args:
        findings: of one run.
        digits: decimal places that must agree.

    """
    data = findings.model_dump(mode="json", exclude={"session_id"})
    names: dict[str, str] = {}
    told = [turn for part in (*data["questions"], *data["talks"]) for turn in part["transcript"]]
    for item in [*told, *(data["confidence"] or {"answers": ()})["answers"]]:
        names.setdefault(item["event_id"], f"event {len(names) + 1}")
    result: dict[str, Any] = _without_run(data, names, digits)
    return result


def _without_run(value: Any, names: dict[str, str], digits: int) -> Any:
    if isinstance(value, dict):
        return {
            key: names.get(item, item) if key in _ID_KEYS else _without_run(item, names, digits)
            for key, item in value.items()
            if key not in _TIME_KEYS
        }
    if isinstance(value, list):
        return [_without_run(item, names, digits) for item in value]
    return round(value, digits) if isinstance(value, float) else value

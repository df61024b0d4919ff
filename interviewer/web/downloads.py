"""The report as files to download, and who may have which of the files that Gradio serves."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import NamedTuple

from gradio.utils import get_upload_folder

from interviewer.report.export.audio_clips import SILENT, Sounds
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.schema.findings import Findings
from serving import paths
from serving.errors import StorageError

MOST_KEPT = 40
"""Reports of one person that can be downloaded; each mark that changes makes another."""

MOST_OF_ALL = 400
"""The same where nobody logs in, so that all who use the page have them in common."""

_REPORTS = "reports-"
_NOBODY = "_"
_UNDER_WAY = "writing-"
"""Begins the name of a folder that is still written to: it is nobody's oldest report."""


class ReportFiles(NamedTuple):
    """Where the forms of a report lie, and its study plan; ``pdf`` is ``None`` where it was not asked for."""

    html: Path
    markdown: Path
    json: Path
    anki: Path
    calendar: Path
    pdf: Path | None = None


class ReportFolder:
    """Keeps the reports that were made for download, until the page is gone.

    They lie where Gradio serves files from, below a folder for each person, so that no copies of them are made.
    """

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix=_REPORTS, dir=paths.made(_served()))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def write(
        self, findings: Findings, *, name: str | None = None, sounds: Sounds = SILENT, pdf: bool = True
    ) -> ReportFiles:
        """Write a report in all its forms; of many the oldest goes.

        Args:
            findings: what it says.
            name: whose it is; ``None`` where nobody logs in.
            sounds: what can be listened to in the HTML.
            pdf: whether as PDF too, which takes longer than the others together.

        Raises:
            StorageError: the disk refused.

        """
        # The libraries of these forms take a tenth of a second to import, and no start waits for them.
        from interviewer.report.export.anki import anki_deck  # noqa: PLC0415
        from interviewer.report.export.icalendar import review_calendar  # noqa: PLC0415
        from interviewer.report.render.pdf.document import render_pdf  # noqa: PLC0415

        called = f"interview-{findings.started:%Y-%m-%d-%H%M}" if findings.started else "interview"
        try:
            own = paths.made(Path(self._folder, name or _NOBODY))
            folder = Path(tempfile.mkdtemp(prefix=_UNDER_WAY, dir=own))
            files = ReportFiles(*(folder / f"{called}.{ending}" for ending in ("html", "md", "json", "apkg", "ics")))
            files.html.write_text(render_html(findings, sounds), encoding="utf-8")
            files.markdown.write_text(render_markdown(findings), encoding="utf-8")
            files.json.write_text(render_json(findings), encoding="utf-8")
            files.anki.write_bytes(anki_deck(findings))
            files.calendar.write_bytes(review_calendar(findings))
            if pdf:
                files = files._replace(pdf=folder / f"{called}.pdf")
                (folder / f"{called}.pdf").write_bytes(render_pdf(findings))
            done = folder.rename(folder.with_name(folder.name.removeprefix(_UNDER_WAY)))
            _drop_oldest(own, MOST_KEPT if name else MOST_OF_ALL)
        except OSError as error:
            raise StorageError(
                f"The report cannot be written for download: {error.strerror}.", hint="Free up some disk space."
            ) from error
        return ReportFiles(*(done / each.name if each is not None else None for each in files))  # type: ignore[arg-type]


def may_download(path: Path, name: str | None) -> bool:
    """Whether somebody may download a file: it is a report, and theirs.

    Args:
        path: what is asked for.
        name: under which they logged in; ``None`` where nobody does.

    """
    parts = _parts(path)
    return len(parts) == 4 and parts[0].startswith(_REPORTS) and parts[1] == (name or _NOBODY)


def is_upload(path: Path) -> bool:
    """Whether a path is that of a file which somebody gave to the page, and not one which the page made."""
    parts = _parts(path)
    return len(parts) == 2 and not parts[0].startswith(_REPORTS)


def _served() -> Path:
    """Where Gradio serves files from."""
    return Path(os.path.abspath(get_upload_folder()))


def _parts(path: Path) -> tuple[str, ...]:
    """Names of the folders below the one that Gradio serves, and of the file; nothing for what lies elsewhere."""
    whole = Path(os.path.abspath(path))
    return whole.relative_to(_served()).parts if whole.is_relative_to(_served()) else ()


def _drop_oldest(folder: Path, most: int) -> None:
    made = [each for each in folder.iterdir() if not each.name.startswith(_UNDER_WAY)]
    for old in sorted(made, key=_written)[: max(len(made) - most, 0)]:
        shutil.rmtree(old, ignore_errors=True)


def _written(folder: Path) -> float:
    """When a folder was written; one that somebody else has just removed counts as the oldest."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0

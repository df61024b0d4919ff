"""The report as files to download."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import NamedTuple

from interviewer.report.export.anki import anki_deck
from interviewer.report.export.audio_clips import SILENT, Sounds
from interviewer.report.export.icalendar import review_calendar
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from serving.errors import StorageError


class ReportFiles(NamedTuple):
    """Where the forms of a report lie, and its study plan; ``pdf`` is ``None`` where it was not asked for."""

    html: Path
    markdown: Path
    json: Path
    anki: Path
    calendar: Path
    pdf: Path | None = None


class ReportFolder:
    """Keeps the reports that were made for download, until the page is gone."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="interview-reports-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def write(self, findings: Findings, *, sounds: Sounds = SILENT, pdf: bool = True) -> ReportFiles:
        """Write a report in all its forms.

        Args:
            findings: what it says.
            sounds: what can be listened to in the HTML.
            pdf: whether as PDF too, which takes longer than the others together.

        Raises:
            StorageError: the disk refused.

        """
        name = f"interview-{findings.started:%Y-%m-%d-%H%M}" if findings.started else "interview"
        try:
            folder = Path(tempfile.mkdtemp(dir=self._folder))
            files = ReportFiles(*(folder / f"{name}.{ending}" for ending in ("html", "md", "json", "apkg", "ics")))
            files.html.write_text(render_html(findings, sounds), encoding="utf-8")
            files.markdown.write_text(render_markdown(findings), encoding="utf-8")
            files.json.write_text(render_json(findings), encoding="utf-8")
            files.anki.write_bytes(anki_deck(findings))
            files.calendar.write_bytes(review_calendar(findings))
            if pdf:
                files = files._replace(pdf=folder / f"{name}.pdf")
                (folder / f"{name}.pdf").write_bytes(render_pdf(findings))
        except OSError as error:
            raise StorageError(
                f"The report cannot be written for download: {error.strerror}.", hint="Make room on the disk."
            ) from error
        return files

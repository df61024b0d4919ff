"""Measures how long the report of an hour's interview takes: ``make report-bench``. Twelve questions of the bank.

The first time in a process matplotlib and reportlab are imported; it is told apart from the median of later runs.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from rubric.grading.trust_card import cards
from tests.interviewer.report.hour import hour

RUNS = 7
FORMS: dict[str, Callable[[Findings], str | bytes]] = {
    "HTML": render_html,
    "Markdown": render_markdown,
    "JSON": render_json,
    "PDF": render_pdf,
}


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, wall clock."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    """Print seconds and sizes by format."""
    state = hour().state
    found = findings("hour", state, cards())
    print(f"{len(found.questions)} questions, {found.seconds / 60:.0f} minutes by the clock")
    print(f"findings {median(seconds(lambda: findings('hour', state, cards())) for _ in range(RUNS)):.3f} s")
    total = 0.0
    for name, render in FORMS.items():
        first = seconds(lambda render=render: render(found))
        after = median(seconds(lambda render=render: render(found)) for _ in range(RUNS))
        total += after if name != "PDF" else 0.0
        with tempfile.TemporaryDirectory() as folder:
            made = render(found)
            file = Path(folder) / "report"
            file.write_bytes(made if isinstance(made, bytes) else made.encode())
            print(f"{name:9} first {first:.2f} s, then {after:.3f} s, {file.stat().st_size / 1000:.0f} kB")
    print(f"HTML, Markdown and JSON together {total:.2f} s")


if __name__ == "__main__":
    main()

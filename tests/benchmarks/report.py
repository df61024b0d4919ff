"""Measures how long the report of an hour's interview takes: ``make report-bench``. Twelve questions of the bank.

The first time in a process matplotlib and reportlab are imported; it is told apart from the median of later runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import median

from interviewer.report.analysis.findings import findings
from interviewer.report.render.html import render_html
from interviewer.report.render.json import render_json
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from rubric.grading.trust_card import cards
from tests.benchmarks.timing import seconds
from tests.interviewer.report.hour import hour

RUNS = 7
FORMS: dict[str, Callable[[Findings], str | bytes]] = {
    "HTML": render_html,
    "Markdown": render_markdown,
    "JSON": render_json,
    "PDF": render_pdf,
}


FIGURES = {
    "report.questions": "",
    "report.minutes": "",
    "report.findings_s": "s",
    **{
        f"report.{form.lower()}_{what}": unit
        for form in FORMS
        for what, unit in (("first_s", "s"), ("s", "s"), ("kb", "kB"))
    },
}
"""The names of the figures that are measured here, with their units."""


def measure(*, quick: bool = False) -> dict[str, float]:
    """Make the report again and again.

    Args:
        quick: with one run in place of the median of several, to see that it works.

    """
    runs = 1 if quick else RUNS
    state = hour().state
    found = findings("hour", state, cards())
    figures = {
        "report.questions": float(len(found.questions)),
        "report.minutes": found.seconds / 60,
        "report.findings_s": median(seconds(lambda: findings("hour", state, cards())) for _ in range(runs)),
    }
    for form, render in FORMS.items():
        name = f"report.{form.lower()}"
        figures[f"{name}_first_s"] = seconds(lambda render=render: render(found))
        figures[f"{name}_s"] = median(seconds(lambda render=render: render(found)) for _ in range(runs))
        made = render(found)
        figures[f"{name}_kb"] = len(made if isinstance(made, bytes) else made.encode()) / 1000
    return figures


def lines(figures: Mapping[str, float]) -> Iterator[str]:
    """The figures as they are printed."""
    yield f"{figures['report.questions']:.0f} questions, {figures['report.minutes']:.0f} minutes by the clock"
    yield f"findings {figures['report.findings_s']:.3f} s"
    for form in FORMS:
        first, after, size = (figures[f"report.{form.lower()}_{what}"] for what in ("first_s", "s", "kb"))
        yield f"{form:9} first {first:.2f} s, then {after:.3f} s, {size:.0f} kB"
    total = sum(figures[f"report.{form.lower()}_s"] for form in FORMS if form != "PDF")
    yield f"HTML, Markdown and JSON together {total:.2f} s"


def main() -> None:
    """Print seconds and sizes by format."""
    print("\n".join(lines(measure())))


if __name__ == "__main__":
    main()

"""Comparisons and group summaries in words: Markdown, one HTML file, JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from interviewer.report.aggregate.comparison import Cell, Change, Comparison
from interviewer.report.aggregate.group import Group
from interviewer.report.phrases import common
from interviewer.report.render.html import environment
from interviewer.report.render.markdown import inline
from interviewer.text import count, percent, shortened

Form = Literal["md", "html", "json"]

HOW_COMPARED = (
    "Scores are out of 100. A change is from the first interview with a score to the last. It is called larger than "
    "the ranges if the two likely ranges (90%) do not overlap; a smaller one may be chance. A topic’s questions may "
    "differ between interviews, and some are harder than others."
)
HOW_GROUPED = (
    "Scores are out of 100. Only marks the judge was sure of, or that were overridden by hand, count as missed, "
    "and only on questions graded in full. Each person counts once in a topic."
)


def render_comparison(comparison: Comparison, form: Form) -> str:
    """A comparison in one of its forms."""
    if form == "html":
        return environment().get_template("comparison.html").render(comparison=comparison, several=_HELP)
    if form == "json":
        return comparison.model_dump_json(indent=2, ensure_ascii=True) + "\n"
    return "\n\n".join(_comparison(comparison)) + "\n"


def render_group(group: Group, form: Form) -> str:
    """A group summary in one of its forms."""
    if form == "html":
        return environment().get_template("group.html").render(group=group, several=_HELP)
    if form == "json":
        return group.model_dump_json(indent=2, ensure_ascii=True) + "\n"
    return "\n\n".join(_group(group)) + "\n"


def score(cell: Cell) -> str:
    """A score with its interval; a dash where there is none."""
    if cell.interval is None:
        return percent(cell.score)
    low, high = cell.interval
    return f"{percent(cell.score)} ({percent(low)} to {percent(high)})"


def changed(change: Change | None) -> str:
    """A change, and whether it is larger than the intervals."""
    if change is None:
        return "–"
    by = f"{round(100 * change.by):+d}"
    if change.beyond is None:
        return f"{by}, ranges not known"
    return f"{by}, larger than the ranges" if change.beyond else f"{by}, within the ranges"


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield "# Interviews compared"
    yield _table(
        ("Interview", "Started", "Asked", "Graded", "Unaided", "Final"),
        (
            (
                f"{place}. {inline(one.session_id)}",
                common.moment(one.started) if one.started else "–",
                one.asked,
                one.graded,
                percent(one.unaided),
                percent(one.final),
            )
            for place, one in enumerate(comparison.sessions, start=1)
        ),
    )
    places = tuple(str(place) for place in range(1, len(comparison.sessions) + 1))
    yield "## By topic"
    yield _table(
        ("Topic", *places, "Change"),
        ((inline(row.topic), *map(score, row.cells), changed(row.change)) for row in comparison.topics),
    )
    yield "## Questions asked again"
    if not comparison.questions:
        yield "No question was asked in more than one of these interviews."
    else:
        yield _table(
            ("Question", *places, "Change"),
            (
                (inline(shortened(row.spoken, 240)), *map(score, row.cells), changed(row.change))
                for row in comparison.questions
            ),
        )
    for row in comparison.questions:
        for points, what in ((row.gained, "Met now, not before"), (row.lost, "Met before, not now")):
            if points:
                yield f"{what}, {inline(shortened(row.spoken, 120))}"
                yield "\n".join(f"- {inline(text)}" for text in points)
    yield HOW_COMPARED


def _group(group: Group) -> Iterator[str]:
    yield f"# What the group misses: {count(group.people, 'report')}"
    if group.persons:
        yield _table(
            ("Person", "Asked", "Unaided", "Final"),
            ((inline(one.name), one.asked, percent(one.unaided), percent(one.final)) for one in group.persons),
        )
    yield "## Missed most"
    if not group.points:
        yield "The judge was not sure of any point missed."
    else:
        yield _table(
            ("Point", "Topic", "Missed by", "Of", "Contradicted", "Unsure"),
            ((inline(p.text), inline(p.topic), p.missed, p.people, p.contradicted, p.unsure) for p in group.points),
        )
    yield "## By topic, weakest first"
    yield _table(
        ("Topic", "People", "Mean", "Lowest", "Highest"),
        ((inline(t.topic), t.people, percent(t.mean), percent(t.lowest), percent(t.highest)) for t in group.topics),
    )
    yield HOW_GROUPED


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


_HELP: dict[str, str | Callable[..., str]] = {
    "score": score,
    "changed": changed,
    "HOW_COMPARED": HOW_COMPARED,
    "HOW_GROUPED": HOW_GROUPED,
}

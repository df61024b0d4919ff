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
    "A change is from the first interview with a score to the last. It is called larger than the intervals where the "
    "two intervals, which hold the true score with a probability of 0.9, do not meet; a smaller one may be chance. By "
    "topic the questions need not have been the same ones, and some are harder than others."
)
HOW_GROUPED = (
    "Only what a judge was sure of, or what was overridden by hand, counts as missed, and only on questions that are "
    "graded in full. In a topic each person counts once."
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
        return f"{by}, intervals not known"
    return f"{by}, larger than the intervals" if change.beyond else f"{by}, within the intervals"


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield "# Interviews compared"
    yield _table(
        ("Interview", "Started", "Asked", "Graded", "Unaided", "In the end"),
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
    yield "## Questions that were put again"
    if not comparison.questions:
        yield "No question was put in more than one of these interviews."
    else:
        yield _table(
            ("Question", *places, "Change"),
            (
                (inline(shortened(row.spoken, 240)), *map(score, row.cells), changed(row.change))
                for row in comparison.questions
            ),
        )
    for row in comparison.questions:
        for points, what in ((row.gained, "Met now and not before"), (row.lost, "Met before and not now")):
            if points:
                yield f"{what}, {inline(shortened(row.spoken, 120))}"
                yield "\n".join(f"- {inline(text)}" for text in points)
    yield HOW_COMPARED


def _group(group: Group) -> Iterator[str]:
    yield f"# What the group misses: {count(group.people, 'report')}"
    if group.persons:
        yield _table(
            ("Person", "Asked", "Unaided", "In the end"),
            ((inline(one.name), one.asked, percent(one.unaided), percent(one.final)) for one in group.persons),
        )
    yield "## Missed most"
    if not group.points:
        yield "Nothing was surely missed by anybody."
    else:
        yield _table(
            ("Point", "Topic", "Missed by", "Of", "Said the opposite", "Unsure"),
            ((inline(p.text), inline(p.topic), p.missed, p.people, p.contradicted, p.unsure) for p in group.points),
        )
    yield "## By topic, the weakest first"
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

"""An explanation as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from knowledge.ingestion.explanation import Cluster, CodeCount, Explanation, Flagged


def tables(explanation: Explanation) -> Iterator[RenderableType]:
    """What to print, in order. Documents' words are shown as they are: never markup, never a terminal's commands."""
    if explanation.clusters:
        yield _clusters(explanation.clusters)
    if explanation.flagged:
        yield _flags(explanation.flagged)
    yield _code(explanation.code)


def _clusters(clusters: tuple[Cluster, ...]) -> Table:
    table = Table("asked as one", "where", "likeness", title="The same question in several places", show_lines=False)
    for cluster in clusters:
        table.add_row(_plain(cluster.lead.question), _plain(cluster.lead.place), "lead", style="bold")
        for member in cluster.members:
            table.add_row(_plain(f"  {member.question}"), _plain(member.place), f"{member.likeness:.2f}")
        table.add_section()
    return table


def _flags(flagged: tuple[Flagged, ...]) -> Table:
    table = Table("question", "where", "flag", "why", title="References that are dated or wrong")
    for question in flagged:
        for number, flag in enumerate(question.flags):
            first = (question.question, question.place) if number == 0 else ("", "")
            where = f"line {flag.line}: {flag.reason}" if flag.line else flag.reason
            table.add_row(*map(_plain, (*first, flag.kind, where)))
        table.add_section()
    return table


def _code(code: CodeCount) -> Text:
    uses = ", ".join(f"{count} {use}" for use, count in sorted(code.uses.items()))
    parts = [
        f"{code.blocks} blocks of code",
        f"{code.parsing} of {code.python} meant to be Python parse",
        f"indentation put back in {code.restored}",
        *([uses] if uses else []),
    ]
    return Text("; ".join(parts) + ".")


def _plain(text: str) -> Text:
    line = " ".join(text.split())
    return Text("".join(c if c.isprintable() else "\ufffd" for c in line))

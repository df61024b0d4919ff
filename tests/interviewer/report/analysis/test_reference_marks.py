"""Which sentences of a reference are marked as made, and which as lacking."""

from __future__ import annotations

import re
from collections.abc import Sequence

import html5lib
import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.reference_marks import reference_sentences
from interviewer.report.document_parser import parser
from interviewer.report.phrases import reference as words
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.marked_reference import END, LACKING, MADE, set_marks
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.question import QuestionFinding
from knowledge.bank.parser import load_bank
from knowledge.model import FlagKind, Kind, ReferenceFlag
from rubric.model import Verdict
from tests.interviewer.report.sample_session import Telling, question

MET, PARTIAL, MISSING = Verdict.MET, Verdict.PARTIAL, Verdict.MISSING
HOOKS = "Hooks count the gradients that are ready in a bucket."
OVERLAP = "The reduction overlaps with the rest of backward."
REFERENCE = f"""First something else, on `data` loaders.

{HOOKS} **{OVERLAP}**
It has *two* parts.

```python
hooks = "Hooks count the gradients that are ready in a bucket."
```
"""


def asked(*marks: tuple[Verdict, float], unsure: Sequence[str] = (), **fields: object) -> QuestionFinding:
    """A question whose reference makes two points, with their marks."""
    points = [("a", HOOKS.rstrip("."), 1.0), ("b", "Reduction overlaps with backward.", 1.0)]
    tell = Telling()
    q = tell.ask(question("q", points, **{"reference": REFERENCE, **fields}))
    said = "Hooks count them."
    tell.grade(
        q, tell.answer(q, said), [(verdict, credit, said if credit else "") for verdict, credit in marks], unsure=unsure
    )
    return findings("s1", tell.state).questions[0]


def test_what_was_made_and_what_is_lacking_are_told_apart() -> None:
    found = asked((MET, 1.0), (MISSING, 0.0))
    told = [(found.reference[each.start : each.end], each.made, each.numbers) for each in found.reference_sentences]
    assert told == [(HOOKS, True, (1,)), (OVERLAP, False, (2,))]


@pytest.mark.parametrize(("credit", "made"), [(0.9, True), (0.8, True), (0.6, False)])
def test_a_point_that_was_likely_made_counts_as_made(credit: float, made: bool) -> None:
    first = asked((MET, credit), (MISSING, 0.0), unsure=["a"]).reference_sentences[0]
    assert first.made is made


def test_every_form_of_the_report_marks_the_same_sentences() -> None:
    tell = Telling()
    q = tell.ask(question("q", [("a", HOOKS, 1.0), ("b", OVERLAP, 1.0)], reference=REFERENCE))
    said = "Hooks count them."
    tell.grade(q, tell.answer(q, said), [(MET, 1.0, said), (MISSING, 0.0, "")])
    found = findings("s1", tell.state)
    html = render_html(found)
    assert f'<mark class="made">{HOOKS}</mark>' in html
    assert f"<strong><ins>{OVERLAP}</ins></strong>" in html
    assert f"****{OVERLAP}****" in render_markdown(found)
    assert words.LACKING in html


def test_nothing_is_marked_where_the_reference_is_not_to_be_trusted_or_tells_a_story() -> None:
    flags = (ReferenceFlag(kind=FlagKind.WRONG, reason="It is dated."),)
    assert asked((MET, 1.0), (MISSING, 0.0), flags=flags).reference_sentences == ()
    assert asked((MET, 1.0), (MISSING, 0.0), kind=Kind.BEHAVIORAL).reference_sentences == ()


def test_a_point_that_no_sentence_makes_by_itself_is_named() -> None:
    spread = f"{HOOKS} Reduction is one thing. Overlaps are another thing. Backward too."
    found = asked((MET, 1.0), (MISSING, 0.0), reference=spread)
    assert words.not_marked(found) == "Point 2 is spread over several sentences, so it isn't marked."


def test_a_reference_that_holds_the_marks_own_characters_is_shown_without_any() -> None:
    found = asked((MET, 1.0), (MISSING, 0.0), reference=f"{LACKING}{REFERENCE}")
    assert found.reference_sentences == ()


def test_marks_are_set_around_whole_sentences() -> None:
    tokens = parser().parse(f"One. {MADE}Two.{END} {LACKING}Three.{END}")
    set_marks(tokens)
    told = parser().renderer.render(tokens, parser().options, {})
    assert told == '<p>One. <mark class="made">Two.</mark> <ins>Three.</ins></p>\n'


CROSSED = (
    f"So the _{HOOKS} {OVERLAP}_ And more.",
    f"A ~~{HOOKS}~~ B __{OVERLAP}__ C.",
    f'See [the docs](http://x "{HOOKS} {OVERLAP}") here. {HOOKS} {OVERLAP}',
    f"[x](<http://a/x. y>) {HOOKS} [{OVERLAP}](http://b/)",
    f"- {HOOKS}\n\n  ```\n  {OVERLAP}\n  ```\n\n1. {OVERLAP}\n",
    f"{HOOKS}\n| a | b |\n|---|---|\n| {OVERLAP} | 2 |\n\n{OVERLAP}",
    f"{HOOKS}\n=====\n\n---\n{OVERLAP}\n\n[one]: http://x\n\n    {HOOKS}\n",
    f"> {HOOKS}\n> {OVERLAP}\n\n`{HOOKS}` {OVERLAP}",
)


@pytest.mark.parametrize("reference", CROSSED)
def test_marks_cross_nothing_and_leave_blocks_as_they_are(reference: str) -> None:
    points = [("a", HOOKS.rstrip("."), 1.0), ("b", OVERLAP.rstrip("."), 1.0)]
    tell = Telling()
    q = tell.ask(question("q", points, reference=reference))
    said = "Hooks count them."
    tell.grade(q, tell.answer(q, said), [(MET, 1.0, said), (MISSING, 0.0, "")])
    found = findings("s1", tell.state)
    html = render_html(found)
    html5lib.HTMLParser(strict=True).parse(html)
    assert render_pdf(found).startswith(b"%PDF")
    shown = html[html.index('<div class="document strong"') :].split(">", 1)[1]
    shown = shown[: shown.index("</div>")]
    assert not {MADE, LACKING, END} & set(shown)
    assert "%EE%80" not in shown
    plain = parser().renderer.render(parser().parse(reference), parser().options, {})
    bare = re.sub(r' class="heading"| rel="[^"]*"|</?(?:mark|ins)(?: class="made")?>', "", shown)
    assert bare.split() == re.sub(r"(</?)h\d>", r"\1p>", plain).split()


def test_most_points_of_the_bank_have_a_sentence_of_their_reference() -> None:
    counts = [0, 0]
    for held in load_bank():
        if held.rubric is None or held.kind is Kind.BEHAVIORAL:
            continue
        tell = Telling()
        q = tell.ask(held)
        said = "I would look at it."
        tell.grade(q, tell.answer(q, said), [(PARTIAL, 0.5, said)] * len(held.rubric.criteria))
        (found,) = findings("s1", tell.state).questions
        marks = reference_sentences(found.criteria, held)
        assert all(held.reference[each.start : each.end].strip() for each in marks)
        assert list(marks) == sorted(marks, key=lambda each: each.start)
        counts[0] += sum(len(each.numbers) for each in marks)
        counts[1] += sum(not point.never_asked for point in found.criteria)
    assert counts[0] >= 0.65 * counts[1]

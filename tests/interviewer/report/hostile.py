"""Texts that try to be more than text, and a report full of them."""

from __future__ import annotations

from interviewer.report.analysis.findings import findings
from interviewer.report.schema.findings import Findings
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.model import FlagKind, ReferenceFlag, Source
from rubric.model import Criterion, Examples, Rubric, Verdict
from tests.interviewer.report.sample_session import Telling, question

HOSTILE = {
    "script": "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "closing": "</div></article></style></html>\"'><svg onload=alert(3)>",
    "markdown": "![x](http://evil.example/x.png) [y](javascript:alert(4)) <http://evil.example>"
    "\n# Heading\n- item\n```\n</pre>",
    "template": "{{ 7 * 7 }}{% for x in y %}{# gone #}",
    "right to left": "\u202eمرحبا \u2066שלום\u2069 abc",
    "controls": "a\x00b\x1b[31mc\x08d\r\ne\rf\x85g",
    "emoji": "👩🏽‍💻🇺🇳 e\u0301 \U0001f9ea",
    "entities": "&lt;b&gt; &amp;amp; &#x3c;script&#x3e;",
    "long": "word " * 20_000,
    "one word": "x" * 100_000,
    "blank": " \n\t ",
}


def hostile_report(text: str) -> Findings:
    """A report with the text in every place that a person, a document or a server can fill."""
    tell = Telling()
    filled = text if text.strip() else "?"
    q = tell.ask(
        question(
            "id " + text[:50],
            [("c " + text[:50], filled, 1), ("d", filled, 1)],
            proofs=(text,),
            topic=filled[:500],
            text=filled,
            spoken=filled,
            reference=text,
            why_it_matters=text,
            misconception=text,
            source=Source(path=text, section=(text[:500],)),
            reading=(text,),
            flags=(ReferenceFlag(kind=FlagKind.WRONG, reason=filled),),
        )
    )
    tell.hint(q, text)
    a = tell.answer(q, text)
    evidence = text if text.strip() else text[:1]
    tell.grade(q, a, [(Verdict.CONTRADICTED, 0.1, evidence), (Verdict.MISSING, 0.1, "")])
    f = tell.follow_up(q, FollowUpKind.MISSING, "d", text)
    a = tell.answer(q, text, f)
    tell.fail(q, a, text)
    q = tell.ask(question("2", [("c", filled, 1)], text=filled, spoken=filled))
    a = tell.answer(q, text)
    tell.grade(q, a, [(Verdict.MET, 0.9, evidence)])
    return findings(text[:50], tell.state)


def hostile_plan(text: str) -> Findings:
    """A study plan with the text in every place that a document can fill."""
    tell = Telling()
    filled = text if text.strip() else "?"
    point = Criterion(id="c " + text[:50], text=filled, probe=text, examples=Examples(met=(text,)))
    asked = question(
        "id " + text[:50],
        [("c", "x", 1)],
        topic=filled[:500],
        text=filled,
        spoken=filled,
        why_it_matters=text,
        misconception=text,
        source=Source(path=text, section=(text[:500],)),
    ).model_copy(update={"rubric": Rubric(criteria=(point,))})
    q = tell.ask(asked)
    tell.grade(q, tell.answer(q, "No."), [(Verdict.CONTRADICTED, 0.1, "No.")])
    return findings(text[:50], tell.state)

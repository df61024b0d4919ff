"""The report's pictures, each with what it shows in words and as a table."""

from __future__ import annotations

from interviewer.report.analysis.timeline import timeline
from interviewer.report.render.charts.assistance import by_help
from interviewer.report.render.charts.base import Picture
from interviewer.report.render.charts.scores import by_confidence, by_topic
from interviewer.report.render.charts.timeline import over_time
from interviewer.report.schema.findings import Findings


def pictures(findings: Findings) -> tuple[Picture, ...]:
    """The pictures there is anything to show in, in the order in which they stand in a report."""
    made = []
    if any(topic.final is not None for topic in findings.topics):
        made.append(by_topic(findings.topics, findings.earlier))
    if any(question.criteria for question in findings.questions):
        made.append(by_help(findings))
    if findings.confidence is not None:
        made.append(by_confidence(findings.confidence))
    line = timeline(findings)
    if line.length > 0:
        made.append(over_time(line))
    return tuple(made)

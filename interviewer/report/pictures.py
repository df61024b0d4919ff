"""The report's pictures, each with what it shows in words and as a table."""

from __future__ import annotations

from interviewer.report.model import Findings
from interviewer.report.picture import Picture
from interviewer.report.picture_help import by_help
from interviewer.report.picture_scores import by_confidence, by_topic
from interviewer.report.picture_time import over_time
from interviewer.report.timeline import timeline


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

"""The views of the page."""

from __future__ import annotations

from collections.abc import Callable

from interviewer.web.views.base import PageView, ViewContext
from interviewer.web.views.interview.handlers import InterviewView
from interviewer.web.views.report.handlers import ReportView
from interviewer.web.views.setup.handlers import SetupView

VIEWS: tuple[Callable[[ViewContext], PageView], ...] = (SetupView, InterviewView, ReportView)
"""One below the other, in this order; of ours one is visible at a time."""

from __future__ import annotations

from tests.interviewer.web.mentor.conftest import groups

__all__ = ["groups"]

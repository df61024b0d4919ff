"""Why a follow-up was asked, as the report says it."""

from __future__ import annotations

from interviewer.session.follow_up_kinds import FollowUpKind

WHY_FOLLOWED_UP = {
    FollowUpKind.CONTRADICTION: "to check a statement",
    FollowUpKind.CLAIM: "to check a statement",
    FollowUpKind.MISHEARD: "a word may have been misheard",
    FollowUpKind.MISSING: "",
    FollowUpKind.PARTIAL: "",
    FollowUpKind.EVIDENCE: "to get a concrete example",
    FollowUpKind.DEPTH: "to go deeper",
    FollowUpKind.UNSURE: "",
    FollowUpKind.UNGRADED: "",
    FollowUpKind.EXECUTION: "on what running your code showed",
    FollowUpKind.EXPLANATION: "to have the code explained",
    FollowUpKind.CHANGE: "a change of requirements",
    FollowUpKind.DEEP_DIVE: "your choice of a part to go deep on",
}
"""Why a follow-up was asked; empty where nothing but a mark tells it, which may be unsure, or may be still to come."""

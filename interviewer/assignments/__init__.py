"""Assignments: what a mentor gives their group to be interviewed on, who has done it, and what keeps assignments."""

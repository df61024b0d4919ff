"""Assignments on the page: what mentors give and see of it, and what candidates are given."""

"""Session state to report: pure functions."""

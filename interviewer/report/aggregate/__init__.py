"""Several sessions, or several people, in one report."""

"""The conversation: events, the fold over them, what comes next, and what is shown."""

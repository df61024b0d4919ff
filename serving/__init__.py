"""Processes and models: things that start, can die, and are watched."""

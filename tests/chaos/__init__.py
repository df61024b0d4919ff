"""Whole interviews in which a process is killed at a random moment; ``python -m tests.chaos --help``."""

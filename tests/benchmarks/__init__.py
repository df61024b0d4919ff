"""Benchmarks: run by one command each, never as timed assertions."""

import interviewer  # noqa: F401 -- first, so that libraries get the threads that they have in the product

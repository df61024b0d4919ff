"""Benchmarks: run by one command each, never as timed assertions."""

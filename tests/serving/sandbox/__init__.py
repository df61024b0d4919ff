"""Tests of serving/sandbox/."""

"""Tests of rubric/."""

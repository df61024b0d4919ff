"""Rubrics derived from reference answers."""

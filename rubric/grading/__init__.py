"""Grades answers: judges, signals, evidence, uncertainty."""

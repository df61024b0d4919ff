"""Checks of the question bank: structure, proofs, samples, coding tasks."""

"""Judges: question, answer and criteria in, probabilities of the four verdicts out."""

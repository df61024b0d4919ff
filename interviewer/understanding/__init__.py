"""What a person means: intents, references to questions, corrections, clauses, limits on input.

Rules, and a fitted head beside them where they end.
"""

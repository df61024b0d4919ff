"""Which questions are asked: agenda, ability estimates, spaced repetition, selection."""

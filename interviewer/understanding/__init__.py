"""What a person means: intents, references to questions, corrections, limits on input. Rules only."""

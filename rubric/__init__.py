"""What a good answer is, and how good one was."""

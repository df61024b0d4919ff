"""What the interviewer says, and what the person's words amount to in the conversation."""

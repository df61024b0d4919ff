"""Answers to the person's own questions, out of the bank and the documents."""

"""Documents in, questions out."""

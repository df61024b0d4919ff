"""The form that plans an interview, and the history beside it."""

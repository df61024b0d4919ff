"""A loop of interviews: its templates, what each round knows of those before, and the debrief at its end."""

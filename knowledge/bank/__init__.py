"""The question bank: Markdown entries and their parser."""

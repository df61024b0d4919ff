"""Parts of a report as files for other programs: Anki decks, calendars, audio clips."""

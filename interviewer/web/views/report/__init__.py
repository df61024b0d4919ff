"""The report on the page."""

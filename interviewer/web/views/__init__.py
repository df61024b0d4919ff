"""The three views of the page."""

"""Speech on the page: routes, recordings in progress, lines to be spoken."""

"""What opens over the page wherever one is: the settings, and the history."""

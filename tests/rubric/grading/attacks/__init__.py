"""Answers that want a mark they did not earn, and honest ones to hold them against; ``suite.py`` reads them."""

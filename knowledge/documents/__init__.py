"""Files to blocks of text and code."""

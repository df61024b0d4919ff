"""The conversation, the code editor and the whiteboard on the page."""

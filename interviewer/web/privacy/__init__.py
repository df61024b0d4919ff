"""Where what people give to the page is kept and worked on, and how the page tells it."""

"""Work on many interviews at once, by several machines."""

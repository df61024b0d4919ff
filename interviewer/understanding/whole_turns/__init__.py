"""Reading a turn as a whole: whether it is an answer, and what it wants where it is none."""

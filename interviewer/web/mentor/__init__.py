"""What a mentor sees of the candidates of their group, and what a candidate is told of it."""

"""What a proxy asks a page: whether it lives, and whether it can take answers."""

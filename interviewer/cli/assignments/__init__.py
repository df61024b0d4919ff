"""What the commands about assignments say, and in whose name they work."""

"""What a worker finds beside itself in the sandbox. Each file stands alone but for its neighbors."""

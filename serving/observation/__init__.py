"""What is seen of a running process from outside: its metrics, its traces, and its logs."""

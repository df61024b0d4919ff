"""Proves on a machine with a card what nothing else can: ``make gpu-check``; docs/gpu.md says what each line means."""

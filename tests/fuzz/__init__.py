"""Fuzzers: seeded random input for the parts that read what nobody vouches for; ``python -m tests.fuzz --help``."""

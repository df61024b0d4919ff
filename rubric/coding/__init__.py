"""Coding tasks and the verification of submissions."""

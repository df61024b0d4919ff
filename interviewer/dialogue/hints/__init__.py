"""Hints that were asked for, and those that may have been."""

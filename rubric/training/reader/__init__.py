"""Fits the reader: a judge that sees the criterion before the answer."""

"""Blocks of a document to questions."""

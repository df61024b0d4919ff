"""Sentence encoders and the cross-encoder."""

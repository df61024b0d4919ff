"""Fits the weights that restore indentation."""

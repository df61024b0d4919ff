"""Fits the weights of the judge. Only the training commands import it."""

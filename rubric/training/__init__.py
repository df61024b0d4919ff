"""Fitting of weights; nothing that grades an answer imports it."""

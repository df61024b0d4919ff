"""Frozen models of a report; the names of all are handed on from here."""

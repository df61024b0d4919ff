"""Assignments in SQLite, in the home that accounts share, or in PostgreSQL."""

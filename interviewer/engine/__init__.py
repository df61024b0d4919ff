"""Runs sessions: carries out actions, waits for grades, appends events. Locks and threads live here."""

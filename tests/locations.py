"""Folders that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The repository."""

SHARED = ROOT.parent / "shared"
"""Documents and graded answers beside the repository; absent on most machines."""

"""An exception in one line: what it is, and the lines of this project that it went through."""

from __future__ import annotations

import traceback
from pathlib import Path

ROOT = Path(__file__).parents[2]


def traced(error: BaseException) -> str:
    """Returns the type, the innermost lines of the project outside tests, and then the message."""
    places: list[str] = []
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "tests") and ".venv" not in path.parts:
            place = f"{path.relative_to(ROOT)}:{frame.lineno}"
            if place not in places:
                places.append(place)
    message = " ".join(str(error).split())[:120]
    return f"{type(error).__name__} at {' < '.join(places[:-7:-1]) or 'no line of ours'}\n  {message}"

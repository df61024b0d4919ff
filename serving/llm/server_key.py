"""The key that model servers elsewhere want."""

from __future__ import annotations

import os

KEY_VARIABLE = "INTERVIEWER_LLM_KEY"
"""Environment variable with the key of model servers named by URL, where they want one."""

SAME_KEY = f"Set {KEY_VARIABLE} to the same secret, here and there."
"""What to do where a server refuses the key."""

REFUSED = (401, 403)
"""What a server replies to whoever does not bring its key."""


def key() -> str:
    """The key; empty where there is none."""
    return os.environ.get(KEY_VARIABLE, "")

"""The base of every data model: frozen, closed, compared by value."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """An immutable record; unknown fields are an error, so a misspelled key never passes silently."""

    model_config = ConfigDict(frozen=True, extra="forbid")

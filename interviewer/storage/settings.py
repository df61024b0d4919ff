"""What a person has chosen for all of their interviews: one small file with the rest of their data."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from interviewer.speech.endpointing import WAIT_S
from serving import paths
from serving.atomic import write_atomic
from serving.errors import BadInputError
from serving.frozen import FrozenModel

_FILE = "settings.json"
_MOST_DOCUMENTS = 2_000
_lock = threading.Lock()


class Settings(FrozenModel):
    """What was chosen; what never was stays as it is here.

    Attributes:
        voice: the interviewer's, as the engine that speaks names it; empty for that engine's own.
        speed: how fast it speaks, 1 being its own pace.
        pause_s: seconds of silence that end a turn of somebody who talks hands-free.
        keep_recordings: whether the sound of spoken answers is kept; ``None`` leaves it to the command.
        silence_steps: whether the interviewer speaks up when the person is silent for long, in any interview.
        own_documents: whether only the person's own documents are asked from.
        left_out: paths of the documents that are not asked from.

    """

    voice: str = Field(default="", max_length=40)
    speed: float = Field(default=1.0, ge=0.5, le=2.0)
    pause_s: float = Field(default=WAIT_S, ge=1.5, le=10.0)
    keep_recordings: bool | None = None
    silence_steps: bool = True
    own_documents: bool = False
    left_out: tuple[str, ...] = Field(default=(), max_length=_MOST_DOCUMENTS)


def kept(home: Path) -> Settings:
    """What was chosen; what is no setting, or cannot be read, counts as never chosen.

    Args:
        home: the folder of the person's data.

    """
    try:
        stored = json.loads((home / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()
    settings = Settings()
    for name, value in stored.items() if isinstance(stored, dict) else ():
        try:
            settings = _with(settings, {name: value})
        except BadInputError:
            continue
    return settings


def change(home: Path, chosen: Mapping[str, Any]) -> Settings:
    """Keep what was chosen; all else stays as it is. Returns all of it.

    Args:
        home: the folder of the person's data.
        chosen: values by the names of ``Settings``.

    Raises:
        BadInputError: there is no such setting, or it cannot have that value; nothing is changed.
        StorageError: the disk refused.

    """
    with _lock:
        settings = _with(kept(home), chosen)
        write_atomic(paths.made(home) / _FILE, settings.model_dump_json(indent=1))
    return settings


def _with(settings: Settings, chosen: Mapping[str, Any]) -> Settings:
    try:
        return Settings.model_validate(settings.model_dump() | dict(chosen))
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        known = name in Settings.model_fields
        said = f"“{name}” cannot be set to this value." if known else f"There is no setting “{name}”."
        raise BadInputError(said, hint="Reload the page and choose again.") from error

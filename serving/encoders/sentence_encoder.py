"""Texts -> vectors, in process."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from serving.arrays import FloatArray
from serving.errors import ModelMissingError
from serving.models import adapter

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH = 32
"""Texts at a time; more gains nothing on two cores."""


class Embedder(Protocol):
    """What makes vectors of texts: texts that mean the same get a cosine near 1."""

    @property
    def name(self) -> str:
        """Names the model; vectors of different names cannot be compared."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """One row a text, shape [n, dim], float32, each of length 1 (so a dot product is a cosine).

        Raises:
            ModelMissingError: the model is not there.

        """

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """As ``embed``, for the many texts of an index: faster where the processor allows, rounded then.

        Raises:
            ModelMissingError: the model is not there.

        """


class SentenceTransformerEmbedder:
    """A sentence-transformers model out of a folder; nothing is fetched.

    The folder may be filled later: it is read at the first use, once, whichever thread comes first. Texts beyond
    the model's length are cut by its tokenizer (all-MiniLM-L6-v2: 256 tokens).

    Args:
        folder: the model; its name is the embedder's.
        adapted: a file of changes to its weights (``serving.models.adapter``); its version is then part of the name.

    """

    def __init__(self, folder: Path, adapted: Path | None = None) -> None:
        self._folder, self._adapted = folder, adapted
        self._model: SentenceTransformer | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The folder's name, and the version of the changes to its weights."""
        return f"{self._folder.name}+{adapter.version_of(self._adapted)}" if self._adapted else self._folder.name

    @property
    def dim(self) -> int:
        """Length of a vector, as the model's configuration has it.

        Raises:
            ModelMissingError: the folder holds no model.

        """
        try:
            config = json.loads((self._folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
            return int(config["word_embedding_dimension"])
        except (OSError, ValueError, KeyError) as error:
            raise _missing(self._folder, self.name, error) from error

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """One row a text, shape [n, dim], float32, each of length 1.

        Raises:
            ModelMissingError: the folder holds no model, or one that cannot be loaded.

        """
        return self._embedded(texts, nullcontext())

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """As ``embed``; where the processor multiplies bfloat16, the weights and texts are rounded to it.

        That takes two fifths of the time (192 texts on an AMD EPYC). The cosine with the exact vector is above .9999.

        Raises:
            ModelMissingError: the folder holds no model, or one that cannot be loaded.

        """
        return self._embedded(texts, rounding() if multiplies_bfloat16() else nullcontext())

    def _embedded(self, texts: Sequence[str], precision: AbstractContextManager[object]) -> FloatArray:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        # The tokenizer of a model cannot be borrowed by two threads at once.
        with self._lock, precision:
            vectors = self._loaded().encode(
                list(texts),
                batch_size=BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)

    def _loaded(self) -> SentenceTransformer:
        if self._model is None:
            model = published(self._folder, self.name)
            if self._adapted is not None:
                adapter.add(model[0].auto_model, adapter.load(self._adapted))
            self._model = model
        return self._model


@cache
def multiplies_bfloat16() -> bool:
    """Whether the processor has instructions for it; elsewhere rounding would cost time."""
    import torch  # noqa: PLC0415 -- seconds; who only asks for a name need not wait

    able = torch.cpu.get_capabilities()
    return not torch.cuda.is_available() and bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def rounding() -> AbstractContextManager[object]:
    """Within it, a model's matrix products are computed in bfloat16."""
    import torch  # noqa: PLC0415 -- as above

    return torch.autocast("cpu", dtype=torch.bfloat16)


def published(folder: Path, name: str = "") -> SentenceTransformer:
    """A sentence-transformers model as it was published, on the card where there is one.

    Args:
        folder: the model.
        name: what it is called where it cannot be read; left out, the folder's.

    Raises:
        ModelMissingError: the folder holds no model, or one that cannot be loaded.

    """
    if not (folder / "modules.json").is_file():
        raise _missing(folder, name)
    # Importing these takes seconds, so only whoever embeds pays for it.
    import torch  # noqa: PLC0415
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    # Loading takes a moment; a bar for it would break into the program's own output.
    logging.disable_progress_bar()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return SentenceTransformer(str(folder), device=device, local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise _missing(folder, name, error) from error


def _missing(folder: Path, name: str, error: Exception | None = None) -> ModelMissingError:
    why = f" ({error})" if error else ""
    return ModelMissingError(
        f"The embedding model {name or folder.name} cannot be read from {folder}{why}.",
        hint="It is fetched when the program starts with a network connection.",
    )

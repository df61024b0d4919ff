"""Texts -> vectors, in process."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from serving.arrays import FloatArray
from serving.encoders.compute_thread import AT_ONCE, in_turns
from serving.errors import ModelMissingError
from serving.models import adapter

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BATCH = 32
"""Texts of an index at a time: a card reads so many sooner than few, and a processor no later."""


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
        self._encode: Callable[[Sequence[str]], FloatArray] | None = None

    @cached_property
    def name(self) -> str:
        """The folder's name, and the version of the changes to its weights."""
        return f"{self._folder.name}+{adapter.version_of(self._adapted)}" if self._adapted else self._folder.name

    @cached_property
    def dim(self) -> int:
        """Length of a vector, as the model's configuration has it.

        Raises:
            ModelMissingError: the folder holds no model.

        """
        try:
            config = _json(self._folder / "1_Pooling" / "config.json")
            return int(config["word_embedding_dimension"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise missing(self._folder, self.name, error) from error

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """One row a text, shape [n, dim], float32, each of length 1.

        Raises:
            ModelMissingError: the folder holds no model, or one that cannot be loaded.

        """
        return self._embedded(texts, nullcontext, AT_ONCE)

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """As ``embed``; where the processor multiplies bfloat16, the weights and texts are rounded to it.

        That takes two fifths of the time (192 texts on an AMD EPYC). The cosine with the exact vector is above .9999.

        Raises:
            ModelMissingError: the folder holds no model, or one that cannot be loaded.

        """
        return self._embedded(texts, rounding, BATCH)

    def _embedded(
        self, texts: Sequence[str], precision: Callable[[], AbstractContextManager[object]], at_once: int
    ) -> FloatArray:
        def encode(some: list[str]) -> FloatArray:
            with precision():
                return self._loaded()(some)

        return in_turns(texts, len, self.dim, encode, at_once)

    def _loaded(self) -> Callable[[Sequence[str]], FloatArray]:
        if self._encode is None:
            self._encode = _of_bert(self._folder, self._adapted) or _of_library(self._folder, self._adapted)
        return self._encode


def _of_bert(folder: Path, adapted: Path | None) -> Callable[[Sequence[str]], FloatArray] | None:
    """Encodes by ``serving.encoders.bert``; ``None`` where the model is of another kind.

    Raises:
        ModelMissingError: the folder holds no model, or one that cannot be loaded.

    """
    # torch takes a second to import, so only whoever embeds pays for it.
    from torch.nn.functional import normalize  # noqa: PLC0415

    from serving.encoders.bert import LEFT_OUT, is_bert, load_bert  # noqa: PLC0415

    try:
        if not _is_mean(folder) or not is_bert(folder):
            return None
        bert = load_bert(folder, int(_json(folder / "sentence_bert_config.json")["max_seq_length"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise missing(folder, error=error) from error
    if adapted is not None:
        adapter.add(bert, adapter.load(adapted), LEFT_OUT)

    def encode(texts: Sequence[str]) -> FloatArray:
        found: FloatArray = normalize(bert.means(texts), dim=1).cpu().numpy()
        return found

    return encode


def _is_mean(folder: Path) -> bool:
    """Whether a text's vector is the mean of its states, made one long, and nothing else."""
    parts = [part["type"].rpartition(".")[2] for part in _json(folder / "modules.json")]
    pooling = _json(folder / "1_Pooling" / "config.json")
    ways = [name for name, value in pooling.items() if name.startswith("pooling_mode_") and value]
    lowered = _json(folder / "sentence_bert_config.json").get("do_lower_case", False)
    return parts == ["Transformer", "Pooling", "Normalize"] and ways == ["pooling_mode_mean_tokens"] and not lowered


def _of_library(folder: Path, adapted: Path | None) -> Callable[[Sequence[str]], FloatArray]:
    """Encodes by sentence-transformers.

    Raises:
        ModelMissingError: the folder holds no model, or one that cannot be loaded.

    """
    model = published(folder)
    if adapted is not None:
        adapter.add(model[0].auto_model, adapter.load(adapted))

    def encode(texts: Sequence[str]) -> FloatArray:
        vectors = model.encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    return encode


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


@cache
def multiplies_bfloat16() -> bool:
    """Whether the processor has instructions for it; elsewhere rounding would cost time."""
    import torch  # noqa: PLC0415 -- seconds; who only asks for a name need not wait

    able = torch.cpu.get_capabilities()
    return not torch.cuda.is_available() and bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def rounding() -> AbstractContextManager[object]:
    """Within it, a model's matrix products are computed in bfloat16 where the processor multiplies it."""
    if not multiplies_bfloat16():
        return nullcontext()
    import torch  # noqa: PLC0415 -- as above

    return torch.autocast("cpu", dtype=torch.bfloat16)


def published(folder: Path) -> SentenceTransformer:
    """A sentence-transformers model as it was published, on the card where there is one.

    Args:
        folder: the model.

    Raises:
        ModelMissingError: the folder holds no model, or one that cannot be loaded.

    """
    if not (folder / "modules.json").is_file():
        raise missing(folder)
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
        raise missing(folder, error=error) from error


def missing(folder: Path, name: str = "", error: Exception | None = None) -> ModelMissingError:
    """The error of a model that is not there, or cannot be loaded."""
    why = f" ({error})" if error else ""
    return ModelMissingError(
        f"The embedding model {name or folder.name} cannot be read from {folder}{why}.",
        hint="It is fetched when the program starts with a network connection.",
    )

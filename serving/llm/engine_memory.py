"""What vLLM's engine holds on a CPU and a reader of states never uses, left out: together 0.6 GB.

Each of these is a step that no option of vLLM's turns off.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

UNUSED = ("sklearn", "scipy", "av", "cv2")
"""Libraries that transformers and vLLM import where they are there, for models and metrics that are not used here."""

_PACKS = "process_weights_after_loading"


def leave_out(names: tuple[str, ...] = UNUSED) -> None:
    """Have libraries look as if they were not installed to whatever is imported from now on in this process."""
    for name in names:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # the import system's own way to say so


@contextmanager
def embedding_as_loaded() -> Iterator[None]:
    """Have the embedding of an engine that is made within used as it was loaded; such an engine can give no words.

    vLLM packs a copy of it as soon as it is loaded, for models whose head it is as well: 446 MB of the judge's.
    """
    # It takes seconds to import, and only an engine needs it.
    from vllm.model_executor.layers.vocab_parallel_embedding import UnquantizedEmbeddingMethod  # noqa: PLC0415

    packs = getattr(UnquantizedEmbeddingMethod, _PACKS)
    setattr(UnquantizedEmbeddingMethod, _PACKS, _as_loaded)
    try:
        yield
    finally:
        setattr(UnquantizedEmbeddingMethod, _PACKS, packs)


def _as_loaded(method: object, layer: object) -> None:
    """Leave a layer as it is; takes the place of a method of vLLM's."""

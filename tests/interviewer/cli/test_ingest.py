"""``ingest`` as another program calls it."""

from __future__ import annotations

import json
from pathlib import Path

from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from tests.integration.commands import run


def test_one_bad_file_makes_status_2_and_the_others_are_read(
    embedder: SentenceTransformerEmbedder, tmp_path: Path, home: Path
) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    # A document without questions needs no vectors, so neither does the bank now.
    (folder / "notes.md").write_text("Nothing is asked in here.\n", encoding="utf-8")
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    done = run("ingest", folder, "--json")
    assert done.returncode == 2, done.stderr
    assert json.loads(done.stdout) == []
    said = " ".join(done.stderr.split())
    assert "notes.md: 0 questions" in said
    assert "torn.pdf is damaged" in said
    assert "Traceback" not in done.stderr

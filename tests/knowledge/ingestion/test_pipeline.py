from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from knowledge.documents.reader import document_of
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion import manifest
from knowledge.ingestion import pipeline as ingest_module
from knowledge.ingestion.pipeline import Outcome, ingest, sync_bank
from knowledge.model import FlagKind
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.sandbox import fork_server
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.process import SandboxedProcess
from tests.knowledge import stories
from tests.knowledge.documents.formats.test_formats import notebook_bytes
from tests.knowledge.entry import ENTRY
from tests.locations import ROOT


@pytest.fixture
def index(tmp_path: Path, embedder: SentenceTransformerEmbedder) -> QuestionIndex:
    return QuestionIndex.open(tmp_path / "index", embedder)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def texts(index: QuestionIndex) -> list[str]:
    return [question.text for question in index.questions()]


def outcomes(paths: list[Path], index: QuestionIndex) -> list[tuple[str, Outcome, int]]:
    return [(Path(file.path).name, file.outcome, file.questions) for file in ingest(paths, index).files]


def test_files_and_folders_are_read(tmp_path: Path, index: QuestionIndex) -> None:
    write(tmp_path / "d" / "a.md", "Q1. What is A?\nThis.\n")
    write(tmp_path / "d" / "deep" / "b.TXT", "Q1. What is B?\nThat.\n")
    write(tmp_path / "d" / ".git" / "c.md", "Q1. What is hidden?\nThis.\n")
    write(tmp_path / "d" / "e.py", "Q1. What is no document?\nThis.\n")
    single = write(tmp_path / "f.markdown", "Q1. What is C?\nThose.\n")
    done = ingest([single, tmp_path / "d"], index)
    assert [question.text for question in done.questions] == ["What is C?", "What is A?", "What is B?"]
    assert done.questions[0].source.path == str(single)
    assert [file.outcome for file in done.files] == [Outcome.READ] * 3
    assert texts(index) == ["What is C?", "What is A?", "What is B?"]


def test_a_folder_may_hold_every_format(tmp_path: Path, index: QuestionIndex) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.pdf").write_bytes(stories.as_pdf("numbered"))
    (tmp_path / "d" / "b.html").write_text(stories.as_html("faq"), encoding="utf-8")
    (tmp_path / "d" / "c.docx").write_bytes(stories.as_docx("heading"))
    (tmp_path / "d" / "d.ipynb").write_bytes(notebook_bytes())
    write(tmp_path / "d" / "e.csv", "question,answer\nWhat is a column?,A field.\n")
    done = ingest([tmp_path / "d"], index)
    assert [file.questions for file in done.files] == [5, 5, 5, 2, 1]
    assert index.search("field of a table", 1)[0].question.text == "What is a column?"


def test_reading_again_replaces_a_document_s_own_questions_only(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.md", "Q1. What is A?\nThis.\nQ2. What is B?\nThat.\n")
    other = write(tmp_path / "o.md", "Q1. What is O?\nThis.\n")
    ingest([path, other], index)
    write(path, "Q1. What is B?\nThat.\nQ2. What is C?\nThose.\n")
    monkeypatch.chdir(tmp_path)
    ingest([Path("a.md")], index)
    assert texts(index) == ["What is B?", "What is C?", "What is O?"]


def test_a_file_with_unchanged_bytes_is_not_read_again(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")
    none = write(tmp_path / "none.md", "Nothing is asked here.\n")
    assert outcomes([path, none], index) == [("a.md", Outcome.READ, 1), ("none.md", Outcome.READ, 0)]
    generation = (tmp_path / "index" / "CURRENT").read_text(encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(ingest_module, "document_of", None)
        done = ingest([path, none], index)
    assert [file.outcome for file in done.files] == [Outcome.UNCHANGED] * 2
    assert [question.text for question in done.questions] == ["What is A?"]
    assert (tmp_path / "index" / "CURRENT").read_text(encoding="utf-8") == generation
    monkeypatch.setattr(ingest_module, "reader_version", lambda: "another")
    assert outcomes([path], index) == [("a.md", Outcome.READ, 1)]


def test_the_ledger_counts_only_while_the_index_agrees(tmp_path: Path, index: QuestionIndex) -> None:
    path = write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")
    ingest([path], index)
    index.replace(str(path.resolve()), [])
    assert outcomes([path], index) == [("a.md", Outcome.READ, 1)]
    assert texts(index) == ["What is A?"]
    (tmp_path / "index" / "files.json").write_bytes(b'{"a": 1')
    assert outcomes([path], index) == [("a.md", Outcome.READ, 1)]
    assert outcomes([path], index) == [("a.md", Outcome.UNCHANGED, 1)]


def test_what_is_gone_from_a_folder_is_removed_and_said(tmp_path: Path, index: QuestionIndex) -> None:
    folder = tmp_path / "d"
    gone = write(folder / "deep" / "a.md", "Q1. What is A?\nThis.\n")
    write(folder / "b.md", "Q1. What is B?\nThat.\n")
    outside = write(tmp_path / "o.md", "Q1. What is O?\nThis.\n")
    ingest([folder, outside], index)
    gone.unlink()
    outside.unlink()
    done = ingest([folder], index)
    assert [(file.outcome, file.questions) for file in done.files] == [(Outcome.UNCHANGED, 1), (Outcome.REMOVED, 1)]
    assert done.files[1].said == f"{gone.resolve()} is gone: 1 question removed"
    assert texts(index) == ["What is B?", "What is O?"]
    (folder / "b.md").unlink()
    assert outcomes([folder], index) == [("b.md", Outcome.REMOVED, 1)]
    assert str(gone.resolve()) not in manifest.load(index.folder)


def test_a_bad_file_is_named_and_stops_no_other(tmp_path: Path, index: QuestionIndex) -> None:
    folder = tmp_path / "d"
    changing = write(folder / "a.md", "Q1. What is A?\nThis.\n")
    ingest([folder], index)
    changing.write_bytes(b"\x89PNG\r\n\x1a\n")
    write(folder / "b.md", ENTRY.replace("kind: concept", "kind: riddle"))
    write(folder / "c.md", "Q1. What is C?\nThis.\n")
    write(folder / "x.pdf", "no pdf at all")
    (tmp_path / "empty").mkdir()
    done = ingest([folder, tmp_path / "gone.md", tmp_path / "empty"], index)
    assert [file.outcome for file in done.files] == [
        Outcome.FAILED,
        Outcome.FAILED,
        Outcome.READ,
        Outcome.FAILED,
        Outcome.FAILED,
        Outcome.FAILED,
    ]
    said = [file.said for file in done.failed]
    assert "a.md is not a text file but a picture" in said[0]
    assert said[0].endswith("The 1 question read from it before stay.")
    assert "b.md, line 10" in said[1]
    assert "x.pdf is not a PDF" in said[2]
    assert "gone.md does not exist" in said[3]
    assert "holds no documents" in said[4]
    assert texts(index) == ["What is A?", "What is C?"]


def test_what_cannot_be_looked_at_is_not_gone(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "d" / "a.md", "Q1. What is A?\nThis.\n")
    ingest([path], index)
    moved = path.rename(tmp_path / "a.md")
    stat = Path.stat

    def refused(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if self == path:
            raise PermissionError(13, "Permission denied")
        return stat(self, follow_symlinks=follow_symlinks)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refused)
        ingest([tmp_path / "d"], index)
    assert texts(index) == ["What is A?"]
    moved.rename(path)


def test_progress_tells_of_files_and_of_vectors(tmp_path: Path, index: QuestionIndex) -> None:
    write(tmp_path / "bank" / "one.md", ENTRY)
    sync_bank(index, tmp_path / "bank")
    told: list[tuple[str, float | None]] = []
    path = write(tmp_path / "a.md", "".join(f"Q{n}. What is number {n}?\nThis.\n" for n in range(1, 50)))
    ingest([path], index, lambda detail, share=None: told.append((detail, share)))
    assert told[0] == ("Reading a.md", 0.0)
    # The bank's own vectors are not what the person waits for.
    assert {detail for detail, _ in told[1:]} == {"Vectors of 49 questions"}
    assert index.library().pending == ("bank/one.md",)
    assert {hit.question.id for hit in index.search("strides of a view", 50)} >= {"tensors-strides"}
    assert all(share is not None and 0 <= share < 1 for _, share in told)


def test_ctrl_c_leaves_the_index_as_it_was(tmp_path: Path, index: QuestionIndex) -> None:
    ingest([write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")], index)

    def interrupt(detail: str, share: float | None = None) -> None:
        if detail.startswith("Vectors"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest([write(tmp_path / "b.md", "Q1. What is B?\nThat.\n")], index, interrupt)
    assert texts(index) == ["What is A?"]
    assert outcomes([tmp_path / "b.md"], index) == [("b.md", Outcome.READ, 1)]


CHILD = """
import sys
from pathlib import Path
import numpy as np
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.pipeline import ingest

class Slow:
    name, dim = "slow", 4
    def embed(self, texts):
        print("vectors", flush=True)
        import time; time.sleep(float(sys.argv[3]))
        return np.tile(np.float32([1, 0, 0, 0]), (len(texts), 1))
    embed_documents = embed

done = ingest([Path(sys.argv[2])], QuestionIndex.open(Path(sys.argv[1]), Slow()))
print(len(done.questions), flush=True)
"""


class Instant:
    """Vectors that mean nothing, of the same name as the child's."""

    name, dim = "slow", 4

    def embed(self, texts: object) -> object:
        import numpy as np

        return np.tile(np.float32([1, 0, 0, 0]), (len(list(texts)), 1))  # type: ignore[call-overload]

    embed_documents = embed


def child(index: Path, document: Path, seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(index), str(document), str(seconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_a_process_that_is_killed_half_way_leaves_the_old_index(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    old = QuestionIndex.open(folder, Instant())  # type: ignore[arg-type]
    ingest([write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")], old)
    process = child(folder, write(tmp_path / "b.md", "Q1. What is B?\nThat.\n"), 60)
    assert process.stdout
    assert process.stdout.readline() == "vectors\n"
    process.kill()
    process.communicate(timeout=20)
    again = QuestionIndex.open(folder, Instant())  # type: ignore[arg-type]
    assert texts(again) == ["What is A?"]
    assert outcomes([tmp_path / "b.md"], again) == [("b.md", Outcome.READ, 1)]
    assert texts(again) == ["What is A?", "What is B?"]


def test_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    documents = [write(tmp_path / f"{n}.md", f"Q1. What is number {n}?\nThis.\n") for n in range(2)]
    both = [child(folder, document, 0.3) for document in documents]
    for process in both:
        out, errors = process.communicate(timeout=120)
        assert out.endswith("1\n"), errors
    index = QuestionIndex.open(folder, Instant())  # type: ignore[arg-type]
    assert sorted(texts(index)) == [f"What is number {n}?" for n in range(2)]
    assert set(manifest.load(folder)) == {str(document.resolve()) for document in documents}


def test_threads_at_once_lose_nothing(tmp_path: Path) -> None:
    index = QuestionIndex.open(tmp_path / "index", Instant())  # type: ignore[arg-type]
    documents = [write(tmp_path / f"{n}.md", f"Q1. What is number {n}?\nThis.\n") for n in range(6)]
    threads = [threading.Thread(target=ingest, args=([document], index)) for document in documents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(index)) == [f"What is number {n}?" for n in range(6)]
    assert len(manifest.load(index.folder)) == 6


def test_a_corrupt_index_is_rebuilt_by_reading_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "index"
    path = write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")
    ingest([path], QuestionIndex.open(folder, Instant()))  # type: ignore[arg-type]
    generation = (folder / "CURRENT").read_text(encoding="utf-8")
    (folder / generation / "library.json").write_text(json.dumps([1]), encoding="utf-8")
    damaged = QuestionIndex.open(folder, Instant())  # type: ignore[arg-type]
    assert "damaged" in caplog.text
    assert outcomes([path], damaged) == [("a.md", Outcome.READ, 1)]
    assert texts(QuestionIndex.open(folder, Instant())) == ["What is A?"]  # type: ignore[arg-type]


def test_a_hostile_file_leaves_a_usable_index(tmp_path: Path, index: QuestionIndex) -> None:
    good = write(tmp_path / "d" / "a.md", "Q1. What is A?\nThis.\n")
    with (tmp_path / "d" / "huge.txt").open("wb") as file:
        file.truncate(200 * 2**20)
    (tmp_path / "d" / "deep.json").write_bytes(b"[" * 200_000)
    begun = time.monotonic()
    done = ingest([tmp_path / "d"], index)
    assert time.monotonic() - begun < 60
    assert [Path(file.path).name for file in done.failed] == ["deep.json", "huge.txt"]
    assert index.search("A", 1)[0].question.source.path == str(good)


def test_the_bank_follows_its_files_and_leaves_documents_alone(tmp_path: Path, index: QuestionIndex) -> None:
    ingest([write(tmp_path / "a.md", "Q1. What is A?\nThis.\n")], index)
    bank = tmp_path / "bank"
    write(bank / "one.md", ENTRY)
    write(bank / "two.md", ENTRY.replace("tensors-strides", "second").replace("What are `stride()`s?", "Two?"))
    sync_bank(index, bank)
    assert texts(index) == ["What is A?", "What are `stride()`s?", "Two?"]
    (bank / "one.md").unlink()
    sync_bank(index, bank)
    assert texts(index) == ["What is A?", "Two?"]
    assert index.search("Two?", 1)[0].question.id == "second"


DATED = """Q1. How do you train in half precision?

Wrap the forward pass in autocast.

```python
import torch
with torch.cuda.amp.autocast():
    pass
```
"""


def test_what_is_dated_in_a_document_is_flagged_and_kept(tmp_path: Path, index: QuestionIndex) -> None:
    done = ingest([write(tmp_path / "a.md", DATED)], index)
    assert done.unmade == ()
    (kept,) = QuestionIndex.open(index.folder, index._embedder).questions()
    assert kept == done.questions[0]
    assert kept.code[0].use is not None
    assert [flag.kind for flag in kept.flags] == [FlagKind.DEPRECATED]
    assert kept.flags[0].line == 7
    assert "torch.amp.autocast" in kept.flags[0].reason


def test_the_code_of_all_documents_runs_in_one_sandbox_that_is_closed(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SandboxedProcess] = []

    class Counted(SandboxedProcess):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            started.append(self)

    monkeypatch.setattr(fork_server, "SandboxedProcess", Counted)
    for number in range(3):
        code = f"import torch\n\ntorch.zeros(2, 3) @ torch.zeros(2, 5 + {number})"
        write(tmp_path / f"{number}.md", f"# What is shown here?\n\nIt fails:\n\n```python\n{code}\n```\n")
    questions = ingest([tmp_path], index).questions
    assert [[flag.kind for flag in question.flags] for question in questions] == [[FlagKind.FAILS]] * 3
    assert [process.alive for process in started] == [False]


def test_what_could_not_be_executed_is_said_and_made_up_for(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(
        tmp_path / "a.md", DATED.replace("with torch.cuda.amp.autocast():\n    pass", "x = torch.zeros(2).reshape(3)")
    )
    with monkeypatch.context() as patch:
        patch.setattr(Bubblewrap, "unavailable", lambda _: "Code is not executed: bubblewrap is not installed.")
        patch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
        done = ingest([path], index)
    assert "bubblewrap is not installed" in done.unmade[0]
    assert [len(question.flags) for question in done.questions] == [0]
    again = ingest([path], index)
    assert again.files[0].outcome is Outcome.READ
    assert [flag.kind for flag in again.questions[0].flags] == [FlagKind.FAILS]
    assert ingest([path], index).files[0].outcome is Outcome.UNCHANGED


def test_a_fault_of_ours_names_its_file_and_the_others_are_read(
    tmp_path: Path, index: QuestionIndex, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = write(tmp_path / "bad.md", "Q1. What is A?\n"), write(tmp_path / "good.md", "Q1. What is B?\nThis.\n")
    real = document_of

    def broken(data: bytes, path: Path) -> object:
        return real(data, path) if path != bad else 1 // 0

    monkeypatch.setattr(ingest_module, "document_of", broken)
    done = ingest([bad, good], index)
    assert [file.outcome for file in done.files] == [Outcome.FAILED, Outcome.READ]
    assert "bad.md could not be read: it triggers a fault" in done.files[0].why
    assert texts(index) == ["What is B?"]
    assert "ZeroDivisionError" in caplog.text

"""Some interviews at once over HTTP, as the load bench holds many: nothing fails, is mixed up, or goes missing."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.pipeline import IngestReport, sync_bank
from rubric.fitted_weights import ADAPTER, CROSS_ENCODER
from rubric.grading.grader import RubricGrader
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from serving.encoders.cross_encoder import FittedCrossEncoder
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
from serving.llm.client import ModelServerClient
from serving.llm.vllm_server import free_port
from serving.models import catalogue
from serving.warmup import Warmup
from tests.benchmarks.load import Load, Served, hold_all, paced_server, told

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
PACE = 0.1
"""Share of the measured time that the simulated model server takes."""


@contextmanager
def page(folder: Path, embedder: SentenceTransformerEmbedder) -> Iterator[Served]:
    """The page in this process, its grader real but for the model's states."""
    index = QuestionIndex.open(folder / "index", embedder)
    sync_bank(index)
    folder_of_encoder = catalogue.ensure_embedder()
    encoder = SentenceTransformerEmbedder(folder_of_encoder, ADAPTER)
    cross_encoder = FittedCrossEncoder(folder_of_encoder, CROSS_ENCODER)
    with paced_server(PACE) as judge, Journal(folder / "journal.db") as journal:
        client = ModelServerClient(lambda: judge.endpoint, lambda: "It is being stopped.")
        state_judge = StateJudge(client, load(), model=catalogue.EMBEDDED.name, digest=catalogue.EMBEDDED.sha256)
        grader = RubricGrader(state_judge, encoder, cross_encoder)
        with InterviewService(journal, index, grader, patience_s=8.0) as service:
            built = build_page(service, index, Warmup([]), journal, lambda _: IngestReport(files=(), questions=()))
            try:
                yield Served(launch_page(built, port=free_port()), folder / "journal.db", os.getpid())
            finally:
                built.close(verbose=False)
                client.close()
    gc.collect()


@pytest.mark.by_number("interviewer/web", "interviewer/engine")
def test_several_interviews_at_once_are_kept_apart_and_whole(
    tmp_path: Path, embedder: SentenceTransformerEmbedder
) -> None:
    wanted = Load(candidates=4, minutes=0.1, think_s=(0.2, 1.0), arrive_s=1.0, least=2)
    with page(tmp_path, embedder) as served:
        figures = asyncio.run(hold_all(served, wanted))
    assert figures.wrong == []
    assert len(figures.seconds["the report"]) == wanted.candidates
    assert figures.seconds["the reply to an answer that is graded"]
    assert "0 things went wrong." in list(told(figures))

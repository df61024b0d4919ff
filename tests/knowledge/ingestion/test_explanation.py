from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from interviewer.cli.explanation_tables import tables
from knowledge.index.question_index import QuestionIndex
from knowledge.ingestion.explanation import explain
from knowledge.model import CodeBlock, CodeUse, FlagKind, Question, ReferenceFlag, Source
from serving.encoders.sentence_encoder import SentenceTransformerEmbedder

FLAG = ReferenceFlag(kind=FlagKind.DEPRECATED, reason="torch.cuda.amp is deprecated [red]now[/red].", line=9)


def question(name: str, text: str, path: str, **fields: object) -> Question:
    made = Question(id=name, text=text, spoken=text, topic="training", source=Source(path=path, line=3))
    return made.model_copy(update=fields)


@pytest.fixture
def index(tmp_path: Path, embedder: SentenceTransformerEmbedder) -> QuestionIndex:
    answer = "Warmup raises the learning rate slowly while Adam's second moments are noisy."
    code = (
        CodeBlock(text="x = 1", language="python", parses=True, use=CodeUse.RUNNABLE),
        CodeBlock(text="if", language="python", parses=False, restored=True, use=CodeUse.FRAGMENT),
        CodeBlock(text="ls", language="bash"),
    )
    made = QuestionIndex.open(tmp_path / "index", embedder)
    asked = "Why does learning rate warmup help?"
    made.replace_all(
        {
            "a": [question("a1", asked, "a.md", reference=answer + " It does.", flags=(FLAG,), code=code)],
            "b": [question("b1", "why does \x1b[31mlearning rate warmup help", "b.md", reference=answer)],
            "c": [question("c1", "What is a strided view of a tensor?", "c.md")],
        }
    )
    return made


def test_clusters_flags_and_code_are_told(index: QuestionIndex) -> None:
    found = explain(index.questions(), index.library())
    (cluster,) = found.clusters
    assert found.questions == 3
    assert {cluster.lead.id, *(member.id for member in cluster.members)} == {"a1", "b1"}
    assert all(0.5 <= member.likeness <= 1 for member in cluster.members)
    assert [(flagged.id, flagged.flags) for flagged in found.flagged] == [("a1", (FLAG,))]
    assert (found.code.blocks, found.code.python, found.code.parsing, found.code.restored) == (3, 2, 1, 1)
    assert found.code.uses == {CodeUse.RUNNABLE: 1, CodeUse.FRAGMENT: 1}


def test_only_clusters_of_the_given_questions_are_told(index: QuestionIndex) -> None:
    assert explain([index.get("c1")], index.library()).clusters == ()
    (cluster,) = explain([index.get("a1")], index.library()).clusters
    assert len(cluster.members) == 1


def test_tables_show_documents_words_as_they_are(index: QuestionIndex) -> None:
    out = io.StringIO()
    console = Console(file=out, width=200, color_system=None)
    for table in tables(explain(index.questions(), index.library())):
        console.print(table)
    shown = out.getvalue()
    assert "[red]now[/red]" in shown
    assert "\x1b" not in shown
    assert "b.md, line 3" in shown
    assert "3 blocks of code; 1 of 2 meant to be Python parse" in shown


def test_it_is_data_too(index: QuestionIndex) -> None:
    found = explain(index.questions(), index.library())
    assert type(found).model_validate_json(found.model_dump_json()) == found

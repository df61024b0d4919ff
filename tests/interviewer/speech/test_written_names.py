"""Names that are said aloud are shown as code writes them, and plain English stays as it is."""

from __future__ import annotations

import pytest

from interviewer.report.phrases.common import as_written
from interviewer.speech.name_table import names_of
from interviewer.speech.pronunciation import spoken
from interviewer.speech.written_names import TABLE, with_names
from knowledge.bank.parser import load_bank
from tests.interviewer.builders import question


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (
            "What exactly changes when you set num workers to four?",
            "What exactly changes when you set num_workers to four?",
        ),
        ("Inside no grad you create an nn dot Linear.", "Inside no_grad you create an nn.Linear."),
        ("How do b float sixteen and plain half precision differ?", "How do bfloat16 and plain half precision differ?"),
        ("What does float sixteen do better than bfloat sixteen?", "What does float16 do better than bfloat16?"),
        ("What if it called torch dot topk instead?", "What if it called torch.topk instead?"),
        ("Somebody takes no sync out altogether.", "Somebody takes no_sync out altogether."),
        ("Somebody suggests nan to num on the weights.", "Somebody suggests nan_to_num on the weights."),
        ("What does torch dot export make of a branch?", "What does torch.export make of a branch?"),
        ("Does each rank call set epoch?", "Does each rank call set_epoch?"),
        ("How do batch norm and R M S norm differ?", "How do batch norm and RMSNorm differ?"),
        ("The memory shown by nvidia S M I stays.", "The memory shown by nvidia-smi stays."),
        ("How does that spoil your A B tests?", "How does that spoil your A/B tests?"),
        ("Write down what dot grad holds.", "Write down what .grad holds."),
        ("Two programs give 0 point 30000001 and 2.", "Two programs give 0.30000001 and 2."),
    ],
)
def test_what_is_said_is_shown_as_one_writes_it(said: str, written: str) -> None:
    assert as_written(said) == written


@pytest.mark.parametrize(
    "said",
    [
        "The group size is sixteen, and the batch size is two.",
        "Who sets the level, and in which epoch?",
        "Is there no synchronization, or no single stream?",
        "How many workers are there?",
        "The gate up there is closed, and the values are restored.",
        "What was the main point, 3 or 4?",
        "Which loss would you take for that, and where does the weight go?",
    ],
)
def test_plain_english_stays(said: str) -> None:
    assert as_written(said) == said


def test_the_voice_says_it_as_before() -> None:
    for said in ("Set num workers to four.", "It is an nn dot Linear.", "Call set epoch."):
        assert spoken(said).replace(" ", "").lower() == spoken(as_written(said)).replace(" ", "").lower()


def test_a_name_is_known_where_the_bank_writes_it_and_says_it_and_never_means_plain_english() -> None:
    entries = [
        question(
            "a", text="Set `kv_quux` and `list.pop()`. The `batch_size` is the batch size.", spoken="Which kv quux?"
        ),
        question("b", text="x", spoken="Which batch size? Call list dot pop. Set `unsaid_frobnicate` never."),
        question("c", text="`never_told` stays.", spoken="What stays?"),
    ]
    assert names_of(entries) == {"kv quux": "kv_quux", "list dot pop": "list.pop"}


def test_the_table_is_the_banks() -> None:
    lines = "".join(f"{said}\t{name}\n" for said, name in names_of(load_bank()).items())
    assert TABLE.read_text(encoding="utf-8") == lines, "run python -m interviewer.speech.name_table"


def test_spaces_and_capitals_make_no_difference() -> None:
    assert with_names("Num  workers") == "num_workers"

"""The person's own questions are answered by the sentences that answer them, or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from interviewer.engine.passages.passages import Passages, decides
from knowledge.bank.parser import load_bank
from knowledge.glossary.glossary import Glossary
from knowledge.model import FlagKind, Kind, Question, ReferenceFlag
from rubric.model import AskedBy, Criterion, Examples, Rubric
from serving.arrays import FloatArray
from tests.interviewer.builders import Shelf, question
from tests.interviewer.engine.test_answer_reader import WordEncoder

REFERENCE = (
    "Mixed precision keeps most tensors in sixteen bits. Gradients of a tiny size underflow to zero in float16. "
    "A gradient scaler multiplies the loss so that tiny gradients survive. The optimizer keeps a full copy.\n"
    "```python\nscaler.step(optimizer)\n```"
)
HELD = question(
    "q", text="How does mixed precision training work?", reference=REFERENCE, reading=("Automatic mixed precision",)
)


def on(text: str, *held: Question) -> tuple[str, str]:
    found = Passages(Shelf(held or (HELD,)), None).on(text)
    assert found is not None
    return found.said, found.place


def test_what_is_on_a_question_that_was_asked_is_answered_from_that_question_first() -> None:
    reference = "The scaler watches for infinite gradients. The step is skipped then, and its factor halved."
    other = HELD.model_copy(update={"id": "asked", "reference": reference, "rubric": None})
    passages = Passages(Shelf([HELD, other]), WordEncoder(), searcher=WordEncoder())
    found = passages.on("Is the step skipped then, and the factor halved?", [other])
    assert found is not None
    assert found.said == "The step is skipped then, and its factor halved."
    again = passages.on("What is the best pizza topping?", [other])
    assert again is None or again.said == ""


def test_who_asks_whether_a_wrong_statement_holds_is_told_the_point() -> None:
    wrong = Examples(met=("The step is left out.",), contradicted=("An infinite gradient ends the whole program.",))
    point = Criterion(id="c1", text="On an overflow the update is left out.", examples=wrong)
    other = HELD.model_copy(update={"id": "asked", "rubric": Rubric(criteria=(point,), origin="bank")})
    found = Passages(Shelf([HELD]), None, searcher=WordEncoder()).on("Ends an infinite gradient the program?", [other])
    assert found is not None
    assert found.said == "On an overflow the update is left out."


def test_the_sentence_that_answers_is_said_and_not_the_opening_lines() -> None:
    said, place = on("What does a gradient scaler do to the loss?")
    assert said == "A gradient scaler multiplies the loss so that tiny gradients survive."
    assert place == "bank.md, line 1"


def test_what_is_near_but_answers_nothing_is_pointed_to() -> None:
    found = Passages(Shelf([HELD]), None).on("How does mixed training work with mascots and quokkas?")
    assert found is not None
    assert found.said == ""
    assert found.reading == "Automatic mixed precision"


def test_what_is_elsewhere_is_not_pointed_to() -> None:
    assert on("Where are the quokkas?") == ("", "")


def test_stories_and_references_that_are_not_to_be_trusted_answer_nothing() -> None:
    story = HELD.model_copy(update={"kind": Kind.BEHAVIORAL})
    flagged = HELD.model_copy(update={"flags": (ReferenceFlag(kind=FlagKind.WRONG, reason="It is wrong."),)})
    for held in (story, flagged):
        assert on("What does a gradient scaler do to the loss?", held)[0] == ""


def test_a_point_of_the_bank_answers_what_its_probe_asks() -> None:
    point = Criterion(
        id="c1", text="On an overflow the update is left out.", probe="What does the scaler do when it meets an inf?"
    )
    held = HELD.model_copy(update={"rubric": Rubric(criteria=(point,), origin="bank")})
    found = Passages(Shelf([held]), WordEncoder()).on("And what does it do when it meets an inf?")
    assert found is not None
    assert found.said == "On an overflow the update is left out."


CHIEF = "Most tensors are kept in sixteen bits."
MIXED = HELD.model_copy(
    update={
        "rubric": Rubric(
            origin="bank",
            criteria=(
                Criterion(id="c1", text="Sums stay in float32.", weight=1, probe="Which of them do not?"),
                Criterion(id="c2", text=CHIEF, weight=3, probe="How large are they?"),
                Criterion(id="c3", text="Tiny values vanish.", weight=3, probe="Then?", asked_by=AskedBy.PROBE),
                Criterion(id="c4", text="A scaler keeps small gradients.", weight=2, probe="What of gradients?"),
            ),
        )
    }
)


@pytest.mark.parametrize(
    "asked", ["How does mixed precision training help?", "So, how does mixed precision training work?"]
)
def test_what_a_thing_is_is_told_by_the_chief_points_of_its_question(asked: str) -> None:
    found = Passages(Shelf([MIXED]), WordEncoder(), Glossary(())).on(asked)
    assert found is not None
    assert found.said == f"{CHIEF} A scaler keeps small gradients."


@pytest.mark.parametrize("asked", ["Where did mixed precision training begin?", "What is the salary of a trainer?"])
def test_anything_more_special_is_not(asked: str) -> None:
    found = Passages(Shelf([MIXED]), WordEncoder(), Glossary(())).on(asked)
    assert found is not None
    assert CHIEF not in found.said


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "Which layers is Muon applied to?",
            "applied to the matrices of hidden layers, while emb",
        ),
        # Two points say it: what stands in for the network, and what is saved by that.
        ("Why does GRPO not need a value network?", "relative to the mean of a group|a critic as large as the policy"),
    ],
)
def test_a_point_of_the_bank_that_the_search_ranks_low_is_found_by_the_rarest_word(asked: str, told: str) -> None:
    found = Passages(Shelf(load_bank()), None).on(asked)
    assert found is not None
    assert re.search(told, found.said)
    assert found.place


@pytest.mark.parametrize("asked", ["What is the salary range?", "Is the team remote?", "Who won the world cup?"])
def test_what_the_bank_does_not_have_is_not_answered_by_words_that_happen_to_be_there(asked: str) -> None:
    found = Passages(Shelf(load_bank()), None).on(asked)
    assert found is not None
    assert found.said == ""


class CountingEncoder(WordEncoder):
    """Counts the texts that it reads."""

    read = 0

    def embed(self, texts: Sequence[str]) -> FloatArray:
        self.read += len(texts)
        return super().embed(texts)


def test_the_encoder_reads_a_few_sentences_and_not_all() -> None:
    encoder = CountingEncoder()
    assert Passages(Shelf(load_bank()), encoder).on("Which optimizer for embeddings with Muon?") is not None
    assert 0 < encoder.read < 40


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What is gradient checkpointing good for?", "Gradient checkpointing saves memory in training"),
        ("And what does pin memory do?", "Pinned memory is host memory"),
        ("When would you use FSDP instead of DDP?", "DDP keeps a full copy of the model on each rank"),
        ("Why is k3 less noisy than k1?", "The KL estimators named k1, k2, and k3"),
        ("Do I need CPU offloading if I already use FSDP?", "FSDP shards parameters"),
        ("Do I need CPU offloading if I already use our own sharding?", "CPU offloading keeps optimizer state"),
    ],
)
def test_what_a_term_means_is_told_out_of_the_glossary(asked: str, said: str) -> None:
    found = Passages(Shelf([HELD]), WordEncoder()).on(asked)
    assert found is not None
    assert said in found.said
    assert found.place == "Glossary"


def test_a_document_of_the_persons_own_goes_before_the_glossary() -> None:
    theirs = question("d", text="What is label smoothing?", reference="Label smoothing is what we call a haircut here.")
    found = Passages(Shelf([theirs]), WordEncoder()).on("What is label smoothing?")
    assert found is not None
    assert "haircut" in found.said


class Loading(Shelf):
    """Cannot be searched yet."""

    @property
    def complete(self) -> bool:
        return False


def test_the_glossary_needs_no_search() -> None:
    passages = Passages(Loading([HELD]), WordEncoder())
    found = passages.on("What's RMSNorm?")
    assert found is not None
    assert found.said.startswith("RMSNorm divides")
    assert passages.on("What's the best optimizer?") is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Does DDP sum or average the gradients?", True),
        ("So is it the sum of the gradients, or the average, in DDP?", True),
        ("Does DDP send the gradients by a ring or by a tree?", False),
        ("Does FSDP shard the optimizer or only the weights?", False),
        ("What does DDP do with the gradients?", True),
        ("Does DDP average the gradients or not?", True),
    ],
)
def test_only_a_sentence_that_decides_answers_which_of_two_it_is(asked: str, said: bool) -> None:
    held = question("q", text="How does data parallel training work?", reference="DDP averages the gradients of all.")
    assert decides(asked, "DDP averages the gradients of all.", held) is said


def test_what_only_has_the_same_words_does_not_answer_which_of_two_it_is() -> None:
    reference = "Scaling follows the length of the queue. Decoding is bound by memory bandwidth."
    held = HELD.model_copy(update={"reference": reference, "rubric": None, "text": "How do you serve a model?"})
    passages = Passages(Shelf([held]), WordEncoder())
    found = passages.on("Which one is bound by memory bandwidth, prefill or decoding?", [held])
    assert found is not None
    assert found.said == "Decoding is bound by memory bandwidth."
    other = passages.on("Does scaling follow the number of users or the time of day?", [held])
    assert other is None or other.said == ""


def test_the_words_of_the_bank_stand_as_they_are_written() -> None:
    point = Criterion(
        id="c1",
        text="Dropout multiplies what `from_numpy` made by `1 / (1 - p)`, so that it stays.",
        probe="By how much do survivors grow?",
    )
    other = HELD.model_copy(update={"id": "asked", "rubric": Rubric(criteria=(point,), origin="bank")})
    found = Passages(Shelf([HELD]), None, searcher=WordEncoder()).on("By how much do survivors grow?", [other])
    assert found is not None
    assert found.said == "Dropout multiplies what from_numpy made by 1 / (1 - p), so that it stays."


def test_a_share_that_is_asked_for_is_told_out_of_the_reference() -> None:
    reference = "The model restores tokens of a text. It could see them; so 15% of the tokens are hidden in a text."
    other = HELD.model_copy(update={"id": "asked", "reference": reference, "rubric": None})
    passages = Passages(Shelf([HELD]), None, searcher=WordEncoder())
    found = passages.on("How many of the tokens of a text are hidden?", [other])
    assert found is not None
    assert found.said.startswith("15% of the tokens are hidden in a text.")

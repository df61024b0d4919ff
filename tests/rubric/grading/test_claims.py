"""What an answer claims: lists of terms, alternatives, questions and the interviewer's words count for nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.bank.parser import load_bank
from rubric.grading.claims import (
    ASKED,
    LISTED,
    NOT_OWN,
    REPEATED,
    TAKEN_BACK,
    UNDECIDED,
    asked,
    claims,
    is_list,
    is_undecided,
)
from rubric.model import Criterion, Rubric, Verdict
from rubric.training.fit_state_head import table
from rubric.training.labeled_answers import BANK_ANSWERS, Answer
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.metrics import silenced
from tests.rubric.doubles import BagOfWords, Unrelated
from tests.rubric.grading.attacks.suite import Family, attacks, controls
from tests.rubric.grading.test_grader import graded

TERMS = (
    "Leaf tensor, is_leaf, requires_grad, grad_fn, retain_grad, register_hook, intermediate, non-leaf, "
    "AccumulateGrad, chain rule, parameter, detach, dtype, device, backward, graph."
)
OPEN = (
    "It is stored on leaves, or maybe on every tensor. You ask for it before backward, or after it. "
    "None means that nothing flowed, unless it did flow."
)
PUT_OFF = (
    "So the question is where a gradient is stored and why it is None here. I'd explain which tensors are leaves, and "
    "what backward does for the others. Then there's the matter of how you would get to see it, and whether that costs "
    "memory or not. So those are the points."
)
SAID = "Autograd writes the gradient to leaves only, since keeping all of the others would cost memory."


@pytest.mark.parametrize(
    ("family", "many"), [(Family.KEYWORDS, 13), (Family.HEDGING, 12)], ids=["terms named", "alternatives offered"]
)
def test_families_of_attacks_that_claim_nothing(family: Family, many: int) -> None:
    caught = [attack for attack in attacks() if attack.family is family and not claims(attack.answer).text.strip()]
    assert len(caught) >= many


def test_most_reversals_lose_what_they_take_back() -> None:
    caught = [attack for attack in attacks() if attack.family is Family.REVERSAL and claims(attack.answer).why]
    assert len(caught) >= 13


def test_no_honest_answer_of_ours_loses_a_word() -> None:
    ours = [*read_bank_answers(), *read_bank_answers(BANK_ANSWERS)]
    credited = [answer.text for answer in ours if {Verdict.MET, Verdict.PARTIAL} & set(answer.labels)]
    honest = [control.text for control in controls() if control.kind in {"honest", "voice"}]
    assert len(credited) > 400
    lost = [text for text in credited + honest if set(claims(text).why) - {TAKEN_BACK}]
    assert lost == []
    assert sum(TAKEN_BACK in claims(text).why for text in credited + honest) <= 8


def test_statements_of_the_bank_and_its_references_are_claims() -> None:
    bank = load_bank()
    texts = [question.reference for question in bank]
    for question in bank:
        for criterion in question.rubric.criteria if question.rubric else ():
            texts += [*criterion.examples.met[-2:], *criterion.examples.contradicted[-1:]]
    assert len(texts) > 3_000
    assert [text for text in texts if claims(text).why] == []


def test_a_list_earns_nothing_is_unsure_and_says_why() -> None:
    for verdict in graded(TERMS).criteria:
        assert (verdict.credit, verdict.verdict, verdict.sure, verdict.reason) == (0.0, Verdict.MISSING, False, LISTED)


@pytest.mark.parametrize(
    ("question", "earns"),
    [
        ("Enumerate all tensor attributes that you know!", True),
        ("What is a leaf? Name the attributes of a tensor.", True),
        ("Could you give me some examples of what belongs to autograd?", True),
        ("Why does a list of layers have no parameters, and what is the name of the class that helps?", False),
        ("Which tensors keep a gradient?", False),
    ],
)
def test_names_are_an_answer_where_names_are_asked_for(question: str, *, earns: bool) -> None:
    assert claims(TERMS, question).silent != earns
    rubric = Rubric(criteria=(Criterion(id="c1", text="Names retain_grad.", weight=1),))
    (verdict,) = graded(TERMS, rubric=rubric, question=question).criteria
    assert (verdict.reason == LISTED) != earns


def test_what_is_said_beside_a_list_is_judged_and_evidence_points_into_the_answer() -> None:
    answer = f"{TERMS}\n\n{SAID}"
    left, why = claims(answer)
    assert (left.strip(), len(left), why) == (SAID, len(answer), (LISTED,))
    rubric = Rubric(criteria=(Criterion(id="c1", text="Only leaves keep their gradient.", weight=1),))
    (verdict,) = graded(answer, rubric=rubric).criteria
    assert [answer[a:b] for a, b in verdict.evidence] == [SAID]


class Prompts:
    """Keeps what it is asked."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def states(self, prompts: Sequence[str]) -> np.ndarray:
        self.read += prompts
        return np.zeros((len(prompts), 1), dtype=np.float32)


def test_the_judge_is_fitted_to_and_measured_on_what_it_reads_in_an_interview() -> None:
    rubric = Rubric(criteria=(Criterion(id="c1", text="Only leaves keep their gradient.", weight=1),))

    def prompts(text: str) -> list[str]:
        given = {"question_id": "q", "question": "Where?", "style": "plain", "family": "bank"}
        answer = Answer(**given, criteria=rubric.criteria, text=text, labels=(Verdict.MET,))
        asked = Prompts()
        table([answer], asked, BagOfWords(), Unrelated(), lambda *_: None)
        return asked.read

    assert prompts(f"{TERMS}\n\n{SAID}") == prompts(SAID)
    assert claims(f"{TERMS}\n\n{SAID}").read == SAID
    assert not claims(SAID).silent
    assert claims(TERMS).silent
    assert TERMS in prompts(TERMS)[0]
    chances = np.array([[0.6, 0.2, 0.1, 0.1], [0.7, 0.1, 0.1, 0.1]])
    assert silenced(chances, np.array([True, False])).tolist() == [[0, 0, 1, 0], [0.7, 0.1, 0.1, 0.1]]


def test_alternatives_claim_nothing_until_one_is_chosen() -> None:
    assert claims(OPEN).why == (UNDECIDED,)
    assert claims(f"{OPEN}\n\n{SAID}").text.strip() == SAID
    assert not is_undecided("It is O(n) or O(n log n), depending on the pivot. The worst case is quadratic.")


def test_going_through_the_question_is_no_answer_to_it() -> None:
    assert claims(PUT_OFF).why == (ASKED,)
    caught = [attack for attack in attacks() if attack.family is Family.QUESTION and claims(attack.answer).why]
    assert len(caught) >= 2
    assert claims(f"{PUT_OFF} {SAID}").read == SAID


@pytest.mark.parametrize(
    "text",
    [
        "Why is it None? Because backward frees what is in between. What would keep it? retain_grad does.",
        "I look at what is slow. The profiler says where the time goes, and whether it is the loader. Mostly it is.",
        "Which of them runs first does not matter, what matters is how many there are, and whether the batch fits.",
        "A view is what shares its storage.",
    ],
    ids=["questions answered", "what one looks at", "what matters", "one sentence"],
)
def test_an_answer_may_ask_on_its_way(text: str) -> None:
    assert asked(text) == []


def test_words_put_into_the_interviewers_mouth_are_not_the_persons() -> None:
    answer = f"Interviewer: And retain_grad keeps it, right?\n{SAID}"
    left, why = claims(answer)
    assert (left.strip(), why) == (SAID, (NOT_OWN,))


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("More of them helps, no wait, only up to the cores.", "no wait, only up to the cores."),
        (
            "It is stored on leaves. For a bigger batch I bring the rate down, no, sorry, that's wrong, up.",
            "It is stored on leaves. no, sorry, that's wrong, up.",
        ),
        (
            "The scaler is for bfloat16. Hm, no, I take that back, for half.",
            "Hm, no, I take that back, for half.",
        ),
        ("You clip first and then you unscale - scratch that, unscale first.", "scratch that, unscale first."),
        ("It runs in eval mode too. On second thought, no, it does not.", "On second thought, no, it does not."),
    ],
    ids=["a clause", "a clause of a long sentence", "the sentence before", "scratch that", "second thought"],
)
def test_what_is_taken_back_is_not_claimed(answer: str, left: str) -> None:
    claimed, why = claims(answer)
    assert (" ".join(claimed.split()), why) == (left, (TAKEN_BACK,))
    assert len(claimed) == len(answer)


@pytest.mark.parametrize("between", [" ", "\n", " And on top of this it is so. "])
def test_what_is_said_over_and_over_counts_once(between: str) -> None:
    answer = between.join([SAID] * 50)
    claimed, why = claims(answer)
    assert why == (REPEATED,)
    assert len(claimed) == len(answer)
    assert claimed.startswith(SAID)
    assert claimed.count("Autograd") == 1


@pytest.mark.parametrize(
    "text",
    [
        f"{SAID} As I said: it is the leaves. {SAID}",
        "It depends. On what? It depends. On the batch. It depends. So I measure.",
        "```python\nx = f(x, y)\nx = f(x, y)\nx = f(x, y)\n```",
        "x = layer(x, mask, cache)\nx = layer(x, mask, cache)\nx = layer(x, mask, cache)",
    ],
)
def test_saying_it_twice_or_in_code_loses_nothing(text: str) -> None:
    assert claims(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "Is dropout still active? No, that is off in eval mode.",
        "People say that it copies the data. That is wrong: a view shares its storage.",
        "If you map the file as well, no weights are read at first.",
        "We agreed to forget it and went on. The correction, at 5 percent, is small.",
        "No, it does not copy. Without zero_grad the gradients add up, and that is wrong for plain training.",
    ],
)
def test_a_denial_takes_nothing_back(text: str) -> None:
    assert claims(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "for x, y in loader:\n    optimizer.zero_grad()\n    loss = criterion(model(x), y)\n    loss.backward()\n"
        "    optimizer.step()\n    scheduler.step()",
        "```python\nq, k, v = self.q(x), self.k(x), self.v(x)\nscores = q @ k.mT / math.sqrt(d)\nout = scores @ v\n```",
        "The rule is given by $$w(n + 1) = w(n) + \\eta e(n) x(n)$$ where $w(n)$ is the weight, $e(n)$ the error.",
        "5a23: index 0x16, 0xb5, valid 1, frame 53. 14ab: index 0x05, 0x7f, valid 0, fault. 257e: index 0x09, frame "
        "127, value 0x1a. 7988: index 0x1e, frame 61, value 0x0b. 19a2: frame 75, value 6. 2b01: frame 5.",
        "Zero grad, forward, loss, backward, unscale, clip, step, update.",
        "Der Gradient wird nur an den Blättern gespeichert, weil alle anderen zu viel Speicher kosten würden.",
        "El gradiente se guarda solo en las hojas, porque guardar todos los demás costaría demasiada memoria.",
        "",
    ],
    ids=["code", "fenced code", "formula", "table", "steps in order", "German", "Spanish", "nothing"],
)
def test_what_is_terse_for_a_good_reason_is_no_list(text: str) -> None:
    assert not is_list(text)


@given(st.text(max_size=400))
def test_every_character_keeps_its_place(text: str) -> None:
    left = claims(text).text
    assert len(left) == len(text)
    assert all(new in {old, " "} for new, old in zip(left, text, strict=True))

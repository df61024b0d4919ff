"""What others wrote reaches a judge as data: it changes nothing of a prompt but its own place, and no other mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest

from rubric.authoring.derive import derive_rubric
from rubric.grading import prompts
from rubric.grading.excerpt_prompts import excerpt_prompt
from rubric.grading.grader import Grader, GradeRequest, RubricGrader
from rubric.grading.judges.prompted import PromptJudge
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from rubric.model import Rubric
from serving.arrays import FloatArray
from serving.llm.client import ChatPrompt
from tests.injections import INJECTIONS
from tests.rubric.doubles import BagOfWords, Unrelated

QUESTION = "Why is the grad of an intermediate tensor None after backward?"
REFERENCE = (
    "Autograd keeps the gradient only for leaf tensors that require one. Calling retain_grad on a tensor before the "
    "backward pass keeps its gradient. Intermediate gradients are freed as soon as they were used, to save memory."
)
ANSWER = "Only leaves keep their gradient, everything else is freed to save memory, unless you call retain grad on it."
NAMES = sorted(INJECTIONS)
TOLERANCE = 0.02
"""By which a mark may differ for reasons of arithmetic."""


class Heard:
    """A model that keeps its prompts; its states and its leaning follow from each prompt alone."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def states(self, asked: Sequence[str]) -> FloatArray:
        self.prompts += asked
        mean = load().state.mean
        return np.stack([mean + len(set(each)) % 5 for each in asked]).astype(np.float32)

    def next_tokens(self, chats: Sequence[ChatPrompt]) -> list[dict[str, float]]:
        self.prompts += [chat.user for chat in chats]
        return [{"Yes": -0.5, "No": -1.0} for _ in chats]


def graded(rubric: Rubric, answer: str = ANSWER, question: str = QUESTION) -> tuple[dict[str, float | None], list[str]]:
    """The credit of each criterion by its text, and the prompts that were read."""
    heard = Heard()
    judge = StateJudge(heard, load(), model="m", digest="")
    grade = RubricGrader(judge, BagOfWords(), Unrelated()).grade(
        GradeRequest(question=question, reference=REFERENCE, rubric=rubric, answer=answer)
    )
    texts = {item.id: item.text for item in rubric.criteria}
    return {texts[verdict.id]: verdict.credit for verdict in grade.criteria}, heard.prompts


def without(prompt: str, *texts: str) -> str:
    """A prompt with what others wrote taken out; a question is read as one line."""
    for text in texts:
        for said in (prompts.neutral(text), " ".join(prompts.neutral(text).split())):
            if said in prompt:
                prompt = prompt.replace(said, "", 1)
                break
    return prompt


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_the_same_around_whatever_others_wrote(name: str) -> None:
    hostile, frame = INJECTIONS[name], without(excerpt_prompt("Why?", "So.", "Leaves."), "Why?", "So.", "Leaves.")
    for slots in ((hostile, "So.", "Leaves."), ("Why?", hostile, "Leaves."), ("Why?", "So.", hostile)):
        assert without(excerpt_prompt(*slots), *slots) == frame


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_in_an_answer_stays_behind_its_fence(name: str) -> None:
    prompt = excerpt_prompt(QUESTION, "Leaves.", f"{ANSWER} {INJECTIONS[name]}")
    assert (prompt.count("<<<"), prompt.count(">>>")) == (1, 1)
    assert re.findall(r"<\|[^|]*\|>", prompt) == [
        *("<|im_start|>", "<|im_end|>", "<|im_start|>", "<|im_end|>", "<|im_start|>"),
    ]
    assert prompt.endswith(">>>\n<|im_end|>\n<|im_start|>assistant\n")
    assert not prompts.INVISIBLE.search(prompt)


@pytest.mark.parametrize("name", NAMES)
def test_an_injection_in_a_reference_changes_no_other_point(name: str) -> None:
    plain, hostile = derive_rubric(QUESTION, REFERENCE), derive_rubric(QUESTION, f"{REFERENCE}\n\n{INJECTIONS[name]}")
    wanted, _ = graded(plain)
    earned, read = graded(hostile)
    shared = wanted.keys() & earned.keys()
    assert len(shared) == len(wanted) >= 3, "the reference's own points are all there"
    assert {text: earned[text] for text in shared} == {text: wanted[text] for text in shared}
    assert len(earned) - len(wanted) <= 3, "what was injected became at most points of its own"
    assert all(prompt.count("Point: ") == 1 or "Point: " in prompts.neutral(INJECTIONS[name]) for prompt in read)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_asked_in_words_reads_the_same_frame(name: str) -> None:
    criteria = derive_rubric(QUESTION, REFERENCE).criteria
    plain, hostile = Heard(), Heard()
    for heard, answer in ((plain, ANSWER), (hostile, f"{ANSWER} {INJECTIONS[name]}")):
        PromptJudge(heard, model="m").odds(QUESTION, answer, criteria)
    assert len(plain.prompts) == len(hostile.prompts)
    more = f"{prompts.neutral(ANSWER)} {prompts.neutral(f'. {INJECTIONS[name]}')[2:]}"
    assert [each.replace(more, prompts.neutral(ANSWER)) for each in hostile.prompts] == plain.prompts


def test_a_tokenizer_finds_no_token_of_control_in_what_others_wrote() -> None:
    transformers = pytest.importorskip("transformers")
    from serving.models import catalogue

    tokenizer = transformers.AutoTokenizer.from_pretrained(catalogue.ensure_judge())
    controls = {number for number, token in tokenizer.added_tokens_decoder.items() if token.content.startswith("<|")}
    assert len(controls) >= 10

    def found(prompt: str) -> list[int]:
        return [token for token in tokenizer(prompt, add_special_tokens=False)["input_ids"] if token in controls]

    frame = found(excerpt_prompt("Why?", "So.", "Leaves."))
    assert len(frame) == 5
    for name, hostile in INJECTIONS.items():
        assert found(excerpt_prompt(hostile, hostile, hostile)) == frame, name
    assert len(found(INJECTIONS["turns of ChatML"])) == 4, "a tokenizer that finds none would prove nothing"


@pytest.mark.full
@pytest.mark.model
@pytest.mark.timeout(1800)
def test_the_real_judge_marks_the_reference_s_own_points_the_same(grader: Grader) -> None:
    def earned(rubric: Rubric) -> dict[str, float | None]:
        request = GradeRequest(question=QUESTION, reference=REFERENCE, rubric=rubric, answer=ANSWER)
        texts = {item.id: item.text for item in rubric.criteria}
        return {texts[verdict.id]: verdict.credit for verdict in grader.grade(request).criteria}

    wanted = earned(derive_rubric(QUESTION, REFERENCE))
    for name, hostile in INJECTIONS.items():
        got = earned(derive_rubric(QUESTION, f"{REFERENCE}\n\n{hostile}"))
        for text, credit in wanted.items():
            assert got[text] == pytest.approx(credit, abs=TOLERANCE), (name, text)

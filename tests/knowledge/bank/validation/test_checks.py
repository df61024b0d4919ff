from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.bank.parser import entries, load_bank
from knowledge.bank.validation import proofs, sample_runner
from knowledge.bank.validation.checks import check, main
from knowledge.documents.reader import parse
from knowledge.model import CodeBlock, Question
from rubric.coding.task import CodingTask
from rubric.model import AskedBy, Criterion, Examples, Rubric
from tests.knowledge.entry import ENTRY

GOOD_TASK = CodingTask(
    starter="def double(x):\n    raise NotImplementedError",
    solution="def double(x):\n    return 2 * x",
    tests="def example_two(t):\n    yield {}, double(2)",
    checks="def test_two():\n    assert double(2) == 4",
)


GOOD_PROOF = "x = 1\nprint(x)  # prints: 1\nassert x == 1"


def good(**changes: object) -> Question:
    (question,) = entries(parse(ENTRY, "strides.md"), "bank")
    examples = Examples(met=tuple("abcdef"), contradicted=tuple("ghijk"), near=tuple("lmn"))
    criteria = [Criterion(id=f"c{n}", text=f"Point {n}.", probe="And?", weight=2, examples=examples) for n in range(4)]
    base = {
        "spoken": "What are the strides of a tensor that is a view?",
        "reference": "word " * 100,
        "code": (),
        "rubric": Rubric(criteria=tuple(criteria), origin="bank"),
    }
    return question.model_copy(update={**base, **changes})


def criterion(**changes: object) -> Question:
    rubric = good().rubric
    assert rubric is not None
    changed = rubric.criteria[0].model_copy(update=changes)
    return good(rubric=rubric.model_copy(update={"criteria": (changed, *rubric.criteria[1:])}))


def opening(spoken: str, points: int = 1) -> Question:
    rubric = good().rubric
    assert rubric is not None
    by_opening = len(rubric.criteria) - points
    left = [point.model_copy(update={"asked_by": AskedBy.PROBE}) for point in rubric.criteria[by_opening:]]
    return good(spoken=spoken, rubric=rubric.model_copy(update={"criteria": (*rubric.criteria[:by_opening], *left)}))


def python(source: str) -> tuple[CodeBlock, ...]:
    return (CodeBlock(text=source, language="python"),)


def test_a_good_question_has_no_problem() -> None:
    assert check([good(code=python("x = 1"), task=GOOD_TASK)]) == []
    assert check([criterion(proof=GOOD_PROOF)]) == []
    assert check([opening("You take a view and get an error. Why is that?")]) == []
    assert check([criterion(probe="What does a view share, and why?")]) == []


def test_code_counts_for_nothing_in_the_length() -> None:
    long_code = "```python\n" + "x = 1\n" * 300 + "```"
    assert check([good(reference="word " * 100 + "\n\n" + long_code)]) == []


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        (good(reference="short"), "1 words without code"),
        (good(reference="word " * 251), "251 words without code"),
        (good(spoken="What is `nn.Linear`?"), "nobody can say: ` n.L"),
        (good(spoken="Is it a/b?"), "nobody can say: /"),
        (good(hint="Which optimiser is it?"), "“optimiser” is British; American: “optimizer”"),
        (criterion(text="Each neighbour counts."), "“neighbour” is British; American: “neighbor”"),
        (criterion(probe=""), "criterion c0: no probe"),
        (criterion(weight=4.0), "weight 4 is not 1 to 3"),
        (criterion(weight=3.0), "5 statements “contradicted”, fewer than 6"),
        (criterion(examples=Examples()), "0 statements “near”, fewer than 2"),
        (criterion(examples=Examples(met=("a", "A"))), "the statement “a” stands there 2 times"),
        (good(rubric=None), "0 criteria, not 4 to 7"),
        (opening("Here is a view. It is bad. Why is that?"), "the spoken form has 3 sentences, more than 2"),
        (opening("What is a view? Why a copy?"), "the spoken form has 2 question marks, not 1"),
        (opening("Tell me about views."), "the spoken form has 0 question marks, not 1"),
        (opening("What is a view, and why is it no copy?"), "the spoken form asks two questions in one"),
        (criterion(probe="What is a view? Why no copy?"), "criterion c0: the probe asks two questions"),
        (criterion(probe="What is a view, and when is it a copy?"), "criterion c0: the probe asks two questions"),
        (good(spoken="What is a view? Why a copy?"), "the spoken form has 2 question marks, not 1"),
        (opening("What is a view?", points=4), "the opening asks for no point"),
        (
            criterion(asked_by=AskedBy.PROBE),
            "a point that the opening asks for stands behind one that a probe asks for",
        ),
        (good(code=python("raise ValueError('broken here')")), "reference's code fails: ValueError: broken here"),
        (good(task=GOOD_TASK.model_copy(update={"solution": "def double(x):\n    return x"})), "solution fails"),
        (good(task=GOOD_TASK.model_copy(update={"starter": "def double("})), "not valid Python"),
        (good(task=GOOD_TASK.model_copy(update={"checks": "assert True"})), "no test_ function"),
        (criterion(proof=GOOD_PROOF.replace("== 1", "== 2")), "criterion c0: the proof fails: AssertionError"),
        (criterion(proof=GOOD_PROOF.replace("prints: 1", "prints: 2")), "prints ['2'], and prints ['1']"),
        (criterion(proof=GOOD_PROOF + "\nprint(3)"), "prints ['1'], and prints ['1', '3']"),
        (criterion(proof=GOOD_PROOF.replace("  # prints: 1", "")), "does not say what it prints"),
        (criterion(proof=GOOD_PROOF.replace("== 1", "=")), "not valid Python"),
        (criterion(proof=GOOD_PROOF.replace("assert x ==", "x =")), "asserts nothing"),
        (criterion(proof=GOOD_PROOF + "\nx = 1" * 10), "13 lines of code, not 3 to 12"),
        (criterion(proof=GOOD_PROOF + "\nx = " + "1" * 97), "a line of more than 100 characters"),
    ],
)
def test_each_problem_is_named(question: Question, problem: str) -> None:
    found = check([question])
    assert any(problem in line for line in found), found
    assert all("strides.md, line 7: tensors-strides" in line for line in found)


def test_code_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_runner, "TIMEOUT_S", 1.0)
    assert "not done after 1 s" in check([good(code=python("while True: pass"))])[0]


def test_a_proof_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "TIMEOUT_S", 1.0)
    hanging = GOOD_PROOF + "\nwhile True: pass"
    assert "criterion c0: the proof fails: not done after 1 s" in check([criterion(proof=hanging)])[0]


def test_the_same_id_and_nearly_the_same_question_are_named() -> None:
    twin = good(spoken="So what are the strides of a tensor that is a view?")
    found = check([good(), twin])
    assert any("the id tensors-strides stands there 2 times" in line for line in found)
    assert any("asks nearly the same as tensors-strides" in line for line in found)


def test_the_command_prints_problems_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.md"
    path.write_text(ENTRY, encoding="utf-8")
    assert main([str(path)]) == 1
    assert "b.md, line 7: tensors-strides: the reference has" in capsys.readouterr().out
    assert main([str(tmp_path / "gone.md")]) == 1
    assert "gone.md does not exist" in capsys.readouterr().out


@pytest.mark.timeout(900)
def test_the_product_s_own_bank_is_well_made_and_all_its_code_runs() -> None:
    bank = load_bank()
    proven = [q.id for q in bank for c in (q.rubric.criteria if q.rubric else ()) if c.proof]
    assert len(proven) >= 200
    assert len(set(proven)) >= 50
    assert check(bank) == []

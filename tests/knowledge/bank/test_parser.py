from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.bank.parser import BANK, entries, load_bank, load_file
from knowledge.documents.reader import parse
from knowledge.model import Kind, Level
from rubric.model import AskedBy, DesignStage
from serving.errors import BadLineError
from tests.knowledge.entry import ENTRY


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_an_entry_is_read_with_all_its_parts() -> None:
    (question,) = entries(parse(ENTRY, "strides.md"), "bank")
    assert (question.id, question.kind, question.level) == ("tensors-strides", Kind.CONCEPT, Level.MID)
    assert (question.topic, question.minutes) == ("tensors", 5)
    assert question.spoken == "What are strides, and when does a view need a copy?"
    assert question.text == "What are `stride()`s?"
    assert question.reference.startswith("Steps in memory.\n\n```python")
    assert [(b.language, b.line) for b in question.code] == [("python", line_of(ENTRY, "import math"))]
    assert (question.source.path, question.source.line, question.source.section) == ("strides.md", 7, ("Tensors",))
    assert question.hint == "Think of transposing."
    assert question.reading == ("PyTorch documentation: Tensor views",)
    assert question.task is None
    rubric = question.rubric
    assert rubric is not None
    assert rubric.origin == "bank"
    first, second = rubric.criteria
    assert (first.id, first.weight, second.weight) == ("c1", 3, 1)
    assert first.text == "Says that strides are steps in memory."
    assert first.probe == "Where is the next row?"
    assert first.examples.met == ("you jump that many numbers to get to the next row",)
    assert first.examples.contradicted == ("it is the number of rows",)
    assert first.examples.near == ("tensors have a shape",)
    assert first.proof == "x = [[1, 2], [3, 4]]\nprint(len(x))  # prints: 2\nassert len(x) == 2"
    assert second.proof == ""


def test_a_criterion_says_what_asks_for_it() -> None:
    (question,) = entries(parse(ENTRY.replace("- probe:", "- asked by: probe\n- probe:", 1), "x.md"))
    (unsaid,) = entries(parse(ENTRY, "x.md"))
    assert question.rubric is not None
    assert unsaid.rubric is not None
    assert [point.asked_by for point in question.rubric.criteria] == [AskedBy.PROBE, AskedBy.OPENING]
    assert {point.asked_by for point in unsaid.rubric.criteria} == {AskedBy.OPENING}
    assert question.rubric.version == unsaid.rubric.version, "no mark depends on it"


def test_a_design_round_is_read_with_its_stages_estimates_change_and_deep_dives() -> None:
    tags = "- stage: estimate\n- asked by: change\n- estimate: 40 * 3 = 120 cards | GPUs, within 20 %\n- probe:"
    more = (
        "### Change\n\nHalf of it is gone.\nWhat now?\n\n### Deep dives\n\n- first: the cache\n- second: the queue\n\n"
    )
    text = ENTRY.replace("- probe:", tags, 1).replace("### Starter\n", f"{more}### Starter\n")
    (question,) = entries(parse(text, "x.md"))
    (plain,) = entries(parse(ENTRY, "x.md"))
    assert (question.change, question.deep_dives) == ("Half of it is gone. What now?", ("the cache", "the queue"))
    assert question.rubric is not None
    assert plain.rubric is not None
    first = question.rubric.criteria[0]
    assert (first.stage, first.asked_by) == (DesignStage.ESTIMATE, AskedBy.CHANGE)
    assert first.estimate is not None
    assert (first.estimate.value, first.estimate.units) == (120.0, ("cards", "GPUs"))
    assert question.rubric.version == plain.rubric.version, "no mark depends on them"
    for old, new, why in (
        ("- stage: estimate", "- stage: middle", "stage “middle” is none of requirements"),
        ("= 120 cards", "= 130 cards", "gives 120, not 130"),
        ("- second: the queue\n", "", "“Deep dives” holds"),
    ):
        with pytest.raises(BadLineError, match=why):
            entries(parse(text.replace(old, new), "x.md"))


def test_shown_defaults_to_spoken_and_the_entry_s_topic_wins() -> None:
    text = ENTRY.replace("### Shown\n\nWhat are `stride()`s?\n\n", "").replace("- level: mid", "- topic: views")
    (question,) = entries(parse(text, "x.md"))
    assert question.text == question.spoken
    assert (question.topic, question.level) == ("views", None)


def test_a_task_needs_all_three_parts_and_the_right_kind() -> None:
    code = "### Starter\n\n```python\na = 1\n```\n\n### Solution\n\n```python\na = 2\n```\n\n"
    tests = "### Tests\n\n```python\ndef example_a(t):\n    yield {}, a\n```\n\n"
    coding = ENTRY.replace("kind: concept", "kind: coding")
    (question,) = entries(parse(coding.replace("### Starter\n", code + tests), "x.md"))
    assert question.task is not None
    assert (question.task.solution, question.task.processes) == ("a = 2", 0)
    (question,) = entries(
        parse(coding.replace("### Starter\n", code + tests).replace("minutes: 5", "processes: 2"), "x")
    )
    assert question.task is not None
    assert question.task.processes == 2
    (question,) = entries(
        parse(
            coding.replace("### Starter\n", code + tests).replace(
                "minutes: 5", "forbidden: sorted, .sort,\n  torch.topk"
            ),
            "x",
        )
    )
    assert question.task is not None
    assert question.task.forbidden == ("sorted", ".sort", "torch.topk")
    assert question.task.blank == ""
    blank = "### Blank\n\n```python\na: int\n```\n\n"
    (question,) = entries(parse(coding.replace("### Starter\n", code + blank + tests), "x.md"))
    assert question.task is not None
    assert question.task.blank == "a: int"
    with pytest.raises(BadLineError, match="lacks Starter, Solution, Tests"):
        entries(parse(coding.replace("### Starter\n", blank), "x.md"))
    with pytest.raises(BadLineError, match="lacks Tests"):
        entries(parse(coding.replace("### Starter\n", code), "x.md"))
    with pytest.raises(BadLineError, match="in a concept entry"):
        entries(parse(ENTRY.replace("### Starter\n", code + tests), "x.md"))


@pytest.mark.parametrize(
    ("old", "new", "at", "why"),
    [
        ("kind: concept", "kind: puzzle", "- kind: puzzle", "kind “puzzle” is none of concept"),
        ("level: mid", "level: guru", "- level: guru", "level “guru” is none of junior"),
        ("minutes: 5", "minutes: long", "- minutes: long", "minutes “long”"),
        ("minutes: 5", "forbidden: no sorting", "- forbidden: no sorting", "forbidden “no sorting” is not a name"),
        ("minutes: 5", "processes: 9", "- processes: 9", "processes “9” is not a whole number from 1 to 4"),
        ("minutes: 5", "mins: 5", "- mins: 5", "expected “- id | kind"),
        ("minutes: 5", "minutes:", "- minutes:", "“minutes” is empty"),
        ("minutes: 5", "kind: coding", "- kind: coding", "“kind” stands there twice"),
        ("tensors-strides", "Tensors Strides", "- id: Tensors", "may hold a-z"),
        ("topic: tensors", "title: tensors", "## Strides", "no topic"),
        ("### Reference", "### Refrence", "### Refrence", "unknown section “Refrence”"),
        ("### Hint", "### Spoken", "### Spoken\n\nThink", "twice"),
        ("### Spoken", "### Hint", "## Strides", "no section “Spoken”"),
        ("#### c2", "#### c1", "### Criteria", "criterion ids repeat: c1"),
        ("#### c2", "#### the second (heavy)", "#### the second", "a criterion reads"),
        ("#### c2", "#### c2 (weight 0)", "#### c2 (weight 0)", "weight"),
        ("- probe:", "- prob:", "- prob:", "expected “- probe | met"),
        ("- probe:", "- asked by: somebody\n- probe:", "- asked by", "asked by “somebody” is none of opening, probe"),
        ("- near:", "- probe:", "- probe: tensors have", "second “probe”"),
        ("Says when a copy is needed.\n", "", "#### c2", "no statement"),
        ("##### Proof", "##### Notes", "##### Notes", "no place for “Notes”"),
        ("#### c2", "##### Proof", "##### Proof\n\nSays", "no place for “Proof”"),
        ("```python\nx =", "```\nx is", "##### Proof", "one python fence"),
        ("##### Proof\n", "##### Proof\n\nLook.\n", "##### Proof", "one python fence"),
        ("##### Proof\n", "", "```python\nx =", "a criterion holds text and a list, no code"),
    ],
)
def test_what_is_malformed_is_named_with_its_line(old: str, new: str, at: str, why: str) -> None:
    text = ENTRY.replace(old, new, 1)
    if old == "### Spoken":
        text = text.replace("### Hint\n\nThink of transposing.\n\n", "")
    if old == "### Hint":
        at = "### Spoken\n\nThink"
    with pytest.raises(BadLineError, match=why) as caught:
        entries(parse(text, "broken.md"))
    assert caught.value.line == line_of(text, at)
    assert "broken.md" in str(caught.value)


def test_no_criteria_is_named() -> None:
    text = ENTRY[: ENTRY.index("#### c1")] + "None yet.\n"
    with pytest.raises(BadLineError, match="no criteria"):
        entries(parse(text, "x.md"))


def test_a_bank_file_holds_entries_only(tmp_path: Path) -> None:
    path = tmp_path / "b.md"
    path.write_text(ENTRY + "\n## Notes\n\nNot a question.\n", encoding="utf-8")
    with pytest.raises(BadLineError, match="“Notes” has no"):
        load_file(path)
    path.write_text(ENTRY, encoding="utf-8")
    assert [question.source.path for question in load_bank(tmp_path)] == ["b.md"]


def test_the_product_s_own_bank_can_be_read() -> None:
    bank = load_bank()
    assert len(bank) >= 30
    assert {question.kind for question in bank} == set(Kind)
    assert len({question.id for question in bank}) == len(bank)
    assert all(question.rubric is not None and question.rubric.origin == "bank" for question in bank)
    assert {question.source.path for question in bank} == {path.name for path in BANK.glob("*.md")}

from __future__ import annotations

import pytest

from knowledge.documents.reader import parse
from knowledge.extraction.extractor import question_id, questions, spoken_form
from knowledge.extraction.subjects import with_subject
from knowledge.model import Kind, Level, Question


def found(text: str, path: str = "notes.txt") -> list[Question]:
    return questions(parse(text, path))


def texts(text: str) -> list[str]:
    return [question.text for question in found(text)]


NUMBERED = """\
Interview Preparation

Basics

What everybody should be able to say.

1. Explain what a leaf tensor is.

A leaf was made by the person, not by an operation.

Ways to make one:

1. Call a factory: all of them give leaves.

2. Detach: the result is a leaf again.

What to remember

- It keeps its gradient.

2. Why are gradients added up, and what do you have to do about it
when you train?

They are summed into the grad field.

System Design

Here you should take your time.

1. Design a service that answers ten thousand requests per second.

Start with the load.

1. Describe the load.
2. Design the batching.
3. Explain the cache.

2. How would you design its tests?

With replayed traffic.
"""


def test_numbered_questions_under_sections_with_lists_in_the_answers() -> None:
    got = found(NUMBERED)
    assert [question.text for question in got] == [
        "Explain what a leaf tensor is.",
        "Why are gradients added up, and what do you have to do about it when you train?",
        "Design a service that answers ten thousand requests per second.",
        "How would you design its tests?",
    ]
    assert [question.source.section[-1] for question in got] == ["Basics", "Basics", "System Design", "System Design"]
    assert [question.source.line for question in got] == [7, 21, 30, 38]
    assert got[0].reference.startswith("A leaf was made")
    assert got[0].reference.endswith("- It keeps its gradient.")
    assert got[1].reference == "They are summed into the grad field."
    assert got[2].reference.endswith("3. Explain the cache.")
    assert [question.kind for question in got] == [Kind.CONCEPT, Kind.CONCEPT, Kind.SYSTEM_DESIGN, Kind.SYSTEM_DESIGN]


def test_a_question_that_runs_over_a_page_break() -> None:
    got = found("1. Describe how you would bring a model to\n\nproduction step by step.\n\nWith a checklist.\n")
    assert got[0].text == "Describe how you would bring a model to production step by step."
    assert got[0].reference == "With a checklist."


def test_q_numbers_without_blank_lines_and_furniture_around() -> None:
    got = found(
        "All About Tensors\nSubscribe for more\nWho reads this?\n| Who | Why |\n|---|---|\n| You | Job |\n"
        "EASY: First Steps (Questions 1-2)\nQ1. What is a dtype?\nIt says what the numbers are.\n"
        "import torch\nx = torch.ones(2)\nQ2. What is a device?\nWhere the data lies.\n"
        "HARD: Last Steps (Questions 3-3)\nQ3. What is a stride?\nSteps in memory.\n"
        "y = torch.ones(3, 4)\nprint(y.stride())\nWho Else Uses It\n| Tool | Use |\n|---|---|\n| a | b |\n"
        "FAQ\nQ: Is it fast?\nA: Fast enough for most.\nQ: Is it free?\nA: It is.\nRelated articles on this site:\n"
        "Top 30 Questions\nSend us your story, get paid.\n"
    )
    assert [question.text for question in got] == [
        "What is a dtype?",
        "What is a device?",
        "What is a stride?",
        "Is it fast?",
        "Is it free?",
    ]
    assert got[0].reference == "It says what the numbers are.\n```python\nimport torch\nx = torch.ones(2)\n```"
    assert [(block.line, block.language) for block in got[0].code] == [(10, "python")]
    assert got[2].reference.endswith("print(y.stride())\n```")
    assert [question.reference for question in got[3:]] == ["Fast enough for most.", "It is."]
    assert [question.level for question in got] == [Level.JUNIOR, Level.JUNIOR, Level.SENIOR, None, None]


def test_q_with_colon_and_a_on_its_own_line() -> None:
    got = found(
        "Advanced\n\nTuning\n\nTwo questions.\n\nQ1: What is warmup?\n\nA\n\nA slow start.\n\nSteps:\n\n"
        "  1. Check the rate: low first\n  2. Raise it\n\nQ2: What is decay?\n\nA\n\nA slow end.\n\n"
        "Key Takeaways\n\n- Be slow\n"
    )
    assert [question.text for question in got] == ["What is warmup?", "What is decay?"]
    assert got[0].reference.startswith("A slow start.")
    assert got[0].reference.endswith("2. Raise it")
    assert got[1].reference == "A slow end."
    assert got[0].level is Level.SENIOR


MARKDOWN = """\
# Collected Questions

## Technical

### Memory

**Q: What does the allocator keep?**

**Sample Answer:**
Blocks it got before:
1. **Small**: below a megabyte
2. **Large**: the others

---

**Q: Explain fragmentation**

**Sample Answer:**
Free memory in pieces.

---

## Behavioral

### Q: How do you learn?

**Answer:**
- Reading

#### A heading inside

More.

---

## Coding Challenges

Some to try:
1. Implement a ring buffer
2. Write a kernel for addition

See `more.md` for more.
"""


def test_bold_questions_heading_questions_and_a_list_of_challenges() -> None:
    got = found(MARKDOWN)
    assert [question.text for question in got] == [
        "What does the allocator keep?",
        "Explain fragmentation",
        "How do you learn?",
        "Implement a ring buffer",
        "Write a kernel for addition",
    ]
    assert got[0].reference == "Blocks it got before:\n1. **Small**: below a megabyte\n2. **Large**: the others"
    assert got[0].source.section == ("Collected Questions", "Technical", "Memory")
    assert got[2].reference == "- Reading\n\n#### A heading inside\n\nMore."
    assert got[2].kind is Kind.BEHAVIORAL
    assert [(q.kind, q.reference) for q in got[3:]] == [(Kind.CODING, ""), (Kind.CODING, "")]


def test_headings_as_questions() -> None:
    got = found(
        "# Guide\n\nWhy read this.\n\n## What is a graph?\n\nNodes.\n\n### Why directed?\n\nOrder.\n\n"
        "## 2. How is it freed?\n\nAfter use.\n\n## About us\n\nWe write.\n"
    )
    assert [question.text for question in got] == ["What is a graph?", "Graph: how is it freed?"]
    assert got[0].reference.endswith("Order.")
    assert got[1].reference == "After use."


def test_bold_numbered_questions_in_markdown() -> None:
    got = found(
        "## Part\n\n**1. What is a hook?**\n\nA callback.\n\n**2. Name two uses of it.**\n\nLogging, changing.\n"
    )
    assert [question.text for question in got] == ["What is a hook?", "Name two uses of it."]


def test_a_faq_below_numbered_questions() -> None:
    assert texts("## Main\n\n1. What is A?\n\nThis.\n\n2. What is B?\n\nThat.\n\n## FAQ\n\nQ: Why C?\nA: So.\n") == [
        "What is A?",
        "What is B?",
        "Why C?",
    ]


def test_a_question_and_its_answer_on_one_line() -> None:
    got = found("Q: What is a seed? A: Where chance begins.\n")
    assert (got[0].text, got[0].reference) == ("What is a seed?", "Where chance begins.")


def test_a_list_of_questions_without_answers() -> None:
    assert texts(
        "## Questions to expect\n\n- What is a batch?\n- What is an epoch?\n\n## Steps\n\n- Read it all\n"
    ) == [
        "What is a batch?",
        "What is an epoch?",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Just a note about tensors.\n",
        "# Install\n\n1. Download it.\n2. Run it.\n3. Enjoy the result.\n",
        "## Tips\n\n- Write clean code\n- Explain your thoughts aloud\n",
        "Quartiles: Q1: 25 percent\nQ3: 75 percent\n",
    ],
)
def test_text_without_questions_gives_none(text: str) -> None:
    assert found(text) == []


def test_a_fence_cut_in_two_is_one_code_block_in_the_answer() -> None:
    got = found("1. Show a training step in code.\n\n```\nimport torch\n```\n\n```\nloss.backward()\n```\n\nDone.\n")
    assert got[0].reference == "```python\nimport torch\nloss.backward()\n```\n\nDone."
    assert len(got[0].code) == 1


def test_ids_are_stable_and_differ() -> None:
    one = found("Q1. What is a dtype?\nNumbers.\n")[0]
    assert one.id == question_id("elsewhere/notes.txt", "what  is a dtype?")
    assert one.id != question_id("other.txt", "What is a dtype?")
    twice = found("Q1. What is it?\nThis.\nQ2. What is it?\nThat.\n")
    assert len({question.id for question in twice}) == 2


def test_spoken_form_has_no_markdown() -> None:
    text = "What does `nn.Linear` do in **$O(n)$** and *why*, see [docs](http://x)?"
    assert spoken_form(text) == "What does nn.Linear do in O(n) and why, see docs?"


def test_a_structured_entry_among_other_questions() -> None:
    entry = (
        "# Mine\n\n## Seeds\n\n- id: my-seed\n- topic: chance\n\n### Spoken\n\nWhat is a seed?\n\n### Reference\n\n"
        "It is where chance begins.\n\n### Criteria\n\n#### c1 (weight 2)\n\nSays it makes runs repeatable.\n\n"
        "- met: same numbers every time\n\n## Others\n\n**Q: What is a dtype?**\n\nNumbers.\n"
    )
    got = found(entry)
    assert [question.text for question in got] == ["What is a seed?", "What is a dtype?"]
    assert got[0].rubric is not None
    assert got[0].rubric.origin == "given"
    assert got[1].rubric is None


def test_a_heading_of_many_lines_is_kept_in_part() -> None:
    # Setext: whatever paragraph stands above the rule is a heading.
    text = "A long story about tensors\n" * 2000 + "---\n\nQ1. What is a view?\n\nThe same storage.\n"
    (question,) = questions(parse(text, "a.md"))
    assert [len(name) <= 300 for name in question.source.section] == [True]
    assert question.source.section[0].startswith("A long story")
    (plain,) = questions(parse("Views\n---\n\nQ1. What is a view?\n\nThe same storage.\n", "a.md"))
    assert plain.source.section == ("Views",)


CHECKPOINTING = """\
# Gradient checkpointing

## What is gradient checkpointing and what does it cost?

It drops activations and computes them again.

## When should you not use it?

When the model fits in memory without it.

## What are the downsides of it?

A third more compute.

## Why is the learning rate warmed up, and what does it prevent?

The first steps are too large.
"""


def test_a_question_that_says_only_it_names_its_subject() -> None:
    named = found(CHECKPOINTING, "notes.md")
    assert [question.spoken for question in named] == [
        "What is gradient checkpointing and what does it cost?",
        "Gradient checkpointing: when should you not use it?",
        "Gradient checkpointing: what are the downsides of it?",
        "Why is the learning rate warmed up, and what does it prevent?",
    ]
    assert named[1].id == question_id("notes.md", "When should you not use it?")


@pytest.mark.parametrize(
    ("text", "section", "near", "asked"),
    [
        ("How does it work?", ("2.1 Momentum",), "It adds momentum up.", "Momentum: how does it work?"),
        ("How does it work?", ("Basics",), "What is a leaf tensor?", "Leaf tensor: how does it work?"),
        ("What are its limits?", ("Interview preparation", "Easy"), "Time and money.", "What are its limits?"),
        ("Is momentum worth what it costs?", ("Momentum",), "Momentum is.", "Is momentum worth what it costs?"),
        ("What are the limits of it?", ("FAISS",), "FAISS holds all in memory.", "FAISS: what are the limits of it?"),
    ],
)
def test_a_subject_is_named_only_where_the_document_tells_it(
    text: str, section: tuple[str, ...], near: str, asked: str
) -> None:
    assert with_subject(text, section, near) == asked

"""Rubrics out of reference answers."""

import pytest

from rubric.author import MOST, derive_rubric
from serving.errors import BadInputError

REFERENCE = """
Mixed precision runs most operations in sixteen bits:

- **Speed:** matrix products run on tensor cores
- Memory for activations is halved
- Memory for activations is halved, roughly

1. A scaled loss keeps small gradients from underflowing.
2. Master weights stay in
   full precision.

```python
print("this is no point")
```
"""


def texts(reference, question="What is mixed precision?"):
    return [item.text for item in derive_rubric(question, reference).criteria]


def test_bullets_and_steps_become_criteria_and_code_does_not():
    assert texts(REFERENCE) == [
        "Speed: matrix products run on tensor cores",
        "Memory for activations is halved",
        "A scaled loss keeps small gradients from underflowing.",
        "Master weights stay in full precision.",
    ]


def test_sentences_become_criteria():
    found = texts("Warm-up keeps the first steps small. Adam's second moment is unreliable at the start. Yes.")
    assert found == ["Warm-up keeps the first steps small.", "Adam's second moment is unreliable at the start."]


def test_a_long_reference_gives_a_handful_spread_over_it():
    found = texts("\n".join(f"- fact number{n} about topic{n} and thing{n}" for n in range(30)))
    assert len(found) == MOST
    assert "number0" in found[0]
    assert "number25" in found[-1]


def test_a_sentence_that_only_repeats_the_question_is_no_criterion():
    assert texts(
        "What is mixed precision training? It is what mixed precision is. Half the bits, twice the speed."
    ) == ["Half the bits, twice the speed."]


def test_a_short_reference_is_one_criterion():
    assert texts("A heap.") == ["A heap."]


def test_the_same_reference_gives_the_same_version():
    assert derive_rubric("q", REFERENCE).version == derive_rubric("q", REFERENCE).version


@pytest.mark.parametrize("reference", ["", "  \n "])
def test_an_empty_reference_is_told(reference):
    with pytest.raises(BadInputError, match="empty"):
        derive_rubric("q", reference)

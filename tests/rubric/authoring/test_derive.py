"""Rubrics out of reference answers."""

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.authoring.derive import derive_rubric
from rubric.authoring.selection import MOST
from rubric.words import WORD
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


def weights(reference, question="q"):
    return {item.text: item.weight for item in derive_rubric(question, reference).criteria}


def test_bullets_and_steps_become_criteria_and_code_does_not():
    assert texts(REFERENCE) == [
        "Speed: matrix products run on tensor cores",
        "Memory for activations is halved",
        "A scaled loss keeps small gradients from underflowing.",
        "Master weights stay in full precision.",
    ]


def test_sentences_become_criteria():
    found = texts("Warm-up keeps the first steps small. Adam's second moment is unreliable at the start. Yes.")
    assert found == [
        "Warm-up keeps the first steps small.",
        "Adam's second moment is unreliable at the start. Yes.",
    ]


def test_a_full_stop_after_an_abbreviation_ends_no_sentence():
    assert texts("Use a stable sort, e.g. Timsort or merge sort, for ties. It costs memory, i.e. Python copies.") == [
        "Use a stable sort, e.g. Timsort or merge sort, for ties. It costs memory, i.e. Python copies."
    ]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "The loader prefetches two batches; the trainer never waits for the disk.",
            ["The loader prefetches two batches.", "The trainer never waits for the disk."],
        ),
        (
            "Each worker opens its own file handle, and the main process collects the batches.",
            ["Each worker opens its own file handle.", "The main process collects the batches."],
        ),
        (
            "The sampler shuffles the indices, and it reseeds in every epoch.",
            ["The sampler shuffles the indices.", "The sampler reseeds in every epoch."],
        ),
        (
            "Pinned memory speeds up copies because the card reads it directly, and the host need not stage it.",
            None,
        ),
        ("If the loss is scaled, the step is skipped on overflow, and the factor is halved.", None),
        ("Views share storage, strides, and the version counter of their base.", None),
        ("BatchNorm needs large batches, whereas GroupNorm does not care about them at all.", None),
        ("Copies are asynchronous (the stream orders them; the host goes on) for pinned memory.", None),
    ],
)
def test_two_points_are_parted_where_each_has_its_own_verb_and_reasons_stay(sentence, parts):
    assert texts(sentence, "q") == (parts or [sentence])


def test_a_bold_lead_stays_with_its_body():
    found = texts(
        "- **Latency**: one request should be answered within a second\n- **Fails** – when the tensor is transposed\n"
        "- **Sampler** chooses the order of the rows",
        "q",
    )
    assert found == [
        "Latency: one request should be answered within a second",
        "Fails: when the tensor is transposed",
        "Sampler chooses the order of the rows",
    ]


def test_what_stands_under_a_label_can_be_understood_without_it():
    found = texts(
        "Ring:\n\n- Sends each chunk around once\n- **Use when:** messages are large\n\n"
        "Tree:\n\n- Sends along a binary tree\n- **Use when:** messages are small",
        "Which all-reduce is which?",
    )
    assert found == [
        "Ring sends each chunk around once",
        "Ring, use when: messages are large",
        "Tree sends along a binary tree",
        "Tree, use when: messages are small",
    ]


def test_labels_that_say_nothing_are_left_out():
    found = texts("Key differences:\n\n- Threads share the interpreter lock\n- Processes copy the data they get", "q")
    assert found == ["Threads share the interpreter lock", "Processes copy the data they get"]


def test_a_label_over_labels_stands_in_front_of_both():
    found = texts(
        "Encoder:\n\nAttention:\n\n- Every token looks at every other one\n\nMasking:\n\n- Only padding is hidden away",
        "q",
    )
    assert found == [
        "Encoder, Attention: every token looks at every other one",
        "Encoder, masking: only padding is hidden away",
    ]


@pytest.mark.parametrize(
    "empty",
    [
        "Great question!",
        "In this section, we look at how memory is laid out.",
        "Here is a list of what matters.",
        "Why does that matter?",
        "For example, a model of seven billion weights takes fourteen gigabytes.",
        "This is a very common interview question.",
        "Understanding strides is crucial for every engineer.",
        "There are several ways of doing this.",
        "I hope this helps you on the day.",
        "# Strides and views explained",
        "Example:\n\n- A tensor of three rows is transposed\n",
        "```python\nx = torch.ones(3)\n```",
        "$$ y = W x + b $$",
        "Upload → Queue → Worker\n↓\nStore",
    ],
)
def test_what_introduces_comments_or_illustrates_is_no_point(empty):
    points = "Strides say how far apart neighbors lie.\n\nA view shares the storage of its base."
    assert texts(f"{points}\n\n{empty}", "q") == texts(points, "q")


def test_a_sentence_that_leads_to_code_is_a_point_when_it_names_something():
    found = texts(
        "Use a **monotonic deque** of indices:\n\n```python\nd = deque()\n```\n\nEach index enters once.", "q"
    )
    assert found == ["Use a monotonic deque of indices.", "Each index enters once."]


def test_words_that_only_tie_a_sentence_to_the_one_before_go():
    assert texts("Dropout scales at training time. However, evaluation leaves activations alone.", "q")[1] == (
        "Evaluation leaves activations alone."
    )
    assert texts("Dropout scales at training time. Note that evaluation leaves activations alone.", "q")[1] == (
        "Evaluation leaves activations alone."
    )


def test_a_pronoun_gets_the_subject_of_the_sentence_before():
    assert texts("The allocator keeps freed blocks. It also splits large ones.", "q") == [
        "The allocator keeps freed blocks.",
        "The allocator also splits large ones.",
    ]
    assert texts("Persistent workers keep their files open. They skip the start of each epoch.", "q")[1] == (
        "Persistent workers skip the start of each epoch."
    )


def test_a_sentence_that_points_back_stays_with_the_one_before():
    assert texts("Reading a value waits for the card. This means every print costs a pause.", "q") == [
        "Reading a value waits for the card. This means every print costs a pause."
    ]
    assert texts("Freed blocks stay reserved by the process. They are reused. The driver sees none of it.", "q") == [
        "Freed blocks stay reserved by the process. They are reused.",
        "The driver sees none of it.",
    ]


def test_near_duplicates_are_one_and_opposites_are_two():
    same = "- Gradients accumulate across backward calls\n- Gradients are accumulated across calls of backward"
    assert len(texts(same, "q")) == 1
    opposite = "- Gradients accumulate across backward calls\n- Gradients never accumulate across backward calls"
    assert len(texts(opposite, "q")) == 2
    figures = "- The ring needs 7 steps for gathering\n- The ring needs 14 steps for gathering"
    assert len(texts(figures, "q")) == 2


def test_short_bullets_of_one_list_are_one_criterion():
    assert texts("Reliability:\n\n- Health checks\n- Rollback\n- Two replicas", "q") == [
        "Reliability: Health checks, Rollback, Two replicas"
    ]


def test_rows_of_a_table_are_criteria():
    found = texts(
        "| | List | Array |\n|---|---|---|\n| Storage | scattered objects | one block |\n| Order | kept | kept |"
    )
    assert found == ["Storage: List: scattered objects; Array: one block"]


def test_comments_of_code_are_taken_where_there_is_hardly_any_prose():
    code = "```python\n# Scale the loss so that small gradients survive\nscaler.scale(loss).backward()\n" + (
        "opt.zero_grad()  # clears what the last step left\n# 3\nx = 1  # [1, 2]\n```\n"
    )
    found = texts(code, "How is it done?")
    assert found == [
        "Scale the loss so that small gradients survive",
        "opt.zero_grad() clears what the last step left",
    ]
    prose = "The scaler multiplies the loss first.\n\nThe optimiser skips a step with infinite gradients.\n\n"
    assert texts(prose + code, "How is it done?") == texts(prose, "How is it done?")


def test_a_comment_that_only_names_what_follows_is_a_heading_and_no_point():
    code = (
        "```python\n# Grouped query attention\nq = project(x)\n# Memory against speed\n"
        "WIDTH = 4  # for the small model\n"
        "# Add up the heads before projecting\ny = q.sum(0)\n# keep=False: newer, cheaper than the old way\n"
        "# Merge by hand (see above)\n# Warning: slows every step a little\n# Way 1: Plain helper of ours\n```\n"
    )
    assert texts(code, "How is it done?") == [
        "Add up the heads before projecting",
        "keep=False: newer, cheaper than the old way",
    ]


def test_what_a_comment_says_is_wrong_is_always_a_point():
    code = "```python\n# Problem: the loss keeps its graph\nt += loss\n# Solution: Small helper\nt += loss.item()\n```"
    found = texts(f"Watch the memory after each step.\n\nLower the batch size first.\n\n{code}", "q")
    assert found == [
        "Problem: the loss keeps its graph",
        "Watch the memory after each step.",
        "Lower the batch size first.",
    ]


def test_a_signature_in_code_is_no_point():
    assert texts("- Called once a step\n- Signature: `hook(module, grad)`\n- Removed by its handle again", "q") == [
        "Called once a step",
        "Removed by its handle again",
    ]


def test_bold_numbers_within_one_line_part_its_points():
    found = texts(
        "1. Wider heads: each one learns a relation of its own**2. Shared keys:** The cache takes less room"
        "**3. Rotation:** Distances count instead of places",
        "q",
    )
    assert found == [
        "Wider heads: each one learns a relation of its own",
        "Shared keys: the cache takes less room",
        "Rotation: Distances count instead of places",
    ]


def test_what_stands_below_a_list_stands_no_longer_under_its_label():
    found = texts("Cost of queues:\n\n- A push takes logarithmic time\n\nThe counter keeps equal keys in order.", "q")
    assert found[-1] == "The counter keeps equal keys in order."


def test_a_lead_of_its_own_is_not_told_under_uses():
    found = texts("Applications:\n\n- Finds repeated tokens fast\n- Time complexity: linear in the text's length", "q")
    assert found[-1] == "Time complexity: linear in the text's length"


def test_means_that_lead_to_code_are_a_point():
    assert texts("Use a sorted list for this:\n\n```python\nx = sorted(y)\n```\n\nInsertion is linear then.", "q") == [
        "Use a sorted list for this.",
        "Insertion is linear then.",
    ]


def test_it_at_the_beginning_is_what_the_question_is_about():
    assert texts("It takes raw scores and normalizes them itself. A second softmax flattens them.", "q")[0] == (
        "It takes raw scores and normalizes them itself."
    )


def test_a_fragment_stays_with_the_sentence_before():
    assert texts(
        "Gradients are averaged over all cards. Simple, robust, the default. Each card then steps alike.", "q"
    ) == [
        "Gradients are averaged over all cards. Simple, robust, the default.",
        "Each card then steps alike.",
    ]


def test_a_half_that_speaks_of_the_other_is_not_parted_from_it():
    sentence = "train() sets the flag on every module; eval() sets it back on all."
    assert texts(sentence, "q") == [sentence]


def test_what_leans_on_something_said_before_gives_way_to_what_stands_alone():
    bullets = "\n".join(f"- Layer{n} multiplies slope{n} by another small number" for n in range(6))
    found = texts(f"- Depth only amplifies this effect further\n{bullets}", "q")
    assert len(found) == MOST
    assert not any("this effect" in text for text in found)


def test_names_and_formulas_stay_as_they_are_written():
    found = texts(r"A module's `__init__` runs once, its **forward** each time. Search takes $O(\log n)$ steps.", "q")
    assert found == ["A module's __init__ runs once, its forward each time.", "Search takes O(log n) steps."]


def test_a_statement_is_kept_within_its_bounds():
    long = (
        "The allocator "
        + ", ".join(f"keeps the block of size number {n} in a pool of its own" for n in range(12))
        + "."
    )
    found = texts(f"Yes, it does. {long}", "q")
    assert all(4 <= len(WORD.findall(text.lower())) <= 40 for text in found)
    assert found[0].startswith("The allocator keeps the block")


def test_a_long_reference_gives_a_handful_spread_over_its_sections():
    sections = "\n\n".join(
        f"## Part {name}\n\n" + "\n".join(f"- {name} holds thing{n} besides other{n}" for n in range(6))
        for name in ("Alpha", "Beta", "Gamma", "Delta")
    )
    found = texts(sections, "q")
    assert len(found) == MOST
    assert all(any(name in text for text in found) for name in ("Alpha", "Beta", "Gamma", "Delta"))


def test_steps_come_before_what_is_added_to_them():
    steps = "\n".join(
        f"{n}. Check place{n} for fault{n}. Then repair thing{n} with tool{n} at once." for n in range(1, 7)
    )
    assert [text.split()[1] for text in texts(steps, "q")] == [f"place{n}" for n in range(1, 7)]


def test_what_the_question_names_or_the_reference_stresses_weighs_more():
    found = weights(
        "The sampler chooses rows. Workers read them from disk. **Pinned memory** speeds the copy to the card. "
        "A queue holds finished batches. The collate function stacks samples.",
        "Why does a loader use pinned memory?",
    )
    assert set(found.values()) <= {1.0, 2.0, 3.0}
    assert found["Pinned memory speeds the copy to the card."] > found["A queue holds finished batches."]


def test_a_sentence_that_only_repeats_the_question_is_no_criterion():
    assert texts(
        "What is mixed precision training? It is what mixed precision is. Half the bits, twice the speed."
    ) == ["Half the bits, twice the speed."]


def test_a_short_reference_is_one_criterion():
    assert texts("A heap.") == ["A heap."]


def test_the_same_reference_gives_the_same_version():
    assert derive_rubric("q", REFERENCE).version == derive_rubric("q", REFERENCE).version


@pytest.mark.parametrize("reference", ["", "  \n "])
@pytest.mark.parametrize("kind", ["concept", "coding", "debugging", "system design"])
def test_an_empty_reference_is_told(reference, kind):
    with pytest.raises(BadInputError, match="empty"):
        derive_rubric("q", reference, kind=kind)


def test_a_reference_of_code_alone_is_told():
    with pytest.raises(BadInputError, match="only code"):
        derive_rubric("q", "```python\nx = 1\n```")


@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "# Title",
                    "- ",
                    "  - ",
                    "1. ",
                    "**Lead**: ",
                    "**",
                    "`",
                    "```python\n",
                    "```\n",
                    "| a | b |\n",
                    "|---|---|\n",
                ),
                *(
                    "Speed: ",
                    "It also runs. ",
                    "The cache keeps blocks, and it frees them; they stay. ",
                    "For example, ",
                    "\n",
                ),
                *(
                    "\n\n",
                    "$O(n)$ ",
                    "Why? ",
                    ":",
                    "(",
                    '"',
                    "é→↓ ",
                    "Use it when needed. ",
                    "# keep the graph here\n",
                    "_",
                    "e.g. ",
                ),
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_any_reference_gives_a_rubric_or_is_told(reference):
    try:
        rubric = derive_rubric("What does the cache do?", reference)
    except BadInputError:
        return
    assert 1 <= len(rubric.criteria) <= MOST
    assert rubric == derive_rubric("What does the cache do?", reference)
    assert all(item.text.strip() and item.weight in {1.0, 2.0, 3.0} for item in rubric.criteria)


@pytest.mark.parametrize(
    "piece", ["- **a", "**a:** ", "(", "e.g. A", "`a: ", "```\n", "a, and the b is c; ", "# x\n", "x: y\n"]
)
def test_a_hostile_reference_takes_no_time(piece):
    begun = time.process_time()
    with contextlib.suppress(BadInputError):
        derive_rubric("q", piece * 3000)
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("mark", ["/", "-", ":", ",", "_", "\u2028"])
def test_words_without_blanks_between_them_come_to_an_end(mark):
    """It looped for ever: no clause to leave out, and fewer words between blanks than in all."""
    run = mark.join(["gradient"] * 200)
    for reference in (run, f"It is {run}.", f"Autograd keeps the leaves {run} and frees the rest {run}"):
        with contextlib.suppress(BadInputError):
            rubric = derive_rubric("What is kept?", reference)
            assert all(len(WORD.findall(item.text.lower())) <= 200 for item in rubric.criteria)

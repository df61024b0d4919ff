"""The reader's layers give what the library's give; its losses are what they say."""

from __future__ import annotations

import pytest
import torch

from rubric.grading.excerpt_prompts import excerpt_prompt
from rubric.grading.state_head import Linear
from rubric.training.reader.model import PROJECTIONS, ReaderModel, blank_head, credit_odds, loss_of, parts_of
from rubric.training.reader.packing import pack
from rubric.training.reader.rows import last_states, rows_of
from tests.rubric.training.reader.tiny import HIDDEN, LAYERS, model, tokenize

GIVEN = [("It is so.", ["since it is", "it never was\nor perhaps"]), ("It was once.", ["since it is"])]


def reader(first: int = 1, **options) -> ReaderModel:
    return ReaderModel(model(), first=first, rank=4, int8=False, **options)


@pytest.mark.parametrize("first", range(LAYERS))
def test_packed_prompts_have_the_states_that_the_library_gives_them_alone(first):
    packed = pack("Why?", GIVEN, tokenize)
    found = reader(first)
    together = found.upper(found.lower(packed), packed)
    alone = [
        model()(torch.tensor([tokenize(excerpt_prompt("Why?", criterion, words))])).last_hidden_state[0, -1]
        for criterion, answers in GIVEN
        for words in answers
    ]
    assert torch.allclose(together, torch.stack(alone), atol=1e-4)
    assert not torch.allclose(together[0], together[1], atol=1e-2)


@pytest.mark.parametrize("first", range(LAYERS))
def test_prompts_in_rows_of_their_own_have_the_same_states_and_gradients(first):
    packed = pack("Why?", [*GIVEN, ("So it is, and has been for longer than anybody knows.", ["yes"])], tokenize)
    found = reader(first)
    rows = rows_of(packed)
    assert len({int(place) for place in rows.last}) > 1
    one, other = last_states(found.base, rows, first), found.states(packed)
    assert torch.allclose(one, other, atol=1e-4)
    gradients = []
    for states in (one, other):
        found.zero_grad()
        states.square().sum().backward()
        gradients.append(torch.cat([each.grad.flatten() for each in found.learning() if each.grad is not None]))
    assert gradients[0].norm() > 0
    assert torch.allclose(*gradients, rtol=1e-3, atol=1e-4)


def test_each_part_follows_what_its_prompt_has_before_it():
    packed = pack("Why?", GIVEN, tokenize)
    parts = parts_of(packed)
    assert sum(part.length for part in parts) == packed.tokens.shape[1]
    assert len(parts) == 3
    begin = 0
    for part in parts:
        rows = range(begin, begin + part.length)
        begin += part.length
        for row, allowed in zip(rows, part.mask, strict=True):
            assert part.follows[allowed].tolist() == packed.mask[0, 0, row].nonzero()[:, 0].tolist()


def test_states_of_the_lower_layers_that_were_kept_serve_as_well():
    packed = pack("Why?", GIVEN, tokenize)
    found = reader()
    kept = found.lower(packed)
    assert not kept.requires_grad
    assert torch.equal(found.logits(packed, kept), found.logits(packed))


def test_only_changes_and_the_head_learn():
    found = reader(first=2)
    learned = found.learned()
    assert {name.split(".")[2] for name in learned if name.startswith("base")} == {"2"}
    assert {name for name in learned if not name.startswith("base")} == {"head.weights", "head.bias"}
    assert set(found.changes()) == {f"layers.2.{part}.{name}.weight" for part, name in PROJECTIONS}


def test_a_head_begins_as_what_it_is_given():
    begin = blank_head(HIDDEN)
    begin.bias[:] = [1, 2, 3, 4]
    packed = pack("Why?", GIVEN, tokenize)
    assert torch.allclose(reader(begin=Linear(*begin)).logits(packed)[0], torch.tensor([1.0, 2.0, 3.0, 4.0]))
    assert torch.allclose(reader().logits(packed), torch.zeros(3, 4))


def test_in_int8_the_states_are_nearly_the_same():
    packed = pack("Why?", GIVEN, tokenize)
    plain = ReaderModel(model(torch.bfloat16), first=1, rank=4, int8=False)
    int8 = ReaderModel(model(torch.bfloat16), first=1, rank=4, int8=True)
    one, other = (each.upper(each.lower(packed), packed) for each in (plain, int8))
    assert (one - other).norm() < 0.1 * one.norm()


def test_any_of_the_allowed_classes_is_right():
    logits = torch.log(torch.tensor([[0.1, 0.2, 0.3, 0.4]]))
    assert loss_of(logits, [(3,)], [], 0.1).item() == pytest.approx(-torch.log(torch.tensor(0.4)).item())
    assert loss_of(logits, [(1, 2)], [], 0.1).item() == pytest.approx(-torch.log(torch.tensor(0.5)).item())


def test_the_better_of_two_shall_have_more_credit():
    logits = torch.tensor([[2.0, 0, 0, 0], [0, 0, 0, 2.0]])
    labels = [(0,), (3,)]
    assert credit_odds(logits)[0] > 0 > credit_odds(logits)[1]
    plain = loss_of(logits, labels, [], 0.1)
    right, wrong = (loss_of(logits, labels, [pair], 0.1) for pair in ((0, 1), (1, 0)))
    assert plain < right < wrong

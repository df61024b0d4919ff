"""The terms of the field are found by any of their names, and what is said of them can be said aloud."""

from __future__ import annotations

import re

import pytest

from knowledge.glossary.glossary import Glossary, Term, load

NORM = Term(
    name="RMSNorm",
    aliases=("RMS norm", "root-mean-square normalization"),
    definition="RMSNorm divides a vector by the root mean square of its elements.",
    reading="Zhang and Sennrich (2019)",
)


@pytest.mark.parametrize(
    "name", ["RMSNorm", "rmsnorm", "RMS norms", "an RMS-norm", "root mean square normalizations", "the `RMSNorm`"]
)
def test_a_term_is_found_by_any_of_its_names(name: str) -> None:
    assert Glossary((NORM,)).find(name) == NORM


def test_what_is_no_term_is_not_found() -> None:
    assert Glossary((NORM,)).find("LayerNorm") is None
    assert Glossary((NORM,)).find("?") is None
    assert load().find("clipping") != load().find("CLIP")


def test_the_terms_in_a_text_are_named_in_order_and_once() -> None:
    norm = NORM.model_copy(update={"name": "norm", "aliases": ()})
    both = Glossary((norm, NORM))
    assert both.named_in("why a root-mean-square normalization, and which norms? RMS-norm!") == [NORM, norm]
    assert both.named_in("the RMS of the norm") == [norm]
    assert both.named_in("normal") == both.named_in("?") == Glossary(()).named_in("norm") == []
    assert load().named_in("the KV cache with GQA") == [load().find("key-value cache"), load().find("GQA")]


def test_no_two_terms_share_a_name() -> None:
    other = NORM.model_copy(update={"name": "norm", "aliases": ("RMS norm",)})
    with pytest.raises(ValueError, match="have a name in common"):
        Glossary((NORM, other))


def test_the_definitions_are_sentences_fit_to_be_said() -> None:
    for term in load().terms:
        assert term.definition[0].isupper() or term.definition.startswith(term.name), term.name
        assert term.definition.endswith("."), term.name
        assert 12 <= len(term.definition.split()) <= 60, term.name
        assert not re.search(r"[`*#\n]|\.\w+\(", term.definition), term.name
        assert not term.reading.endswith("."), term.name

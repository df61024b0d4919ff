"""Wrong code found by reading it: one small rule for each mistake, each right whenever it applies.

A rule gets a tree and yields findings. Code that shows a mistake on purpose is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from knowledge.code.review.intentional_errors import on_purpose
from knowledge.code.review.rules import algorithms, losses, modules, training
from knowledge.code.review.torch_api import Finding
from serving.syntax import python_tree

_Rule = Callable[[ast.AST], Iterator[Finding]]

_RULES: tuple[_Rule, ...] = (
    algorithms.head_of_list,
    algorithms.power_by_xor,
    algorithms.power_before_modulus,
    modules.no_super,
    modules.getattr_of_nested,
    modules.wrapped_after_compile,
    modules.loads_pickled_module,
    modules.quantized_after_scripting,
    modules.converted_untrained,
    losses.softmax_into_cross_entropy,
    losses.log_of_softmax,
    losses.kl_per_element,
    training.clip_before_unscale,
)

_NESTED: tuple[_Rule, ...] = (
    algorithms.two_pointers_never_meet,
    algorithms.never_advances,
    training.steps_without_zero,
    training.backward_under_autocast,
    training.accumulates_undivided,
)
"""Rules about what stands in which block."""


def findings(text: str, prose: str = "", *, restored: bool = False) -> Iterator[Finding]:
    """What is wrong in sound Python.

    Args:
        text: the code.
        prose: what stands around it in the answer.
        restored: whether its indentation was put back, so that rules about what stands in which block say nothing.

    """
    tree = python_tree(text)
    lines = text.split("\n")
    found = [finding for rule in (_RULES if restored else (*_RULES, *_NESTED)) for finding in rule(tree)]
    found += training.norms_summed(tree, f"{prose}\n{text}")
    yield from (finding for finding in found if not on_purpose(tree, lines, finding.line))
    yield from training.plain_l2(tree, lines)

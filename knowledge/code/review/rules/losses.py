"""Mistakes in losses: one small rule for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from knowledge.code.review.rules.ast_queries import assigned_from, every, scopes, within
from knowledge.code.review.torch_api import Finding


def softmax_into_cross_entropy(tree: ast.AST) -> Iterator[Finding]:
    """Probabilities where logits are expected: the softmax is taken twice."""
    losses = {
        target.id
        for node in every(tree, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
        and ast.unparse(node.value).startswith(("nn.CrossEntropyLoss", "torch.nn.CrossE"))
    }
    for scope in scopes(tree):
        soft = assigned_from(scope, _is_softmax)
        for call in within(scope, ast.Call):
            name = ast.unparse(call.func)
            if (name in losses or name.endswith("cross_entropy")) and "binary" not in name and call.args:
                first = call.args[0]
                if _is_softmax(first) or (isinstance(first, ast.Name) and first.id in soft):
                    yield Finding(
                        call.lineno,
                        "Cross-entropy takes logits and applies the softmax itself; here it is taken twice.",
                    )


def log_of_softmax(tree: ast.AST) -> Iterator[Finding]:
    """``log(softmax(x))`` is minus infinity where the softmax underflows."""
    for scope in scopes(tree):
        soft = assigned_from(scope, _is_softmax)
        for call in within(scope, ast.Call):
            if ast.unparse(call.func) == "torch.log" or (
                isinstance(call.func, ast.Attribute) and call.func.attr == "log"
            ):
                inner = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
                if inner is not None and (_is_softmax(inner) or (isinstance(inner, ast.Name) and inner.id in soft)):
                    yield Finding(
                        call.lineno,
                        "The logarithm of a softmax is minus infinity where the softmax underflows: "
                        "`log_softmax` is the stable form.",
                    )


def _is_softmax(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name in {"torch.softmax", "F.softmax", "nn.functional.softmax"} or name.endswith(".softmax")


def kl_per_element(tree: ast.AST) -> Iterator[Finding]:
    """KL divergence with the default reduction, which divides by the number of classes, too."""
    for call in every(tree, ast.Call):
        name = ast.unparse(call.func)
        wanted = {"reduction", "size_average", "reduce", None}
        if (
            name in {"nn.KLDivLoss", "torch.nn.KLDivLoss"}
            and not call.args
            and not {i.arg for i in call.keywords} & wanted
        ):
            yield Finding(call.lineno, _KL)
        if (
            name in {"F.kl_div", "nn.functional.kl_div"}
            and len(call.args) < 5
            and not {i.arg for i in call.keywords} & wanted
        ):
            yield Finding(call.lineno, _KL)


_KL = (
    "The default reduction of the KL divergence averages over classes as well as the batch: "
    "`reduction='batchmean'` is the divergence."
)

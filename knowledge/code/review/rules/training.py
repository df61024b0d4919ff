"""Mistakes in training steps: one small rule for each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from knowledge.code.review.rules.ast_queries import calls, every, functions, inside, loops, scopes
from knowledge.code.review.torch_api import Finding

_NORM = re.compile(r"\w+\.grad(?:\.data)?\.norm\((?:2)?\)(?:\.item\(\))?")
_DECAYED = re.compile(
    r"(?:(\w*grad\w*|g) = \1 \+|(?:\w*grad\w*|g) \+=) "
    r"(?:\(?(?:self\.|group\[')?(?:weight_decay|wd|lambda_?|decay)(?:'\])? \* [\w.]+\)?|"
    r"[\w.]+ \* (?:self\.)?(?:weight_decay|wd))"
)


def steps_without_zero(tree: ast.AST) -> Iterator[Finding]:
    """A training step that never zeroes gradients: they add up over all steps.

    Applies where one function that is a step itself, or one loop, holds forward, ``backward()`` and ``step()``.
    """
    zeroed = any(True for _ in calls(tree, "zero_grad"))
    if zeroed or ".grad = None" in ast.unparse(tree):
        return
    scopes: list[ast.AST] = list(loops(tree))
    for kind in every(tree, ast.ClassDef):
        scopes += [method for method in kind.body if isinstance(method, ast.FunctionDef)]
    found: set[int] = set()
    for scope in scopes:
        made = [call for call in inside(scope) if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)]
        backward = [call for call in made if isinstance(call.func, ast.Attribute) and call.func.attr == "backward"]
        step = [
            call
            for call in made
            if isinstance(call.func, ast.Attribute)
            and call.func.attr == "step"
            and ast.unparse(call).split("(")[0].split(".")[-2] in {"optimizer", "opt", "optim", "scaler", "optimiser"}
        ]
        if backward and step and backward[0].lineno not in found:
            found.add(backward[0].lineno)
            yield Finding(
                backward[0].lineno,
                "Gradients are never zeroed, so every step uses the sum of all gradients so far: call "
                "`optimizer.zero_grad()` in each step.",
            )


def backward_under_autocast(tree: ast.AST) -> Iterator[Finding]:
    """``backward()`` inside ``with autocast``; torch's documentation of autocast advises against it."""
    for block in every(tree, ast.With):
        if any("autocast" in ast.unparse(item.context_expr) for item in block.items):
            for _, call in calls(block, "backward"):
                yield Finding(
                    call.lineno,
                    "`backward()` runs inside the autocast block: only forward pass and loss belong there, backward "
                    "operations run in the types that the forward ones chose.",
                )
                break


def clip_before_unscale(tree: ast.AST) -> Iterator[Finding]:
    """Gradients clipped while they are still multiplied by the loss scale."""
    for scope in scopes(tree):
        scaled = [call.lineno for _, call in calls(scope, "scale") if ".backward" in ast.unparse(scope)]
        clips = [call.lineno for name in ("clip_grad_norm_", "clip_grad_value_") for _, call in calls(scope, name)]
        unscaled = [call.lineno for _, call in calls(scope, "unscale_")]
        steps = [call.lineno for owner, call in calls(scope, "step") if "scaler" in owner.lower()]
        if scaled and steps and not unscaled:
            for line in clips:
                if min(scaled) < line < max(steps):
                    yield Finding(
                        line,
                        "Gradients are clipped before `scaler.unscale_(optimizer)`, so the threshold is compared with "
                        "gradients multiplied by the loss scale.",
                    )


def accumulates_undivided(tree: ast.AST) -> Iterator[Finding]:
    """Gradients summed over several batches without dividing the loss."""
    for loop in loops(tree):
        for branch in loop.body:
            if not (isinstance(branch, ast.If) and isinstance(branch.test, ast.Compare)):
                continue
            left = branch.test.left
            if not (isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod)):
                continue
            count = ast.unparse(left.right)
            steps = [call for owner, call in calls(branch, "step") if owner.split(".")[-1] in {"optimizer", "opt"}]
            zeroes = [call for _, call in calls(branch, "zero_grad")]
            before = [node for node in loop.body if node.lineno < branch.lineno]
            backward = [call for node in before for _, call in calls(node, "backward")]
            source = "\n".join(ast.unparse(node) for node in before)
            divided = re.search(r"/=?\s*\(?[\w.]+|\*\s*\(?\s*1", source) or "mean" in source
            if steps and zeroes and backward and not divided and not count.isdigit():
                yield Finding(
                    backward[0].lineno,
                    f"The loss is not divided by `{count}`, so the accumulated gradient is that many times as large as "
                    "the mean over the same examples.",
                )


def norms_summed(tree: ast.AST, around: str) -> Iterator[Finding]:
    """Norms of single parameters added up and called the total norm."""
    if not re.search(r"total (?:gradient |grad )?norm", around, re.IGNORECASE):
        return
    for call in every(tree, ast.Call):
        if ast.unparse(call.func) != "sum" or not call.args:
            continue
        added = call.args[0]
        if isinstance(added, ast.GeneratorExp | ast.ListComp) and _NORM.fullmatch(ast.unparse(added.elt)):
            yield Finding(
                call.lineno,
                "The sum of the parameters' norms is not the total norm, which is the root of the sum of their "
                "squares, as `clip_grad_norm_` returns it.",
            )


def plain_l2(tree: ast.AST, lines: Sequence[str]) -> Iterator[Finding]:
    """Weight decay added to the gradient in something that calls itself AdamW."""
    for node in [*every(tree, ast.Assign), *every(tree, ast.AugAssign)]:
        source = ast.unparse(node)
        added = _DECAYED.fullmatch(source)
        if added and _is_adamw(tree, lines, node):
            yield Finding(
                node.lineno,
                "This is Adam with L2: the decay goes through the moments. AdamW leaves the gradient alone and takes "
                "`lr * weight_decay * w` from the weights directly.",
            )


def _is_adamw(tree: ast.AST, lines: Sequence[str], node: ast.stmt) -> bool:
    adaptive = bool(re.search(r"sqrt", ast.unparse(tree)))
    named = any("adamw" in name.lower() for name in _names_of_scopes(tree, node)) or any(
        "adamw" in line.lower() for line in lines[: node.lineno] if line.strip().startswith("#")
    )
    return adaptive and named


def _names_of_scopes(tree: ast.AST, node: ast.stmt) -> Iterator[str]:
    for scope in [*every(tree, ast.ClassDef), *functions(tree)]:
        if scope.lineno <= node.lineno <= (scope.end_lineno or scope.lineno):
            yield scope.name

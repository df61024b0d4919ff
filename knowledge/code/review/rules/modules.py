"""Mistakes in modules, wrapping and saving: one small rule for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from knowledge.code.review.rules.ast_queries import calls, every, functions, inside, scopes
from knowledge.code.review.torch_api import Finding


def no_super(tree: ast.AST) -> Iterator[Finding]:
    """A module whose ``__init__`` does not call that of ``nn.Module``."""
    for kind in every(tree, ast.ClassDef):
        if not any(ast.unparse(base) in {"nn.Module", "torch.nn.Module", "Module"} for base in kind.bases):
            continue
        for method in kind.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                calls = {ast.unparse(call.func) for call in every(method, ast.Call)}
                if not any(call.endswith(".__init__") for call in calls) and _all_assign_self(method):
                    yield Finding(
                        method.lineno,
                        f"`{kind.name}.__init__` does not call `super().__init__()`: assigning a layer or calling the "
                        "module raises AttributeError.",
                    )


def _all_assign_self(method: ast.FunctionDef) -> bool:
    return any(
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        for node in every(method, ast.Assign)
        for target in node.targets
    )


def getattr_of_nested(tree: ast.AST) -> Iterator[Finding]:
    """``getattr(model, name)`` with names from ``named_modules()``, which hold dots."""
    for function in functions(tree):
        named: dict[str, str] = {}
        keyed: dict[str, str] = {}
        for loop in every(function, ast.For):
            if isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Attribute):
                owner, method = ast.unparse(loop.iter.func.value), loop.iter.func.attr
                first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
                if method in {"named_modules", "named_parameters"} and isinstance(first, ast.Name):
                    named[first.id] = owner
                    for node in every(loop, ast.Assign):
                        for target in node.targets:
                            if isinstance(target, ast.Subscript) and ast.unparse(target.slice) == first.id:
                                keyed[ast.unparse(target.value)] = owner
                if method in {"items", "keys"} and owner in keyed:
                    key = first if first is not None else loop.target
                    if isinstance(key, ast.Name):
                        named[key.id] = keyed[owner]
        for call in every(function, ast.Call):
            if ast.unparse(call.func) != "getattr" or len(call.args) != 2:
                continue
            whole, name = call.args
            if isinstance(name, ast.Name) and named.get(name.id) == ast.unparse(whole):
                yield Finding(
                    call.lineno,
                    "Names of nested modules hold dots, which `getattr` does not follow: `get_submodule(name)` does.",
                )


def wrapped_after_compile(tree: ast.AST) -> Iterator[Finding]:
    """DDP around a compiled module; torch's notes on DDP ask for the other order."""
    for call in every(tree, ast.Call):
        wraps = ast.unparse(call.func).split(".")[-1] in {"DDP", "DistributedDataParallel"}
        if wraps and call.args and ast.unparse(call.args[0]).startswith("torch.compile("):
            yield Finding(
                call.lineno,
                "The model is compiled before it is wrapped in DDP: wrap first and compile the wrapper, so that "
                "the compiler can split its graphs at DDP's buckets.",
            )


def loads_pickled_module(tree: ast.AST) -> Iterator[Finding]:
    """A module saved whole and loaded with the default ``weights_only=True``, which refuses it."""
    whole = {
        ast.unparse(call.args[1])
        for _, call in calls(tree, "save")
        if ast.unparse(call.func) == "torch.save"
        and len(call.args) > 1
        and isinstance(call.args[0], ast.Name)
        and call.args[0].id in {"model", "net", "network", "module", "classifier"}
    }
    for _, call in calls(tree, "load"):
        told = any(item.arg == "weights_only" for item in call.keywords)
        if ast.unparse(call.func) == "torch.load" and call.args and not told and ast.unparse(call.args[0]) in whole:
            yield Finding(
                call.lineno,
                "A model that was saved whole does not load: since torch 2.6 `torch.load` takes weights only "
                "unless told `weights_only=False`.",
            )


def quantized_after_scripting(tree: ast.AST) -> Iterator[Finding]:
    """A scripted module quantized by swapping layers: it holds none of those to be swapped."""
    for scope in scopes(tree):
        scripted: set[str] = set()
        for node in inside(scope):
            if isinstance(node, ast.Assign) and _is_scripting(node.value):
                scripted |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func).split(".")[-1]
            if name == "quantize_dynamic" and ast.unparse(node.args[0]) in scripted:
                yield Finding(
                    node.lineno,
                    "`quantize_dynamic` swaps `nn.Linear` layers, and a scripted module has none: quantize first.",
                )


def _is_scripting(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in {"torch.jit.script", "torch.jit.trace"}


def converted_untrained(tree: ast.AST) -> Iterator[Finding]:
    """Quantization-aware training that converts right after preparing."""
    for scope in scopes(tree):
        for first, second in pairwise(getattr(scope, "body", [])):
            if not (isinstance(first, ast.Assign) and isinstance(second, ast.Assign)):
                continue
            prepared = ast.unparse(first.value)
            converted = ast.unparse(second.value)
            if "prepare_qat(" in prepared and f"convert({ast.unparse(first.targets[0])}" in converted:
                yield Finding(
                    first.lineno,
                    "The prepared model is converted at once: between `prepare_qat` and `convert` it has to be "
                    "trained, or nothing was learned and no range was observed.",
                )

"""What a block of Python needs in order to run."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterable, Iterator

from knowledge.code.reconstruction.indentation import compiles
from knowledge.model import CodeUse
from serving.syntax import python_tree

USUAL = {
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "np": "import numpy as np",
    "optim": "from torch import optim",
    "os": "import os",
    "math": "import math",
}
"""Imports that documents leave out, by the name they bind."""

_BUILTIN = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__class__"}
_DISTRIBUTED_NAMES = frozenset(
    {
        *("init_process_group", "destroy_process_group", "DistributedDataParallel", "DDP", "DistributedSampler"),
        *("FullyShardedDataParallel", "FSDP", "fully_shard", "init_device_mesh", "all_reduce", "all_gather"),
        *("reduce_scatter", "distribute_tensor", "DTensor", "LOCAL_RANK", "WORLD_SIZE", "torchrun", "get_rank"),
    }
)
_GPU_TEXT = re.compile(r"cuda(?::\d+)?|nccl")
_GPU_QUESTIONS = frozenset({"is_available", "device_count", "amp", "is_initialized", "manual_seed_all", "manual_seed"})


def use_of(text: str, earlier: Iterable[str] = (), language: str = "python") -> CodeUse | None:
    """What a block needs; ``None`` for languages of which nobody knows.

    Args:
        text: the block.
        earlier: the blocks of the same answer before it, whose names it may use.
        language: its language.

    """
    if language == "cuda":
        return CodeUse.NEEDS_GPU
    if language != "python":
        return None
    if not compiles(text):
        return CodeUse.FRAGMENT
    known = set(_BUILTIN) | set(USUAL)
    for block in earlier:
        if compiles(block):
            known |= bound_names(block)
    tree = python_tree(text)
    if free_names(text) - known or _unfinished(tree):
        return CodeUse.FRAGMENT
    if any(name in _DISTRIBUTED_NAMES for name in _words(tree)):
        return CodeUse.NEEDS_DISTRIBUTED
    return CodeUse.NEEDS_GPU if _needs_gpu(tree) else CodeUse.RUNNABLE


def free_names(text: str) -> frozenset[str]:
    """Names that sound Python reads and does not bind, builtins among them."""
    table = symtable.symtable(text, "<document>", "exec")
    read: set[str] = set()
    pending = [table]
    while pending:
        scope = pending.pop()
        pending += scope.get_children()
        for symbol in scope.get_symbols():
            at_top = scope is table
            if symbol.is_referenced() and (at_top or symbol.is_global() or symbol.is_free()):
                read.add(symbol.get_name())
    return frozenset(read - bound_names(text)) - {"__class__"}


def bound_names(text: str) -> frozenset[str]:
    """Names that sound Python binds at its top level, by ``global`` too."""
    table = symtable.symtable(text, "<document>", "exec")
    names = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    tree = python_tree(text)
    names |= {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree)):
        names |= _BUILTIN
    return frozenset(names)


def _unfinished(tree: ast.Module) -> bool:
    """Whether a function consists of ``...`` alone: a sketch, not a program."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(
        isinstance(last := node.body[-1], ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is ...
        for node in functions
    )


def _words(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _needs_gpu(tree: ast.Module) -> bool:
    spared = {id(part) for node in ast.walk(tree) for part in _spared(node)}
    for node in ast.walk(tree):
        if id(node) in spared:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _GPU_TEXT.fullmatch(node.value):
            return True
        if isinstance(node, ast.Attribute):
            if node.attr == "cuda" and not (isinstance(node.value, ast.Name) and node.value.id in {"torch", "version"}):
                return True
            of_cuda = isinstance(node.value, ast.Attribute) and node.value.attr == "cuda"
            if of_cuda and node.attr not in _GPU_QUESTIONS:
                return True
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [item.name for item in node.names]
            if any(module.split(".")[0] == "triton" for module in modules):
                return True
    return False


def _spared(node: ast.AST) -> Iterator[ast.AST]:
    """What is only done where there is a GPU, or names a device type without touching the device."""
    if isinstance(node, ast.IfExp | ast.If) and "is_available" in ast.dump(node.test):
        for part in [node.body] if isinstance(node, ast.IfExp) else node.body:
            yield from ast.walk(part)
    elif isinstance(node, ast.Compare):
        yield from ast.walk(node)
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in {"autocast", "GradScaler"}:
            yield from node.args
            yield from (item.value for item in node.keywords)

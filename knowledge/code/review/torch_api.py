"""Names of torch in code and prose, looked up in the torch that is installed: which are gone, which on their way out.

Nothing here is a list of names. A name is resolved by imports and ``getattr``; what it leads to says itself whether
it is deprecated: by ``__deprecated__`` (PEP 702), by a warning that its body gives whenever it is called, or by the
first lines of its documentation.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from serving.syntax import python_tree

ROOT = "torch"


class Finding(NamedTuple):
    """A dated or wrong place in code or prose: its line, counted from 1, and what is the matter."""

    line: int
    reason: str


class Lookup(NamedTuple):
    """What a dotted name leads to.

    Attributes:
        found: whether it leads anywhere.
        target: what it leads to.
        missing: the part of the name that was not there.

    """

    found: bool
    target: object = None
    missing: str = ""


_CATEGORIES = frozenset({"FutureWarning", "DeprecationWarning", "PendingDeprecationWarning"})
_SAYS = re.compile(
    r"^\.\.\s+deprecated::|\bthis (?:function|class|method|module|optimizer|api) is deprecated|"
    r"``[\w.]+\([^)]*\)`` is deprecated",
    re.IGNORECASE | re.MULTILINE,
)
_PROSE = re.compile(r"(?<![\w./])torch(?:\.[A-Za-z_]\w*)+")
_TENSOR_MAKERS = frozenset(
    {
        *("tensor", "zeros", "ones", "rand", "randn", "arange", "empty", "full", "eye", "linspace", "randint"),
        *("zeros_like", "ones_like", "randn_like", "from_numpy", "as_tensor", "stack", "cat", "matmul"),
    }
)
_TALKS_OF_AGE = re.compile(
    r"deprecat|legacy|older|formerly|used to|removed|replaced|superseded|no longer", re.IGNORECASE
)


def in_code(tree: ast.Module, known: Mapping[str, str]) -> Iterator[Finding]:
    """Deprecated and vanished names of torch that code uses.

    Args:
        tree: the code.
        known: what names stand for that it does not bind itself: ``{"nn": "torch.nn"}``.

    """
    names = {**known, **imports(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == ROOT and not node.level:
            for item in node.names:
                if item.name != "*":
                    yield from _judged(f"{node.module}.{item.name}", node.lineno)
        elif isinstance(node, ast.Import):
            for item in node.names:
                if item.name.split(".")[0] == ROOT:
                    yield from _judged(item.name, node.lineno)
    shadowed = _assigned(tree) - set(imports(tree))
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and id(node) not in inner and isinstance(node.ctx, ast.Load):
            name = _dotted(node, names)
            root = _root(node)
            if name and root not in shadowed and (isinstance(node, ast.Attribute) or name != ROOT):
                yield from _judged(name, node.lineno)
        if isinstance(node, ast.Call):
            name = _dotted(node.func, names)
            if name and _root(node.func) not in shadowed:
                yield from _arguments(name, node)
    yield from _methods(tree, names)
    yield from _softmax_without_dim(tree, names)


def _softmax_without_dim(tree: ast.Module, names: Mapping[str, str]) -> Iterator[Finding]:
    """Functional softmax without its dimension, a choice of torch's that it warns about since long."""
    wanted = {"torch.nn.functional.softmax", "torch.nn.functional.log_softmax"}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and (name := _dotted(call.func, names)) in wanted and len(call.args) == 1:
            given = {item.arg for item in call.keywords}
            if not given & {"dim", None}:
                yield Finding(call.lineno, f"`{name}` without `dim`: the implicit choice of a dimension is deprecated.")


def in_prose(text: str) -> Iterator[Finding]:
    """Deprecated names of torch that prose recommends; a sentence that says so itself is no finding."""
    for number, line in enumerate(text.split("\n"), 1):
        if _TALKS_OF_AGE.search(line):
            continue
        for name in dict.fromkeys(_PROSE.findall(line)):
            finding = verdict(name)
            if finding and lookup(name).found:
                yield Finding(number, finding)


def imports(tree: ast.Module) -> dict[str, str]:
    """What imported names stand for, at any depth."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                names[item.asname or item.name.split(".")[0]] = item.name if item.asname else item.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update({item.asname or item.name: f"{node.module}.{item.name}" for item in node.names})
    return names


@cache
def verdict(name: str) -> str:
    """What is the matter with a dotted name of torch; empty where nothing is."""
    found = lookup(name)
    if not found.found:
        module, _, last = found.missing.rpartition(".")
        return f"`{found.missing}` is gone: torch {_version()} has no `{last}` in `{module}`."
    said = _says_so(found.target)
    return f"`{name}` is deprecated in torch {_version()}: {said}" if said else ""


@cache
def lookup(name: str) -> Lookup:
    """What a dotted name leads to in the installed packages."""
    parts = name.split(".")
    target: object = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for position in range(1, len(parts) + 1):
            here = ".".join(parts[:position])
            if position > 1 and hasattr(target, parts[position - 1]):
                target = getattr(target, parts[position - 1])
                continue
            if position > 1 and not inspect.ismodule(target):
                # An attribute that only instances have cannot be told from one that is gone.
                return Lookup(not inspect.isroutine(target), None, here)
            try:
                target = importlib.import_module(here)
            except ModuleNotFoundError as error:
                if error.name != here:
                    return Lookup(True)
                return Lookup(False, None, here)
            except Exception:  # noqa: BLE001 - a module that does not import here tells nothing about its name
                return Lookup(True)
    return Lookup(True, target)


def _judged(name: str, line: int) -> Iterator[Finding]:
    if name.split(".", maxsplit=1)[0] == ROOT:
        reason = verdict(name)
        if reason:
            yield Finding(line, reason)


def _says_so(target: object) -> str:
    """What a target says about its own deprecation, in one sentence; empty where it says nothing."""
    if inspect.ismodule(target):
        return _module_says(target)
    if isinstance(target, type):
        makers = (vars(target).get(name) for name in ("__init__", "__new__"))
        for part in (target, *makers):
            if isinstance(said := getattr(part, "__dict__", {}).get("__deprecated__"), str):
                return _sentence(said)
        warned = _warns(vars(target).get("__init__"))
        return warned or _documented(target)
    said = getattr(target, "__deprecated__", None)
    if isinstance(said, str):
        return _sentence(said)
    return (_warns(target) if inspect.isroutine(target) else "") or _documented(target)


def _module_says(module: Any) -> str:
    """A module is deprecated where nearly everything that it offers is: three quarters."""
    offered = [getattr(module, name, None) for name in getattr(module, "__all__", ())]
    own = [item for item in offered if callable(item) and not inspect.ismodule(item)]
    said = [text for item in own if (text := _says_so(item))]
    return said[0] if said and 4 * len(said) >= 3 * len(own) else ""


def _documented(target: object) -> str:
    text = inspect.getdoc(target) or ""
    if inspect.isroutine(target) or isinstance(target, type):
        match = _SAYS.search(text[:700])
        if match:
            rest = text[match.start() :]
            return _sentence(re.sub(r"^\.\.\s+deprecated::\s*", "deprecated since ", rest))
    return ""


@cache
def _source(target: Callable[..., object]) -> ast.FunctionDef | None:
    try:
        tree = python_tree(textwrap.dedent(inspect.getsource(target)))
    except (OSError, TypeError, SyntaxError):
        return None
    node = tree.body[0] if tree.body else None
    return node if isinstance(node, ast.FunctionDef) else None


def _warns(target: object) -> str:
    """What a function's body warns about, or fails with, whenever it is called."""
    try:
        node = _source(inspect.unwrap(target)) if callable(target) else None
    except (TypeError, ValueError):
        return ""
    return _warning(node.body) if node else ""


def _warning(body: list[ast.stmt]) -> str:
    for statement in body:
        if isinstance(statement, ast.If):
            first, second = _warning(statement.body), _warning(statement.orelse)
            if first and second:
                return second
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = ast.unparse(statement.value.func)
            named = {ast.unparse(part).split(".")[-1] for part in [*statement.value.args, *_values(statement.value)]}
            if call.endswith("warn") and named & _CATEGORIES:
                first_argument = statement.value.args[0]
                value = first_argument.value if isinstance(first_argument, ast.Constant) else ""
                text = value if isinstance(value, str) else ""
                if "deprecated" in text.lower() or "DeprecationWarning" in named:
                    return _sentence(text)
        elif isinstance(statement, ast.Raise):
            texts = [part.value for part in ast.walk(statement) if isinstance(part, ast.Constant)]
            said = " ".join(text for text in texts if isinstance(text, str))
            return _sentence(said) if re.search(r"deprecated|removed", said) else ""
        elif isinstance(statement, ast.Return):
            return ""
    return ""


def _values(call: ast.Call) -> list[ast.expr]:
    return [item.value for item in call.keywords]


def _sentence(text: str) -> str:
    """The first sentence, and the second where both are short, on one line, without marks of reStructuredText."""
    plain = re.sub(r":\w+:`~?([^`]*)`", r"`\1`", " ".join(text.split())).replace("``", "`")
    parts = re.split(r"(?<=[a-z0-9`)][.!?]) (?=[A-Z])", plain)
    both = " ".join(parts[:2])
    if len(both) <= 200:
        return both
    return parts[0] if len(parts[0]) <= 240 else f"{parts[0][:239]}…"


def _arguments(name: str, call: ast.Call) -> Iterator[Finding]:
    """Keywords that what is called does not take any more, or calls deprecated in its documentation."""
    if name.split(".", maxsplit=1)[0] != ROOT or not lookup(name).found:
        return
    target = lookup(name).target
    if not callable(target) or inspect.ismodule(target):
        return
    accepted = _keywords(target)
    text = inspect.getdoc(target) or ""
    for item in call.keywords:
        if item.arg is None:
            continue
        if accepted is not None and item.arg not in accepted:
            yield Finding(item.value.lineno, f"`{name}` of torch {_version()} takes no argument `{item.arg}`.")
        elif re.search(rf"^\s*{re.escape(item.arg)}\b[^:\n]*:\s*(?:\*\*)?(?:\.\. )?deprecated\b", text, re.I | re.M):
            said = re.search(rf"^\s*{re.escape(item.arg)}\b[^:\n]*:\s*(.*(?:\n\s+.*)?)", text, re.M)
            more = re.sub(r"^Deprecated:\s*", "", _sentence(said[1])) if said else ""
            yield Finding(item.value.lineno, f"The argument `{item.arg}` of `{name}` is deprecated. {more}".strip())


def _keywords(target: Callable[..., object]) -> frozenset[str] | None:
    """The keywords a callable takes; ``None`` where that cannot be told, or it takes any."""
    if isinstance(target, type) and getattr(target, "__init__", None) is object.__init__:
        return None
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(item.kind in {item.VAR_KEYWORD, item.VAR_POSITIONAL} for item in parameters):
        return None
    return frozenset(item.name for item in parameters if item.kind is not item.POSITIONAL_ONLY)


def _methods(tree: ast.Module, names: Mapping[str, str]) -> Iterator[Finding]:
    """Deprecated methods of variables whose class is evident from what was assigned to them, once."""
    classes: dict[str, object] = {}
    assigned: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            variable = node.targets[0].id
            assigned[variable] = assigned.get(variable, 0) + 1
            if isinstance(node.value, ast.Call) and (name := _dotted(node.value.func, names)):
                classes[variable] = _made_by(name)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            variable = node.func.value.id
            kind = classes.get(variable)
            method = getattr(kind, node.func.attr, None) if isinstance(kind, type) else None
            if method is not None and assigned.get(variable) == 1 and isinstance(kind, type):
                said = _says_so(method)
                if said:
                    yield Finding(node.lineno, f"`{kind.__name__}.{node.func.attr}` is deprecated: {said}")


def _made_by(name: str) -> object:
    head, _, last = name.rpartition(".")
    if head == ROOT and last in _TENSOR_MAKERS:
        return lookup("torch.Tensor").target
    target = lookup(name).target if name.split(".", maxsplit=1)[0] == ROOT else None
    return target if isinstance(target, type) else None


def _dotted(node: ast.expr, names: Mapping[str, str]) -> str:
    """The full dotted name of an expression; empty where it is none or its root is not imported."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return ""
    return ".".join([names[node.id], *reversed(parts)])


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _assigned(tree: ast.Module) -> set[str]:
    """Names bound by anything but an import."""
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return stored | arguments | defined


@cache
def _version() -> str:
    return str(getattr(importlib.import_module(ROOT), "__version__", "")).split("+")[0]

"""What a program's text reaches for that its question rules out, or that belongs to the instruments. Pure.

Read from the syntax tree, with names followed through imports, assignments, ``getattr``, ``vars``, ``importlib`` and
``operator``. It is a reading, not a proof: a program that sets out to hide a name can, so what is called is watched
while it runs as well (``serving/sandbox/inside/guard.py``).

What is found is a remark. In practice the person is told, and a result stays what it is: who cheats here cheats
himself. In an exam a submission with a remark has not passed (``CodeResult.strict``), and the report says what was
found.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rubric.coding.result import Remark
from serving.syntax import python_tree

MOST_REMARKS = 10

_BUILTINS = frozenset(dir(builtins))
_MODULES = frozenset(
    {"_ctypes", "ctypes", "failure", "guard", "lock", "ranks", "tests", "tracemalloc", "trial", "wire", "worker"}
)
"""Modules that no answer needs: the sandbox's own, and those that reach into the interpreter."""

_PATHS = frozenset(
    {
        *("builtins.compile", "builtins.eval", "builtins.exec", "inspect.currentframe"),
        *("inspect.stack", "os._exit", "os.fdopen", "os.write"),
        *("sys._current_frames", "sys._getframe", "sys.modules", "sys.setprofile", "sys.settrace"),
        *("threading.setprofile", "threading.settrace"),
    }
)
_ATTRIBUTES = frozenset(
    {
        *("DisableTorchFunction", "_DisableTorchDispatch", "_ExcludeDispatchKeyGuard", "_ForceDispatchKeyGuard"),
        *("_disable_current_modes", "_get_current_dispatch_mode", "_get_current_dispatch_mode_stack"),
        *("_get_current_function_mode", "_get_current_function_mode_stack", "_get_dispatch_stack_at"),
        *("_get_function_stack_at", "_pop_mode", "_pop_mode_temporarily", "_pop_torch_dispatch_stack"),
        *("_pop_torch_function_stack", "_push_mode"),
        *("__subclasses__", "ag_frame", "cell_contents", "cr_frame", "f_back", "f_globals", "f_locals", "gi_frame"),
        *("tb_frame",),
    }
)
"""Attributes, of whatever object, by which instruments are switched or other code's frames are read."""

_SETTINGS = ("torch.backends", "torch._dynamo.config", "torch._inductor.config", "sys.stdout", "sys.stderr")
"""What of a module is made to be set."""

_SETTERS = {"builtins.setattr", "builtins.delattr"}

_CHANGES = "changes {}, which is not the program's own"
_HIDES = "looks up a name in {} that is made while it runs"
_REACHES = "reaches for {}, which belongs to the instruments"
_RULED_OUT = "uses {}, which the question rules out"


class _Names(NamedTuple):
    """What the names of a program stand for.

    Attributes:
        paths: dotted paths that each may stand for.
        own: names that the program defines itself.
        modules: names of modules and of what was imported from them.

    """

    paths: dict[str, set[str]]
    own: frozenset[str]
    modules: frozenset[str]


def remarks(source: str, forbidden: Sequence[str] = ()) -> tuple[Remark, ...]:
    """What a program reaches for and should not, by line; nothing where it is no Python.

    Args:
        source: the program.
        forbidden: what its question rules out, as in ``CodingTask.forbidden``.

    """
    try:
        tree = python_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    try:
        found: dict[int, Remark] = {}
        for remark in _found(tree, _names(tree), forbidden):
            found[remark.line] = max(found.get(remark.line, remark), remark, key=_telling)
    except RecursionError:
        return (Remark(line=0, what="it is nested too deeply to be read"),)
    return tuple(found[line] for line in sorted(found))[:MOST_REMARKS]


def _found(tree: ast.Module, names: _Names, forbidden: Sequence[str]) -> Iterator[Remark]:
    methods = {entry[1:]: entry for entry in forbidden if entry.startswith(".")}
    plain = [entry for entry in forbidden if not entry.startswith(".")]
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for path in _said(node, names):
            first, last = path.split(".")[0], path.split(".")[-1]
            for entry in plain:
                if _falls_under(path, entry):
                    yield Remark(line=line, what=_RULED_OUT.format(f"`{entry}`"))
            if last in methods and last not in names.own:
                yield Remark(line=line, what=_RULED_OUT.format(f"`{last}`"))
            if first in _MODULES or path in _PATHS or (last in _ATTRIBUTES and last not in names.own):
                yield Remark(line=line, what=_REACHES.format(f"`{path.removeprefix('*.').removeprefix('builtins.')}`"))
        for target in _set(node, names):
            yield Remark(line=line, what=_CHANGES.format(f"`{target}`"))
        if module := _hidden(node, names):
            yield Remark(line=line, what=_HIDES.format(f"`{module}`"))


def _telling(remark: Remark) -> tuple[bool, int]:
    """How much a remark says: what the question rules out first, and the whole of a path before its parts."""
    return "the question rules out" in remark.what, len(remark.what)


def _falls_under(path: str, entry: str) -> bool:
    """Whether a path is what an entry names, lies in it, or is the same function of the same package elsewhere."""
    if "." not in entry and entry in _BUILTINS:
        return path == f"builtins.{entry}"
    if path == entry or path.startswith(f"{entry}."):
        return True
    parts, named = path.split("."), entry.split(".")
    return len(named) > 1 and parts[0] == named[0] and named[-1] in parts[1:]


def _said(node: ast.AST, names: _Names) -> Iterator[str]:
    """The paths that a piece of a program mentions; of an attribute of something unknown ``*.attribute``."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module or ''}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        found = _paths(node, names)
        yield from found
        if isinstance(node, ast.Attribute) and not found:
            yield f"*.{node.attr}"


def _names(tree: ast.Module) -> _Names:
    own: set[str] = set()
    paths: dict[str, set[str]] = {}
    modules: set[str] = set()
    pairs: list[tuple[str, ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                paths.setdefault(name, set()).add(alias.name if alias.asname else name)
                modules.add(name)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                paths.setdefault(alias.asname or alias.name, set()).add(f"{node.module}.{alias.name}")
                modules.add(alias.asname or alias.name)
        pairs += _assigned(node)
    assigned = {name for name, _ in pairs}
    names = _Names(paths, frozenset(own), frozenset(modules))
    # A name may stand for another that stands for a path; three steps are more than anybody writes.
    for _ in range(3):
        for name, value in pairs:
            for path in _paths(value, names):
                paths.setdefault(name, set()).add(path)
    return names._replace(own=frozenset(own | (assigned - paths.keys())))


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names with the expressions that they are given."""
    targets: list[ast.expr] = []
    value: ast.expr | None = None
    if isinstance(node, ast.Assign):
        targets, value = node.targets, node.value
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.For | ast.comprehension):
        targets, value = [node.target], node.iter if isinstance(node, ast.For | ast.comprehension) else node.value
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        targets, value = [node.optional_vars], node.context_expr
    for target in targets:
        if isinstance(target, ast.Name) and value is not None:
            yield target.id, value
        elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            for each, part in zip(target.elts, value.elts, strict=False):
                if isinstance(each, ast.Name):
                    yield each.id, part


def _paths(node: ast.expr, names: _Names) -> set[str]:
    """The dotted paths that an expression may stand for; nothing where that is unknown."""
    found: set[str] = set()
    if isinstance(node, ast.Name):
        found = _named(node.id, names)
    elif isinstance(node, ast.Attribute):
        found = {f"{path}.{node.attr}" for path in _paths(node.value, names)}
    elif isinstance(node, ast.Subscript):
        found = _looked_up(node.value, node.slice, names)
    elif isinstance(node, ast.Call) and node.args:
        found = _called(node, names)
    elif isinstance(node, ast.IfExp):
        found = _paths(node.body, names) | _paths(node.orelse, names)
    return found


def _named(name: str, names: _Names) -> set[str]:
    if name in names.paths:
        return names.paths[name]
    if name == "__builtins__":
        return {"builtins"}
    return {f"builtins.{name}"} if name in _BUILTINS and name not in names.own else set()


def _called(node: ast.Call, names: _Names) -> set[str]:
    """What a call that looks a name up gives."""
    first, text = node.args[0], _text(node.args[0])
    functions = _paths(node.func, names)
    found: set[str] = set()
    if functions & {"importlib.import_module", "builtins.__import__"}:
        found = {text} if text else set()
    elif "builtins.getattr" in functions and len(node.args) > 1:
        found = _member(first, _text(node.args[1]), names)
    elif functions & {"operator.attrgetter", "operator.methodcaller"}:
        found = {f"*.{text}"} if text else set()
    elif "builtins.vars" in functions:
        found = {f"{path}.__dict__" for path in _paths(first, names)}
    elif isinstance(node.func, ast.Attribute) and node.func.attr in {"get", "pop", "__getitem__"}:
        found = _looked_up(node.func.value, first, names)
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "__getattribute__":
        found = _member(node.func.value, _text(node.args[-1]), names)
    return found


def _member(base: ast.expr, name: str | None, names: _Names) -> set[str]:
    return {f"{path}.{name}" for path in _paths(base, names) or {"*"}} if name else set()


def _looked_up(space: ast.expr, key: ast.expr, names: _Names) -> set[str]:
    """An entry of a namespace: ``vars(module)["name"]``, ``sys.modules["name"]``."""
    text = _text(key)
    found: set[str] = set()
    for path in _paths(space, names) if text else ():
        if path == "sys.modules":
            found.add(str(text))
        elif path.endswith(".__dict__") or path == "builtins":
            found.add(f"{path.removesuffix('.__dict__')}.{text}")
    return found


def _text(node: ast.expr) -> str | None:
    """The text that an expression made of constants gives; ``None`` where it is not."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return left + right if left is not None and right is not None else None
    if isinstance(node, ast.JoinedStr):
        parts = [_text(each.value if isinstance(each, ast.FormattedValue) else each) for each in node.values]
        return "".join(part for part in parts if part is not None) if None not in parts else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        glue, whole = _text(node.func.value), node.args[0]
        parts = [_text(each) for each in whole.elts] if isinstance(whole, ast.List | ast.Tuple) else [None]
        return glue.join(part for part in parts if part) if glue is not None and None not in parts else None
    return None


def _set(node: ast.AST, names: _Names) -> Iterator[str]:
    """Attributes of modules, and of classes that are not the program's, that a statement sets or deletes."""
    targets: Sequence[ast.expr] = ()
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = (node.target,)
    elif isinstance(node, ast.Call) and len(node.args) > 1 and _paths(node.func, names) & _SETTERS:
        yield from _owned(node.args[0], _text(node.args[1]) or "…", names)
    for target in targets:
        for each in target.elts if isinstance(target, ast.Tuple | ast.List) else (target,):
            if isinstance(each, ast.Attribute) and each.attr in {"__code__", "__defaults__"}:
                yield ast.unparse(each)
            elif isinstance(each, ast.Attribute):
                yield from _owned(each.value, each.attr, names)
            elif isinstance(each, ast.Subscript):
                for path in _paths(each.value, names):
                    if path.endswith(".__dict__") or path == "sys.modules":
                        yield path


def _owned(base: ast.expr, name: str, names: _Names) -> Iterator[str]:
    """What is set, where it belongs to a module or to the class of something that is not ``self``."""
    for path in _paths(base, names):
        if not f"{path}.{name}".startswith(_SETTINGS) and _root(base) in names.modules | {"__builtins__"}:
            yield f"{path}.{name}"
    of = None
    if isinstance(base, ast.Call) and "builtins.type" in _paths(base.func, names) and len(base.args) == 1:
        of = base.args[0]
    elif isinstance(base, ast.Attribute) and base.attr == "__class__":
        of = base.value
    if of is not None and not (isinstance(of, ast.Name) and of.id in {"self", "cls"}):
        yield f"{ast.unparse(base)}.{name}"


def _root(node: ast.expr) -> str:
    """The name that an expression begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _hidden(node: ast.AST, names: _Names) -> str:
    """The module in which a name is looked up that cannot be read; empty where there is none."""
    if not isinstance(node, ast.Call) or not node.args:
        return ""
    function = _paths(node.func, names)
    if function & {"importlib.import_module", "builtins.__import__"} and _text(node.args[0]) is None:
        return "the installed packages"
    if "builtins.getattr" in function and len(node.args) > 1 and _text(node.args[1]) is None:
        base = node.args[0]
        found = _paths(base, names)
        return min(found) if found and _root(base) in names.modules | {"__builtins__"} else ""
    return ""

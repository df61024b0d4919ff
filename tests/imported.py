"""Which other packages Python files need: what they import anywhere, and what they name for others to import.

``python -m tests.imported`` imports all that the product names, and ends with status 1 where something is not there.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("interviewer", "knowledge", "rubric", "serving")
OURS = frozenset({*PRODUCT, "app", "tests"})

WITH_PYTHON = frozenset({"pip", "setuptools"})
"""What an environment has before anything is installed into it."""

OPTIONAL = {"psycopg": "server", "procrastinate": "server", "authlib": "server", "ray": "ray"}
"""What the product does without where it is not installed, and says so: each with the extra that brings it."""

_PARSERS = {"lxml": "lxml", "lxml-xml": "lxml", "xml": "lxml", "html5lib": "html5lib"}
"""What BeautifulSoup imports for a parser that it is told by name."""

_WORKER_MODULES = frozenset(path.stem for path in (ROOT / "serving" / "sandbox" / "inside").glob("*.py"))
"""Files that lie beside a sandbox's worker and are imported there without their package."""

_BY_NAME = frozenset({"import_module", "find_spec", "importorskip", "__import__"})


def product_files() -> list[Path]:
    """Every Python file that an interview may run; not the bank's, which is Markdown."""
    return [ROOT / "app.py", *(path for name in PRODUCT for path in sorted((ROOT / name).rglob("*.py")))]


def imported_by(source: str) -> Iterator[str]:
    """Names of the modules, dotted, that a program imports or has imported, from whatever depth of it.

    Imports for types alone count too: who leaves them out of the product's packages cannot check it.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            # What is imported may be a module of that package, or not.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            yield from _called_for(node)
        elif isinstance(node, ast.List | ast.Tuple):
            yield from _run_as_module(node)


def _called_for(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if name in _BY_NAME and given:
        yield given[0]
    elif name == "BeautifulSoup":
        told = [each.value.value for each in call.keywords if isinstance(each.value, ast.Constant)]
        yield from (_PARSERS[each] for each in [*given, *told] if each in _PARSERS)


def _run_as_module(command: ast.List | ast.Tuple) -> Iterator[str]:
    """What stands behind ``-m`` in a command."""
    words = [each.value if isinstance(each, ast.Constant) else None for each in command.elts]
    for before, after in pairwise(words):
        if before == "-m" and isinstance(after, str) and re.fullmatch(r"[\w.]+", after):
            yield after


@cache
def _imports(path: Path) -> frozenset[str]:
    return frozenset(imported_by(path.read_text(encoding="utf-8")))


def others(files: Iterable[Path]) -> dict[str, set[str]]:
    """Top-level names of the packages of others that files import, each with the files that do, as paths from here."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in files:
        for module in _imports(path):
            name = module.partition(".")[0]
            if name not in OURS | _WORKER_MODULES | WITH_PYTHON | sys.stdlib_module_names:
                found[name].add(str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name)
    return dict(found)


def closure(module: str) -> set[Path]:
    """The files of ours that are loaded when a module of ours is, itself and its packages included."""
    seen: set[Path] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        for path in _files_of(name):
            if path not in seen:
                seen.add(path)
                waiting += filter(_is_ours, _imports(path))
    return seen


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


def _files_of(module: str) -> Iterator[Path]:
    """The file of a module and those of the packages around it; of a name that is no module, only the latter."""
    parts = module.split(".")
    for depth in range(1, len(parts) + 1):
        place = ROOT.joinpath(*parts[:depth])
        for path in (place / "__init__.py", place / "__main__.py", place.with_suffix(".py")):
            if path.is_file() and (path.name != "__main__.py" or depth == len(parts)):
                yield path


@cache
def _distributions() -> dict[str, frozenset[str]]:
    return {name: frozenset(map(normal, each)) for name, each in packages_distributions().items()}


def distributions_of(name: str) -> frozenset[str]:
    """The installed distributions that bring a top-level name; several share a namespace."""
    return _distributions().get(name, frozenset())


def normal(distribution: str) -> str:
    """A distribution's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def locked(lock: str) -> dict[str, str]:
    """The pinned version of each distribution in a lock file of this project."""
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
    return {normal(name): version for name, version in pins}


def unimportable(files: Iterable[Path], apart_from: str = "vllm") -> list[str]:
    """Imports every module of others that files name; returns what is not there, each with why.

    Args:
        files: Python files.
        apart_from: a package that is not imported: vLLM takes a while, and is seen to run or not.

    """
    named = {name for path in files for name in _imports(path) if name.partition(".")[0] in others([path])}
    wanted = sorted(name for name in named if name.partition(".")[0] not in {apart_from, *OPTIONAL})
    told: dict[str, str] = {}
    for name in wanted:
        parent, _, last = name.rpartition(".")
        try:
            # What is imported out of a module may be a name in it.
            if not (parent in sys.modules and hasattr(sys.modules[parent], last)):
                import_module(name)
        except ImportError as error:
            told[name] = f"{name}: {error}"
    return sorted(told.values())


def main() -> int:
    """Import all that the product names."""
    wrong = unimportable(product_files())
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

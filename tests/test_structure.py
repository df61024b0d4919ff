"""The layout of the project: sizes of modules and packages, and what the documents say of them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.locations import ROOT

PACKAGES = ("deploy", "interviewer", "knowledge", "rubric", "serving")

LONGEST_MODULE = 450
"""Lines of a module that is no catalogue."""

MOST_MODULES = 18
"""Modules of a package, ``__init__`` left out."""

CATALOGUES = {
    "interviewer/session/events.py",
    "interviewer/dialogue/templates.py",
}
"""Modules that list many things of one kind."""


CUTTING_ACROSS = {"browser", "integration", "benchmarks", "fuzz", "gpu_check", "chaos", "supply_chain"}
"""Folders of tests that test no one package."""


def modules() -> list[Path]:
    return [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))]


def test_a_module_is_short() -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules()}
    assert {name: count for name, count in lines.items() if count > LONGEST_MODULE and name not in CATALOGUES} == {}
    assert {name for name, count in lines.items() if count > LONGEST_MODULE} == CATALOGUES, "a catalogue became short"


def test_a_package_is_small() -> None:
    folders = {path.parent for path in modules()}
    sizes = {str(folder.relative_to(ROOT)): len(list(folder.glob("[!_]*.py"))) for folder in folders}
    assert {name: count for name, count in sizes.items() if count > MOST_MODULES} == {}


def test_a_package_says_what_it_holds() -> None:
    missing = [str(path.parent) for path in modules() if not (path.parent / "__init__.py").exists()]
    assert [folder for folder in missing if "migrations" not in folder] == []
    assert [
        str(path) for path in modules() if path.name == "__init__.py" and not path.read_text().startswith('"""')
    ] == []


def test_the_entry_is_short() -> None:
    assert len((ROOT / "app.py").read_text().splitlines()) < 30


def test_tests_stand_where_their_module_stands() -> None:
    homeless = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.parent != ROOT / "tests"
        and path.relative_to(ROOT / "tests").parts[0] not in CUTTING_ACROSS
        and not (ROOT / path.parent.relative_to(ROOT / "tests")).is_dir()
    ]
    assert homeless == []


def test_no_test_imports_the_entry() -> None:
    importing = re.compile(r"^\s*(?:import app\b|from app import)", re.MULTILINE)
    assert [str(path) for path in (ROOT / "tests").rglob("*.py") if importing.search(path.read_text())] == []


def test_the_architecture_names_what_there_is() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    named = set(re.findall(r"`((?:interviewer|knowledge|rubric|serving)(?:/[\w.]+)*/?)`", text))
    assert named
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def headings(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub names them."""
    prose = re.sub(r"^ *```.*?^ *```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_of_the_documents_lead_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    broken = []
    for document in documents:
        for link in re.findall(r"\]\(([^()\s]+)\)", document.read_text()):
            named, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            file = document.parent / named if named else document
            if not file.exists() or (anchor and anchor not in headings(file)):
                broken.append(f"{document.relative_to(ROOT)}: {link}")
    assert broken == []

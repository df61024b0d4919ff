"""What a rubric asks for is called a point wherever a person reads it; “criterion” is a word of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.locations import ROOT

CATALOGUES = (
    "interviewer/dialogue/templates.py",
    "interviewer/report/phrases",
    "interviewer/report/render",
    "interviewer/web",
    "interviewer/cli",
    "interviewer/scoring",
    "interviewer/engine",
)
"""Modules whose texts a person sees."""

GUIDES = ("README.md", "docs/using.md", "docs/own-documents.md", "docs/judging.md", "docs/shared-machine.md")
_WORD = re.compile(r"\bcriteri(?:on|a)\b", re.IGNORECASE)
_NOT_SHOWN = re.compile(r"\{[{%#].*?[}%#]\}|<[^>]*>", re.DOTALL)


def modules() -> list[Path]:
    places = [ROOT / name for name in CATALOGUES]
    return [path for place in places for path in ([place] if place.is_file() else sorted(place.rglob("*.py")))]


def sentences(path: Path) -> Iterator[str]:
    """The texts of a module that are no names and no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unread = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unread:
            shown = _NOT_SHOWN.sub(" ", node.value)
            if " " in shown.strip():
                yield shown


def test_no_sentence_of_the_product_says_criterion() -> None:
    said = [(path.name, text) for path in modules() for text in sentences(path) if _WORD.search(text)]
    assert said == []


@pytest.mark.parametrize("name", GUIDES)
def test_no_guide_says_criterion(name: str) -> None:
    assert _WORD.findall((ROOT / name).read_text(encoding="utf-8")) == []


def test_no_template_or_script_of_a_page_says_criterion() -> None:
    templates = (ROOT / "interviewer" / "report" / "render" / "templates").glob("*.html")
    assert [path.name for path in templates if _WORD.search(_NOT_SHOWN.sub(" ", path.read_text("utf-8")))] == []
    scripts = (ROOT / "interviewer" / "web" / "static").glob("*.js")
    assert [path.name for path in scripts if _WORD.search(path.read_text("utf-8"))] == []


def test_the_word_is_found_where_it_stands(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('''"""A criterion in a docstring."""\nSAID = "Each criterion counts."\nNAME = "criterion"\n''')
    assert [said for said in sentences(module) if _WORD.search(said)] == ["Each criterion counts."]

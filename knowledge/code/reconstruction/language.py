"""Which language a piece of code is in, by what only that language has."""

from __future__ import annotations

import ast
import json
import re

from knowledge.code.reconstruction.logical_lines import LineKind, logical_lines
from knowledge.code.reconstruction.statements import parsed
from serving.syntax import yaml_of


def is_python(text: str) -> bool:
    """Whether every statement of a text is Python, and at least one could not be anything else."""
    sorts = {piece.sort for piece in logical_lines(text.split("\n"))}
    return LineKind.PROSE not in sorts and LineKind.STRONG in sorts


_NAMES = {
    **dict.fromkeys(("py", "python3", "ipython", "pycon", "python"), "python"),
    **dict.fromkeys(("sh", "shell", "console", "zsh", "bash", "terminal"), "bash"),
    **dict.fromkeys(("c++", "cc", "cxx", "cpp", "c"), "cpp"),
    **dict.fromkeys(("cu", "cuda"), "cuda"),
    **dict.fromkeys(("yml", "yaml"), "yaml"),
    **dict.fromkeys(("json", "jsonc"), "json"),
    **dict.fromkeys(("text", "txt", "plaintext", "output"), "text"),
}
_CUDA = re.compile(r"__(?:global|device|shared)__|<<<.*>>>|\b(?:threadIdx|blockIdx|blockDim)\.[xyz]\b")
_CPP = re.compile(r"^\s*#\s*include\s*[<\"]|\bstd::\w|\btemplate\s*<|^\s*(?:int|void)\s+\w+\s*\([^)]*\)\s*\{", re.M)
_BASH = re.compile(
    r"^\s*(?:\$ |#!.*\b(?:ba)?sh\b|(?:pip3?|conda|apt(?:-get)?|git|cd|export|torchrun|nvidia-smi|docker|kubectl|"
    r"curl|wget|echo|source|sudo|mkdir|nsys|ncu|CUDA_VISIBLE_DEVICES=\S+)\b(?!\s*[=(.])|python3? (?:-m |\S+\.py))",
    re.M,
)
_PAIR = re.compile(r"\s*(?:- )?[\w.-]+:(?:\s.*)?|\s*- .*|\s*#.*|\s*")
_OBJECT = re.compile(r"[{\[]\s*(?:\"[^\"]*\"\s*:|[{\[]|\]|\})")


def language_of(text: str, declared: str = "") -> str:
    """The language: ``python``, ``bash``, ``cpp``, ``cuda``, ``yaml``, ``json``, ``text``; empty when unknown.

    Args:
        text: the code.
        declared: what the document calls it; a name that is not known is kept.

    """
    named = _NAMES.get(declared.lower(), declared.lower())
    if named in {"cpp", ""} and _CUDA.search(text):
        return "cuda"
    if named:
        return named
    return next((language for language, fits in _TESTS if fits(text)), "")


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        # An example with dots for what is left out is still meant as JSON.
        return bool(_OBJECT.match(text.strip())) and text.strip()[-1:] in {"}", "]"} and "=" not in text


def _is_yaml(text: str) -> bool:
    lines = text.split("\n")
    if len(lines) < 2 or not all(_PAIR.fullmatch(line) for line in lines):
        return False
    try:
        return isinstance(yaml_of(text), dict | list)
    except ValueError:
        return False


def _is_whole_python(text: str) -> bool:
    """Whether the text is Python as a whole and does something besides naming values."""
    tree = parsed(text)
    acts = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.For, ast.With, ast.Call)
    return tree is not None and any(isinstance(node, acts) for node in ast.walk(tree))


_TESTS = (
    ("json", _is_json),
    ("python", is_python),
    ("cpp", lambda text: bool(_CPP.search(text))),
    ("bash", lambda text: bool(_BASH.search(text))),
    ("yaml", _is_yaml),
    ("python", _is_whole_python),
    ("python", lambda text: ">>> " in text),
)

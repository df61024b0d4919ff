"""The page's process imports what its first answer needs, and nothing that takes seconds beside it."""

from __future__ import annotations

import subprocess
import sys

from tests.locations import ROOT

GRADIO = """
import ast, inspect
from interviewer.cli.quick_import import quick_import

parsed, parse, getfile = [], ast.parse, inspect.getfile

def noted(source, *args, **options):
    parsed.append(str(source))
    return parse(source, *args, **options)

ast.parse = noted
with quick_import():
    import gradio
assert not [source for source in parsed if "class Textbox" in source], "Gradio wrote type stubs"
assert inspect.getfile is getfile
import mcp
gradio.Textbox("said").get_config()
"""

PAGE = """
import sys
from interviewer.cli.container import Container
from interviewer.cli.quick_import import quick_import

with quick_import():
    import interviewer.web.page, interviewer.web.server, interviewer.web.voice.routes, interviewer.web.workspace
import knowledge.ingestion.pipeline
Container(linger_s=0.0)
slow = {"torch", "transformers", "sentence_transformers", "numba", "vllm"}
assert not slow & sys.modules.keys(), slow & sys.modules.keys()
"""


def run(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_gradio_is_imported_without_stubs_and_is_whole_afterwards() -> None:
    run(GRADIO)


def test_the_page_is_there_before_torch_is() -> None:
    run(PAGE)

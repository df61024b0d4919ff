"""The page's process imports what its first answer needs, and nothing that takes seconds beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from serving import paths
from serving.llm.vllm_server import free_port
from tests.locations import ROOT

GRADIO = """
import ast, inspect, jinja2, ssl, sys
from interviewer.cli.quick_import import quick_import

parsed, parse, getfile = [], ast.parse, inspect.getfile
compiled, compile = [], jinja2.Environment.compile
trusting, context = [], ssl.create_default_context

def noted(source, *args, **options):
    parsed.append(str(source))
    return parse(source, *args, **options)

def noted_template(self, source, *args, **options):
    compiled.append(str(source))
    return compile(self, source, *args, **options)

def noted_context(*args, **options):
    trusting.append(args)
    return context(*args, **options)

ast.parse = noted
jinja2.Environment.compile = noted_template
ssl.create_default_context = noted_context
with quick_import():
    import gradio
    assert sys.modules["pandas"].__spec__ is None, "Gradio brought pandas"
assert len(trusting) <= 1, "Gradio read the certificates again and again"
assert not compiled, "Gradio wrote documentation"
assert ssl.create_default_context is noted_context
assert jinja2.Template("{{ said }}").render(said="said") == "said"
assert "pandas" not in sys.modules
assert "huggingface_hub.inference._client" not in sys.modules, "Gradio brought clients for models"
assert gradio.caching.pd.DataFrame is sys.modules["pandas"].DataFrame
import pandas
assert pandas.DataFrame({"said": ["said"]}).shape == (1, 1)
assert not [source for source in parsed if "class Textbox" in source], "Gradio wrote type stubs"
assert inspect.getfile is getfile
import email_validator, mcp, gradio.external
assert gradio.external.external_utils.cols_to_rows({"said": [1, 2]}) == (["said"], [[1], [2]])
gradio.Textbox("said").get_config()
"""

PAGE = """
import gc, os, sys
import starlette.applications
from interviewer.cli.main import main
from serving.warmup import Warmup

class Collecting:
    told = []

    def find_spec(self, name, path=None, target=None):
        if gc.isenabled() and name.startswith("gradio"):
            self.told.append(name)

applications = []

def begun(_):
    slow = {"torch", "transformers", "sentence_transformers", "numba", "vllm", "pandas"}
    slow |= {"scipy.sparse.csgraph", "icalendar", "genanki", "email_validator", "interviewer.speech.rewriting_rules"}
    assert not slow & sys.modules.keys(), slow & sys.modules.keys()
    assert not Collecting.told, f"garbage was looked for while these were imported: {Collecting.told}"
    assert gc.isenabled() and gc.get_freeze_count() > 100_000, "nothing was set aside from the search for garbage"
    from knowledge.glossary.glossary import load
    assert not load.cache_info().currsize, "the glossary was read"
    assert len(applications) == 1, f"{len(applications)} applications were made"
    print("begun")
    sys.stdout.flush()
    os._exit(0)

real = starlette.applications.Starlette.add_middleware

def noted(self, middleware, *args, **options):
    if middleware.__name__ == "BrotliMiddleware":
        applications.append(self)
    return real(self, middleware, *args, **options)

starlette.applications.Starlette.add_middleware = noted
sys.meta_path.insert(0, Collecting())
Warmup.start = begun
sys.argv = ["app.py", "serve", "--port", sys.argv[1], "--no-open"]
sys.exit(main())
"""


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_gradio_is_imported_without_what_nobody_uses_and_is_whole_afterwards() -> None:
    run(GRADIO)


def test_the_page_is_there_before_what_takes_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    assert run(PAGE, str(free_port())) == "begun\n"

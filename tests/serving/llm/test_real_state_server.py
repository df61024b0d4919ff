"""The real model server holds what it needs, once, and refuses what it cannot read."""

import subprocess
import sys

import psutil
import pytest

from serving.errors import ProtocolError
from serving.llm.server_state import read_state
from serving.llm.state_server import CACHE
from serving.models.catalogue import judge_folder
from tests.locations import ROOT

REST = 800 * 2**20
"""Bytes beside weights, keys and values: the engine's code, a tokenizer, and what a prompt takes while it is read."""


def test_the_real_server_holds_weights_keys_and_values_once_and_little_else(container):
    state = read_state("judge")
    assert state is not None
    server = max(psutil.Process(state.pid).children(), key=lambda each: each.memory_info().rss)
    weights = (judge_folder() / "model.safetensors").stat().st_size
    assert container.judge_service.client.states(["Gradients are added up."]).shape == (1, 1536)
    assert server.memory_full_info().uss <= weights + CACHE + REST


@pytest.mark.parametrize("prompt", ["", "word " * 9000])
def test_a_prompt_that_the_real_server_cannot_read_is_refused_and_does_not_end_it(container, prompt):
    before = read_state("judge")
    with pytest.raises(ProtocolError, match="HTTP 400"):
        container.judge_service.client.states([prompt])
    assert container.judge_service.client.states(["Gradients are added up."]).shape == (1, 1536)
    assert read_state("judge") == before


def test_a_library_that_is_left_out_looks_as_if_it_were_not_installed():
    program = """
import importlib.util, sys
from serving.llm import engine_memory
import psutil
engine_memory.leave_out(("scipy", "psutil"))
assert importlib.util.find_spec("scipy") is None
assert sys.modules["psutil"] is psutil
try:
    import scipy
except ModuleNotFoundError:
    print("left out")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "left out\n"

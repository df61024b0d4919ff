"""The judge's int8 checkpoint written out in bfloat16, for cards without a kernel for int8 (Blackwell).

The numbers are those that the int8 weights stand for, so that the states stay as near as can be to those of other
machines; activations are not rounded to int8, which ``rubric.grading.parity`` checks the effect of.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from serving.errors import ModelMissingError
from serving.models.catalogue import DONE
from serving.models.dequantize import SCALE, plain
from serving.progress import Progress


def write_plain(source: Path, target: Path, progress: Progress) -> None:
    """Write a checkpoint of ``serving.models.quantize`` out in bfloat16.

    Args:
        source: the int8 checkpoint.
        target: folder to make; it appears under this name only when it is whole.
        progress: told the share of tensors written.

    Raises:
        ModelMissingError: the source cannot be read.

    """
    from safetensors import safe_open  # noqa: PLC0415 - seconds of imports
    from safetensors.torch import save_file  # noqa: PLC0415

    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        shutil.copytree(source, partial, ignore=shutil.ignore_patterns("model.safetensors", DONE))
        with safe_open(source / "model.safetensors", "pt") as stored:
            names = set(stored.keys())
            kept = sorted(name for name in names if not name.endswith(SCALE))
            tensors = {}
            for number, name in enumerate(kept):
                progress("writing the judge's model for the card", number / len(kept))
                tensors[name] = plain(stored, name, names).contiguous()
        save_file(tensors, partial / "model.safetensors", metadata={"format": "pt"})
        settings = json.loads((partial / "config.json").read_text())
        settings.pop("quantization_config", None)
        (partial / "config.json").write_text(json.dumps(settings, indent=2))
        note = json.loads((source / DONE).read_text()) | {"format": "bfloat16"}
    except (OSError, ValueError) as error:
        raise ModelMissingError(f"The judge's model in {source} cannot be read: {error}.") from error
    (partial / DONE).write_text(json.dumps(note, indent=2))
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)

"""An int8 checkpoint as a torch model whose layers can be fitted; what vLLM serves cannot be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from serving.errors import ModelMissingError

PREFIX = "model."
"""Of every parameter's name in a checkpoint; the torch model has none."""

SCALE = "_scale"
"""Ends the name of the scales of an int8 tensor."""


def dense(folder: Path, layers: int, device: str = "") -> Any:
    """Returns the first layers of a checkpoint that ``serving.models.quantize`` wrote, in bfloat16.

    Args:
        folder: the checkpoint.
        layers: how many.
        device: where they are; left out, the GPU where there is one.

    Raises:
        ModelMissingError: the folder holds no such checkpoint, or one of fewer layers.

    """
    import torch  # noqa: PLC0415 - seconds of imports
    from safetensors import safe_open  # noqa: PLC0415
    from transformers import AutoConfig, AutoModel  # noqa: PLC0415

    try:
        config = AutoConfig.from_pretrained(folder)
        with safe_open(folder / "model.safetensors", "pt") as stored:
            names = set(stored.keys())
            weights = {
                name.removeprefix(PREFIX): plain(stored, name, names)
                for name in names
                if not name.endswith(SCALE) and _layer(name) < layers
            }
    except (OSError, ValueError) as error:
        raise ModelMissingError(f"No model can be read in {folder}: {error}.") from error
    if config.num_hidden_layers < layers:
        raise ModelMissingError(f"The model in {folder} has {config.num_hidden_layers} layers; {layers} are needed.")
    del config.quantization_config
    config.num_hidden_layers = config.max_window_layers = layers
    config.layer_types = config.layer_types[:layers]
    model = AutoModel.from_config(config, dtype=torch.bfloat16)
    model.load_state_dict(weights)
    model.requires_grad_(False)
    return model.eval().to(device or ("cuda" if torch.cuda.is_available() else "cpu"))


def _layer(name: str) -> int:
    found = re.match(r"model\.layers\.(\d+)\.", name)
    return int(found[1]) if found else -1


def plain(stored: Any, name: str, names: set[str]) -> Any:
    """A tensor of an opened checkpoint, int8 ones as the bfloat16 numbers that they stand for.

    Args:
        stored: the opened checkpoint.
        name: of the tensor.
        names: of all that it holds.

    """
    weight = stored.get_tensor(name)
    if name + SCALE not in names:
        return weight
    return (weight.float() * stored.get_tensor(name + SCALE).float()).bfloat16()

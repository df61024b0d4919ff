"""An int8 checkpoint as a torch model that keeps its weights in int8."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoConfig, AutoModel

from rubric.training.reader.int8_linear import Int8Linear
from rubric.training.reader.model import PROJECTIONS
from serving.errors import ModelMissingError
from serving.models.dequantize import PREFIX


def int8_model(folder: Path, layers: int) -> Any:
    """The first layers of a checkpoint that ``serving.models.quantize`` wrote, on the CPU.

    Args:
        folder: the checkpoint.
        layers: how many.

    Raises:
        ModelMissingError: the folder holds no such checkpoint, or one of fewer layers.

    """
    try:
        config = AutoConfig.from_pretrained(folder)
        if config.num_hidden_layers < layers:
            raise ModelMissingError(
                f"The model in {folder} has {config.num_hidden_layers} layers; {layers} are needed."
            )
        del config.quantization_config
        config.num_hidden_layers = config.max_window_layers = layers
        config.layer_types = config.layer_types[:layers]
        with torch.device("meta"):
            model = AutoModel.from_config(config, dtype=torch.bfloat16)
        with safe_open(folder / "model.safetensors", "pt") as stored:
            _fill(model, stored)
    except (OSError, ValueError, AttributeError) as error:
        raise ModelMissingError(f"No int8 model can be read in {folder}: {error}.") from error
    # Its frequencies are computed when it is made, and were not on the device without memory.
    model.rotary_emb = type(model.rotary_emb)(config)
    return model.requires_grad_(False).eval()


def _fill(model: Any, stored: Any) -> None:
    names = set(stored.keys())
    for number, layer in enumerate(model.layers):
        for part, name in PROJECTIONS:
            begin = f"{PREFIX}layers.{number}.{part}.{name}"
            bias = stored.get_tensor(f"{begin}.bias") if f"{begin}.bias" in names else None
            weight, scale = (stored.get_tensor(f"{begin}.{each}") for each in ("weight", "weight_scale"))
            setattr(getattr(layer, part), name, Int8Linear(weight, scale, bias))
    wanted = [name for name, value in model.named_parameters() if value.is_meta]
    model.load_state_dict({name: stored.get_tensor(PREFIX + name) for name in wanted}, strict=False, assign=True)

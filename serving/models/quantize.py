"""A GGUF file to the int8 checkpoint that vLLM serves fast on a CPU.

Weights are dequantized tensor by tensor (so memory stays far below the model's size), rounded to int8 with one
symmetric scale for each output channel, and written in the ``compressed-tensors`` layout ``int-quantized``;
vLLM quantizes the activations per token as it runs (W8A8, dynamic). The judge reads hidden states, so its
checkpoint holds the first layers only and no output layer.
"""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from serving.arrays import FloatArray
from serving.errors import ModelMissingError
from serving.models import adapter
from serving.models.catalogue import DONE
from serving.models.dequantize import PREFIX
from serving.progress import Progress

MODULES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
NORMS = {"attn_norm", "ffn_norm"}


def checkpoint_name(gguf_name: str, layers: int) -> str | None:
    """The checkpoint's name of a GGUF tensor of a Qwen2 model; ``None`` when it is not kept.

    Args:
        gguf_name: for example ``blk.3.attn_q.weight``.
        layers: how many layers are kept.
    """
    if gguf_name == "token_embd.weight":
        return "model.embed_tokens.weight"
    if gguf_name == "output_norm.weight":
        return "model.norm.weight"
    parts = gguf_name.split(".")
    if parts[0] != "blk" or int(parts[1]) >= layers:
        return None
    return f"model.layers.{parts[1]}.{MODULES[parts[2]]}.{parts[3]}"


def int8_per_channel(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Round a weight to int8 with one symmetric scale for each output channel.

    Args:
        weight: [out, in] float32.

    Returns:
        The rounded weight, [out, in] int8, and the scales, [out, 1] float32: ``weight ≈ rounded * scale``.
    """
    scale = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127.0
    return (weight / scale).round().clamp(-127, 127).to(torch.int8), scale


def quantization_config() -> dict[str, Any]:
    """The checkpoint's ``quantization_config``: W8A8, static weights by channel, dynamic activations by token."""
    weights = {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "channel", "dynamic": False}
    inputs = {"num_bits": 8, "type": "int", "symmetric": True, "strategy": "token", "dynamic": True}
    group = {
        "targets": ["Linear"],
        "weights": weights,
        "input_activations": inputs,
        "output_activations": None,
    }
    return {
        "quant_method": "compressed-tensors",
        "format": "int-quantized",
        "quantization_status": "compressed",
        "config_groups": {"group_0": group},
        "ignore": ["lm_head"],
        "kv_cache_scheme": None,
    }


def convert(
    gguf_path: Path,
    target: Path,
    *,
    layers: int,
    source_digest: str,
    progress: Progress,
    changed: Path | None = None,
) -> None:
    """Write the first ``layers`` layers of a Qwen2 GGUF file as an int8 checkpoint.

    Args:
        gguf_path: the model.
        target: folder to make; it appears under this name only when it is whole.
        layers: how many layers to keep.
        source_digest: SHA-256 of ``gguf_path``, noted in the result.
        progress: told the share of tensors written.
        changed: a file of changes to weights (``serving.models.adapter``), added before they are rounded.

    Raises:
        ModelMissingError: the file is not a Qwen2 model of at least that many layers, or the changes are of another.
    """
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    changes = {PREFIX + name: change for name, change in adapter.load(changed).items()} if changed else {}
    tensors = _tensors(gguf_path, layers, progress, changes)
    progress("writing the converted model", None)
    _write(tensors, gguf_path, partial, layers)
    note = {
        "source_sha256": source_digest,
        "layers": layers,
        "adapter": adapter.version_of(changed) if changed else None,
        "format": "int8 W8A8 dynamic per token",
    }
    (partial / DONE).write_text(json.dumps(note, indent=2))
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)


def _tensors(
    gguf_path: Path, layers: int, progress: Progress, changes: Mapping[str, FloatArray]
) -> dict[str, torch.Tensor]:
    import gguf  # noqa: PLC0415 - a second of imports that a finished conversion never needs
    import numpy as np  # noqa: PLC0415

    reader = gguf.GGUFReader(str(gguf_path))
    architecture = reader.fields["general.architecture"].contents()
    blocks = reader.fields[f"{architecture}.block_count"].contents()
    if architecture != "qwen2" or blocks < layers:
        raise ModelMissingError(
            f"{gguf_path} is a {architecture} model of {blocks} layers; a qwen2 model of {layers} or more is needed.",
            hint="Remove the setting that names this file, so that the embedded model is fetched.",
        )
    result: dict[str, torch.Tensor] = {}
    left = dict(changes)
    for number, tensor in enumerate(reader.tensors):
        progress("converting the model to int8", number / len(reader.tensors))
        name = checkpoint_name(tensor.name, layers)
        if name is None:
            continue
        dense = torch.from_numpy(np.array(gguf.dequantize(tensor.data, tensor.tensor_type)))
        if name in left:
            dense = _changed(dense, left.pop(name), name)
        module = tensor.name.split(".")[2] if tensor.name.startswith("blk.") else ""
        if tensor.name.endswith(".weight") and module and module not in NORMS:
            result[name], scale = int8_per_channel(dense.float())
            result[name.replace(".weight", ".weight_scale")] = scale
        else:
            result[name] = dense.to(torch.bfloat16)
    if left:
        raise ModelMissingError(f"The adapter was made for another model: it changes {next(iter(left))}.")
    return result


def _changed(dense: torch.Tensor, change: FloatArray, name: str) -> torch.Tensor:
    if dense.shape != change.shape:
        raise ModelMissingError(f"The adapter was made for another model: {name} does not fit.")
    return dense + torch.from_numpy(change)


def _write(tensors: dict[str, torch.Tensor], gguf_path: Path, folder: Path, layers: int) -> None:
    from safetensors.torch import save_file  # noqa: PLC0415
    from transformers import AutoConfig, AutoTokenizer  # noqa: PLC0415

    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reading a GGUF header warns about fields we do not use
        config = AutoConfig.from_pretrained(gguf_path.parent, gguf_file=gguf_path.name)
        tokenizer = AutoTokenizer.from_pretrained(gguf_path.parent, gguf_file=gguf_path.name)
    settings = config.to_dict()
    settings |= {
        "architectures": ["Qwen2ForCausalLM"],
        "num_hidden_layers": layers,
        "max_window_layers": layers,
        "layer_types": ["full_attention"] * layers,
        "tie_word_embeddings": True,
        "dtype": "bfloat16",
        "quantization_config": quantization_config(),
    }
    (folder / "config.json").write_text(json.dumps(settings, indent=2))
    tokenizer.save_pretrained(folder)

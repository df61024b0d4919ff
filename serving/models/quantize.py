"""A GGUF file to the int8 checkpoint that vLLM serves fast on a CPU.

Weights are dequantized tensor by tensor (so memory stays far below the model's size), rounded to int8 with one
symmetric scale for each output channel, and written in the ``compressed-tensors`` layout ``int-quantized``;
vLLM quantizes the activations per token as it runs (W8A8, dynamic). The judge reads hidden states, so its
checkpoint holds the first layers only and no output layer.
"""

from __future__ import annotations

import json
import math
import shutil
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
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

AT_ONCE = 2
"""Tensors converted at once."""

PIECE = 1 << 22
"""Numbers held as float32 at once of each; a whole embedding would be a gigabyte."""


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
    changes = adapter.load(changed, PREFIX) if changed else {}
    with _read_once(gguf_path):
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


@contextmanager
def _read_once(gguf_path: Path) -> Iterator[None]:
    """Have a file's header read once: it takes 7 s, and transformers reads it for each thing that it makes."""
    import gguf  # noqa: PLC0415 - a second of imports that a finished conversion never needs

    reader, maker = gguf.GGUFReader(str(gguf_path)), gguf.GGUFReader
    gguf.GGUFReader = lambda path: reader if Path(path) == gguf_path else maker(path)
    try:
        yield
    finally:
        gguf.GGUFReader = maker


def _tensors(
    gguf_path: Path, layers: int, progress: Progress, changes: Mapping[str, FloatArray]
) -> dict[str, torch.Tensor]:
    import gguf  # noqa: PLC0415 - a second of imports that a finished conversion never needs

    reader = gguf.GGUFReader(str(gguf_path))
    architecture = reader.fields["general.architecture"].contents()
    blocks = reader.fields[f"{architecture}.block_count"].contents()
    if architecture != "qwen2" or blocks < layers:
        raise ModelMissingError(
            f"{gguf_path} is a {architecture} model of {blocks} layers; a qwen2 model of {layers} or more is needed.",
            hint="Remove the setting that names this file, so that the embedded model is fetched.",
        )
    named = {tensor.name: checkpoint_name(tensor.name, layers) for tensor in reader.tensors}
    kept = [tensor for tensor in reader.tensors if named[tensor.name] is not None]
    if left := set(changes) - set(named.values()):
        raise ModelMissingError(f"The adapter was made for another model: it changes {min(left)}.")
    result: dict[str, torch.Tensor] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        written = pool.map(lambda tensor: _written(tensor, named[tensor.name] or "", changes), kept)
        try:
            for number, parts in enumerate(written):
                progress("converting the model to int8", number / len(kept))
                result |= parts
        finally:
            pool.shutdown(cancel_futures=True)
    return result


def _written(tensor: Any, name: str, changes: Mapping[str, FloatArray]) -> dict[str, torch.Tensor]:
    """A tensor as the checkpoint holds it: in bfloat16, or in int8 with the scales of its channels.

    Raises:
        ModelMissingError: the change of this tensor is of another shape.
    """
    module = tensor.name.split(".")[2] if tensor.name.startswith("blk.") else ""
    plain = not tensor.name.endswith(".weight") or not module or module in NORMS
    change = torch.from_numpy(changes[name]) if name in changes else None
    shape = tuple(reversed(tensor.shape.tolist()))
    if change is not None and tuple(change.shape) != shape:
        raise ModelMissingError(f"The adapter was made for another model: {name} does not fit.")
    parts = []
    for rows in _rows(shape):
        dense = _dense(tensor, rows)
        if change is not None:
            dense += change[rows]
        parts.append((dense.to(torch.bfloat16),) if plain else int8_per_channel(dense))
    whole = [torch.cat(part) for part in zip(*parts, strict=True)]
    return dict(zip((name, name.replace(".weight", ".weight_scale")), whole, strict=False))


def _rows(shape: tuple[int, ...]) -> Iterator[slice]:
    """Slices of a tensor's first dimension that are small enough to be held as float32 beside the rest."""
    step = max(1, PIECE // max(1, math.prod(shape[1:])))
    return (slice(start, start + step) for start in range(0, shape[0], step))


def _dense(tensor: Any, rows: slice) -> torch.Tensor:
    import gguf  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    values = gguf.dequantize(tensor.data[rows], tensor.tensor_type)
    return torch.from_numpy(np.array(values, dtype=np.float32))


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

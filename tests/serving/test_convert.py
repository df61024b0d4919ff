"""The conversion of a GGUF file, on a tiny one made here."""

import json

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from serving import convert
from serving.errors import ModelMissingError
from serving.progress import silent

HIDDEN, WIDE, VOCABULARY = 64, 128, 40


def tiny_gguf(path, *, layers=3, architecture="qwen2"):
    """A Qwen2-shaped GGUF file with random weights."""
    rng = np.random.default_rng(0)
    writer = gguf.GGUFWriter(str(path), architecture)
    writer.add_block_count(layers)
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(WIDE)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([*(chr(97 + n) for n in range(26)), "ab", *(f"<{n}>" for n in range(27, VOCABULARY))])
    writer.add_token_types([1] * VOCABULARY)
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(39)
    shapes = {
        "attn_q": (HIDDEN, HIDDEN),
        "attn_k": (32, HIDDEN),
        "attn_v": (32, HIDDEN),
        "attn_output": (HIDDEN, HIDDEN),
    }
    shapes |= {"ffn_gate": (WIDE, HIDDEN), "ffn_up": (WIDE, HIDDEN), "ffn_down": (HIDDEN, WIDE)}
    tensors = {
        "token_embd.weight": (VOCABULARY, HIDDEN),
        "output_norm.weight": (HIDDEN,),
        "output.weight": (VOCABULARY, HIDDEN),
    }
    for layer in range(layers):
        tensors |= {f"blk.{layer}.{name}.weight": shape for name, shape in shapes.items()}
        tensors |= {f"blk.{layer}.{name}.weight": (HIDDEN,) for name in ("attn_norm", "ffn_norm")}
        tensors |= {f"blk.{layer}.{name}.bias": (shapes[name][0],) for name in ("attn_q", "attn_k", "attn_v")}
    made = {name: rng.normal(size=shape).astype(np.float32) for name, shape in tensors.items()}
    for name, values in made.items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return made


def test_the_checkpoint_holds_the_first_layers_and_comes_back_to_the_weights(tmp_path):
    made = tiny_gguf(tmp_path / "tiny.gguf")
    target = tmp_path / "out"
    convert.convert(tmp_path / "tiny.gguf", target, layers=2, source_digest="abc", progress=silent)
    tensors = load_file(target / "model.safetensors")
    config = json.loads((target / "config.json").read_text())
    assert config["num_hidden_layers"] == 2
    assert not any(".layers.2." in name for name in tensors)
    assert not any("lm_head" in name for name in tensors)
    rounded = tensors["model.layers.1.mlp.down_proj.weight"]
    scale = tensors["model.layers.1.mlp.down_proj.weight_scale"]
    original = torch.from_numpy(made["blk.1.ffn_down.weight"])
    assert rounded.dtype == torch.int8
    assert (rounded.float() * scale - original).abs().max() <= scale.max() * 0.51
    assert torch.equal(tensors["model.embed_tokens.weight"], torch.from_numpy(made["token_embd.weight"]).bfloat16())
    assert json.loads((target / convert.DONE).read_text())["source_sha256"] == "abc"


def test_a_conversion_that_breaks_leaves_no_checkpoint_behind(tmp_path):
    tiny_gguf(tmp_path / "tiny.gguf")
    target = tmp_path / "out"

    def break_off(detail, share=None):
        if share is not None and share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert.convert(tmp_path / "tiny.gguf", target, layers=2, source_digest="abc", progress=break_off)
    assert not target.exists()
    convert.convert(tmp_path / "tiny.gguf", target, layers=2, source_digest="abc", progress=silent)
    assert (target / convert.DONE).exists()


def test_another_architecture_is_refused(tmp_path):
    tiny_gguf(tmp_path / "other.gguf", architecture="llama")
    with pytest.raises(ModelMissingError, match="llama model of 3 layers"):
        convert.convert(tmp_path / "other.gguf", tmp_path / "out", layers=2, source_digest="", progress=silent)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_rounding_is_within_half_a_step_of_each_channel(scale):
    weight = torch.randn(8, 32, generator=torch.Generator().manual_seed(1)) * scale
    rounded, step = convert.int8_per_channel(weight)
    assert ((rounded.float() * step - weight).abs() <= step * 0.501).all()


def test_a_channel_of_zeros_stays_zero():
    rounded, step = convert.int8_per_channel(torch.zeros(2, 4))
    assert not rounded.any()
    assert torch.isfinite(step).all()

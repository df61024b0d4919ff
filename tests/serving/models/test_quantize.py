"""The conversion of a GGUF file, on a tiny one made here."""

import json

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from serving.errors import ModelMissingError
from serving.models import adapter, catalogue, quantize
from serving.models.dequantize import dense
from serving.models.plain import write_plain
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
    quantize.convert(tmp_path / "tiny.gguf", target, layers=2, source_digest="abc", progress=silent)
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
    assert json.loads((target / quantize.DONE).read_text())["source_sha256"] == "abc"


def test_a_conversion_that_breaks_leaves_no_checkpoint_behind(tmp_path):
    tiny_gguf(tmp_path / "tiny.gguf")
    target = tmp_path / "out"

    def break_off(detail, share=None):
        if share is not None and share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quantize.convert(tmp_path / "tiny.gguf", target, layers=2, source_digest="abc", progress=break_off)
    assert not target.exists()
    quantize.convert(tmp_path / "tiny.gguf", target, layers=2, source_digest="abc", progress=silent)
    assert (target / quantize.DONE).exists()


def test_another_architecture_is_refused(tmp_path):
    tiny_gguf(tmp_path / "other.gguf", architecture="llama")
    with pytest.raises(ModelMissingError, match="llama model of 3 layers"):
        quantize.convert(tmp_path / "other.gguf", tmp_path / "out", layers=2, source_digest="", progress=silent)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_rounding_is_within_half_a_step_of_each_channel(scale):
    weight = torch.randn(8, 32, generator=torch.Generator().manual_seed(1)) * scale
    rounded, step = quantize.int8_per_channel(weight)
    assert ((rounded.float() * step - weight).abs() <= step * 0.501).all()


def test_a_channel_of_zeros_stays_zero():
    rounded, step = quantize.int8_per_channel(torch.zeros(2, 4))
    assert not rounded.any()
    assert torch.isfinite(step).all()


def changed_by(path, name, shape):
    """A stored change of one parameter, and the change."""
    change = np.full(shape, 0.5, dtype=np.float32)
    adapter.save(path, {name: change})
    return change


def test_what_was_fitted_is_added_before_rounding(tmp_path):
    made = tiny_gguf(tmp_path / "tiny.gguf")
    file = tmp_path / "fitted.npz"
    change = changed_by(file, "layers.1.mlp.down_proj.weight", (HIDDEN, WIDE))
    source, target = tmp_path / "tiny.gguf", tmp_path / "out"
    quantize.convert(source, target, layers=2, source_digest=catalogue.EMBEDDED.sha256, progress=silent, changed=file)
    tensors = load_file(target / "model.safetensors")
    name = "model.layers.1.mlp.down_proj.weight"
    scale = tensors[f"{name}_scale"]
    wanted = torch.from_numpy(made["blk.1.ffn_down.weight"] + change)
    assert (tensors[name].float() * scale - wanted).abs().max() <= scale.max() * 0.6
    untouched = tensors["model.layers.0.mlp.down_proj.weight"].float()
    assert torch.allclose(
        untouched * tensors["model.layers.0.mlp.down_proj.weight_scale"],
        torch.from_numpy(made["blk.0.ffn_down.weight"]),
        atol=0.05,
    )
    assert catalogue.is_whole(target, 2, file)
    assert not catalogue.is_whole(target, 2, None)
    changed_by(file, "layers.1.mlp.up_proj.weight", (WIDE, HIDDEN))
    assert not catalogue.is_whole(target, 2, file), "it was converted with another change"


@pytest.mark.parametrize(
    ("name", "shape"), [("layers.1.mlp.down_proj.weight", (3, WIDE)), ("layers.2.mlp.up_proj.weight", (WIDE, HIDDEN))]
)
def test_changes_of_another_model_are_refused(tmp_path, name, shape):
    tiny_gguf(tmp_path / "tiny.gguf")
    changed_by(tmp_path / "fitted.npz", name, shape)
    with pytest.raises(ModelMissingError, match="made for another model"):
        quantize.convert(
            tmp_path / "tiny.gguf",
            tmp_path / "out",
            layers=2,
            source_digest="",
            progress=silent,
            changed=tmp_path / "fitted.npz",
        )
    assert not (tmp_path / "out").exists()


def test_a_checkpoint_comes_back_as_a_model_of_its_first_layers(tmp_path):
    made = tiny_gguf(tmp_path / "tiny.gguf")
    quantize.convert(tmp_path / "tiny.gguf", tmp_path / "out", layers=3, source_digest="", progress=silent)
    model = dense(tmp_path / "out", 2)
    assert len(model.layers) == 2
    found = model.layers[1].mlp.down_proj.weight.float().cpu()
    assert torch.allclose(found, torch.from_numpy(made["blk.1.ffn_down.weight"]), atol=0.05)
    assert not any(parameter.requires_grad for parameter in model.parameters())
    with torch.inference_mode():
        states = model(torch.tensor([[1, 2, 3]], device=model.device)).last_hidden_state
    assert states.shape == (1, 3, HIDDEN)
    assert torch.isfinite(states).all()


def test_a_checkpoint_of_too_few_layers_is_told(tmp_path):
    tiny_gguf(tmp_path / "tiny.gguf")
    quantize.convert(tmp_path / "tiny.gguf", tmp_path / "out", layers=2, source_digest="", progress=silent)
    with pytest.raises(ModelMissingError, match="has 2 layers; 3 are needed"):
        dense(tmp_path / "out", 3)
    with pytest.raises(ModelMissingError, match="No model can be read"):
        dense(tmp_path / "nothing", 2)


def test_for_a_card_without_int8_the_same_numbers_are_written_out(tmp_path):
    tiny_gguf(tmp_path / "model.gguf")
    quantize.convert(tmp_path / "model.gguf", tmp_path / "int8", layers=2, source_digest="d", progress=silent)
    write_plain(tmp_path / "int8", tmp_path / "bf16", silent)
    stored, plain = (load_file(tmp_path / kind / "model.safetensors") for kind in ("int8", "bf16"))
    assert not any(name.endswith("_scale") for name in plain)
    assert {each.dtype for each in plain.values()} == {torch.bfloat16}
    name = "model.layers.1.mlp.down_proj.weight"
    meant = stored[name].float() * stored[f"{name}_scale"]
    assert torch.equal(plain[name], meant.bfloat16())
    assert torch.equal(plain["model.embed_tokens.weight"], stored["model.embed_tokens.weight"])
    settings = json.loads((tmp_path / "bf16" / "config.json").read_text())
    assert "quantization_config" not in settings
    assert settings["num_hidden_layers"] == 2
    # What marks it as whole is written last, and says what it was made from.
    assert json.loads((tmp_path / "bf16" / quantize.DONE).read_text())["source_sha256"] == "d"
    with pytest.raises(ModelMissingError):
        write_plain(tmp_path / "nothing", tmp_path / "other", silent)
    assert not (tmp_path / "other").exists()


def test_each_format_has_a_folder_and_a_digest_of_its_own():
    assert catalogue.judge_folder() != catalogue.judge_folder("bf16")
    assert catalogue.judge_digest() != catalogue.judge_digest("bf16")


@pytest.mark.parametrize("piece", [1, 3 * HIDDEN, 10**9])
def test_a_tensor_comes_out_the_same_whatever_is_held_of_it_at_once(tmp_path, monkeypatch, piece):
    tiny_gguf(tmp_path / "tiny.gguf")
    changed_by(tmp_path / "a.npz", "layers.0.self_attn.q_proj.weight", (HIDDEN, HIDDEN))
    written = {}
    for size in (quantize.PIECE, piece):
        monkeypatch.setattr(quantize, "PIECE", size)
        target = tmp_path / str(size)
        quantize.convert(
            tmp_path / "tiny.gguf",
            target,
            layers=2,
            source_digest="abc",
            progress=silent,
            changed=tmp_path / "a.npz",
        )
        written[size] = load_file(target / "model.safetensors")
    first, second = written.values()
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_the_header_of_a_file_is_read_once(tmp_path, monkeypatch):
    tiny_gguf(tmp_path / "tiny.gguf")
    read = []
    whole = gguf.GGUFReader

    def counted(path):
        read.append(path)
        return whole(path)

    monkeypatch.setattr(gguf, "GGUFReader", counted)
    quantize.convert(tmp_path / "tiny.gguf", tmp_path / "out", layers=2, source_digest="abc", progress=silent)
    assert len(read) == 1
    assert gguf.GGUFReader is counted

"""A BERT encoder (Devlin et al. 2018) out of its folder, in torch alone.

The libraries that usually run one import scikit-learn, SciPy, pandas, and torch's compiler. Beside the encoder's six
layers these take a fifth of a gigabyte in every process, and four seconds of its start (docs/benchmarks/memory.md). The
states are the same to single precision, and a test holds them against those of sentence-transformers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from serving.encoders.compute_thread import AT_ONCE

TOKENS = 4096
"""Tokens that are computed at a time, padding of their lengths included: what they need is freed before more are."""

Text = str | tuple[str, str]
"""A text, or two that are read together."""

LEFT_OUT = ("pooler.", "embeddings.position_ids")
"""Parameters of the published file that no state depends on."""


class Bert(nn.Module):
    """Texts, or pairs of texts, -> the mean of their tokens' states.

    Parameters have the names that transformers' ``BertModel`` gives them, so that ``serving.models.adapter`` fits.

    Args:
        config: ``config.json`` of the folder.
        tokenizer: pads nothing; cuts what is too long.

    Raises:
        KeyError: the configuration lacks something.

    """

    def __init__(self, config: dict[str, Any], tokenizer: Tokenizer) -> None:
        super().__init__()
        size, inner, precision = config["hidden_size"], config["intermediate_size"], config["layer_norm_eps"]
        self._tokenizer, self._heads = tokenizer, config["num_attention_heads"]
        self.embeddings: Any = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(config["vocab_size"], size),
                "position_embeddings": nn.Embedding(config["max_position_embeddings"], size),
                "token_type_embeddings": nn.Embedding(config["type_vocab_size"], size),
                "LayerNorm": nn.LayerNorm(size, precision),
            }
        )
        layers = (_layer(size, inner, precision) for _ in range(config["num_hidden_layers"]))
        self.encoder: Any = nn.ModuleDict({"layer": nn.ModuleList(layers)})

    def forward(self, tokens: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """The states of the last layer, [n, tokens, size].

        Args:
            tokens: their numbers, [n, tokens].
            kinds: 0 in the first text of a pair, 1 in the second.
            mask: whether a token is one, and no padding.

        """
        at = self.embeddings
        places = torch.arange(tokens.shape[1], device=tokens.device)
        words = at["word_embeddings"](tokens) + at["token_type_embeddings"](kinds) + at["position_embeddings"](places)
        states: Tensor = at["LayerNorm"](words)
        for layer in self.encoder["layer"]:
            states = self._through(layer, states, mask)
        return states

    @property
    def device(self) -> torch.device:
        """Where it is computed."""
        norm: Tensor = self.embeddings["LayerNorm"].weight
        return norm.device

    @property
    def size(self) -> int:
        """Length of a state."""
        return int(self.embeddings["LayerNorm"].weight.shape[0])

    def means(self, texts: Sequence[Text]) -> Tensor:
        """The mean of each text's states, [n, size], float32."""
        read = self._tokenizer.encode_batch(list(texts))
        rows = torch.empty((len(read), self.size), device=self.device)
        with torch.inference_mode(), _on_threads(_threads(len(read))):
            for batch in _batches([len(each.ids) for each in read]):
                some = [read[place] for place in batch]
                tokens, kinds, mask = (part.to(self.device) for part in _padded(some, *_shape(some)))
                states, held = self(tokens, kinds, mask).float(), mask[..., None]
                rows[batch] = ((states * held).sum(dim=1) / held.sum(dim=1))[: len(batch)]
        return rows

    def _through(self, layer: Any, states: Tensor, mask: Tensor) -> Tensor:
        attention, count, length = layer["attention"], states.shape[0], states.shape[1]

        def heads(name: str) -> Tensor:
            made: Tensor = attention["self"][name](states)
            return made.view(count, length, self._heads, -1).transpose(1, 2)

        seen = functional.scaled_dot_product_attention(
            heads("query"), heads("key"), heads("value"), attn_mask=mask[:, None, None, :]
        )
        output = attention["output"]
        states = output["LayerNorm"](output["dense"](seen.transpose(1, 2).reshape(count, length, -1)) + states)
        inner = functional.gelu(layer["intermediate"]["dense"](states))
        result: Tensor = layer["output"]["LayerNorm"](layer["output"]["dense"](inner) + states)
        return result


def _threads(texts: int) -> int:
    """Threads that torch computes so many texts on: one for a few where the machine is busy, else all.

    A product on several threads waits until each had its turn on a core. Alone, two threads read what an answer needs
    in .83 s instead of 1.23; but two pages and two workers on two cores took 12 s of processor time an answer with
    them, nearly all of it such waiting (docs/benchmarks/many-people.md).
    """
    every = torch.get_num_threads()
    return 1 if texts <= AT_ONCE and _load() > _BUSY * (os.cpu_count() or 1) else every


def _load() -> float:
    """Processes that want a core, over the last minute; 0 where the system does not tell."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return 0.0


_BUSY = 1.5
"""Processes for each core from which a machine is busy."""


@contextmanager
def _on_threads(count: int) -> Iterator[None]:
    """Within it torch computes on so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def is_bert(folder: Path) -> bool:
    """Whether a folder holds an encoder that this module computes.

    Raises:
        OSError: there is no configuration.
        ValueError: it is none.

    """
    config = _config(folder)
    return _is_bert(config) and (folder / "tokenizer.json").is_file()


def load_bert(folder: Path, longest: int) -> Bert:
    """An encoder as it was published, on the card where there is one.

    Args:
        folder: a model of transformers' or sentence-transformers'.
        longest: tokens of a text or a pair that are read; of a longer pair the longer text is cut.

    Raises:
        OSError: the folder lacks a file.
        ValueError, KeyError, RuntimeError: a file does not hold what it should, or the model is another one.

    """
    config = _config(folder)
    if not _is_bert(config):
        raise ValueError("it is no BERT encoder with GELU")
    tokenizer = Tokenizer.from_buffer((folder / "tokenizer.json").read_bytes())
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    # Its first numbers are chance, and a program that has set its seed shall not notice.
    with torch.random.fork_rng(devices=[]):
        model = Bert(config, tokenizer)
    # They stay in the file until they are used; what an adapter changes becomes the process's own.
    try:
        stored = load_file(folder / "model.safetensors")
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    held = {name: value for name, value in stored.items() if not name.startswith(LEFT_OUT)}
    model.load_state_dict(held, assign=True)
    return model.eval().to("cuda" if torch.cuda.is_available() else "cpu")


def _is_bert(config: dict[str, Any]) -> bool:
    return (config.get("model_type"), config.get("hidden_act")) == ("bert", "gelu")


def _config(folder: Path) -> dict[str, Any]:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if not isinstance(config, dict):
        raise ValueError("config.json is no configuration")  # noqa: TRY004 - told like all else that is wrong in a file
    return config


def _layer(size: int, inner: int, precision: float) -> nn.ModuleDict:
    """One layer's parameters, by the names of ``BertModel``."""
    own = nn.ModuleDict({name: nn.Linear(size, size) for name in ("query", "key", "value")})
    mixed = nn.ModuleDict({"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, precision)})
    return nn.ModuleDict(
        {
            "attention": nn.ModuleDict({"self": own, "output": mixed}),
            "intermediate": nn.ModuleDict({"dense": nn.Linear(size, inner)}),
            "output": nn.ModuleDict({"dense": nn.Linear(inner, size), "LayerNorm": nn.LayerNorm(size, precision)}),
        }
    )


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts that are computed together, about equally long ones, ``TOKENS`` at most unless one has more."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda each: lengths[each]):
        if batch and (len(batch) + 1) * lengths[place] > TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _shape(read: Sequence[Encoding]) -> tuple[int, int]:
    """Rows and tokens of a batch, more than it has where it is computed in bfloat16.

    oneDNN, which multiplies bfloat16, keeps what it made for each shape of a product, a third of a megabyte: of 360
    batches, each of another shape, half a gigabyte was left. So there are few shapes.
    """
    count, longest = len(read), max(len(each.ids) for each in read)
    if not torch.is_autocast_enabled("cpu"):
        return count, longest
    return -(-count // _ROWS) * _ROWS, -(-longest // _STEP) * _STEP


_ROWS, _STEP = 4, 16


def _padded(read: Sequence[Encoding], count: int, longest: int) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens, kinds, and mask of a batch, each [count, longest]; rows beyond the texts are the last one again."""
    tokens, kinds, mask = (torch.zeros((count, longest), dtype=torch.long) for _ in range(3))
    for row, each in enumerate([*read, *[read[-1]] * (count - len(read))]):
        tokens[row, : len(each.ids)] = torch.tensor(each.ids)
        kinds[row, : len(each.ids)] = torch.tensor(each.type_ids)
        mask[row, : len(each.ids)] = 1
    return tokens, kinds, mask.bool()

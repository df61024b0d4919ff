"""States of prompts by torch alone, for machines with a card and no vLLM."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from serving.arrays import FloatArray
from serving.models.dequantize import dense


class TorchStates:
    """Gives the states that the judge's layers end prompts with, in bfloat16; see ``serving.llm.client.StateClient``.

    Activations are not rounded to int8 here, as the judge's server does, so that weights fitted to these states are for
    servers that read them so, and are kept apart.

    Args:
        folder: the judge's checkpoint.
        layers: how many of its layers are read.
        device: ``cpu`` or ``cuda``; left out, the card where there is one.

    Raises:
        ModelMissingError: the folder holds no such checkpoint.

    """

    def __init__(self, folder: Path, layers: int, device: str = "") -> None:
        from transformers import AutoTokenizer  # noqa: PLC0415 - seconds of imports

        self._model: Any = dense(folder, layers, device)
        self._tokenizer = AutoTokenizer.from_pretrained(folder)

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """The last layer's state of each prompt's last token, [n, hidden] float32."""
        import torch  # noqa: PLC0415 - seconds of imports

        found = []
        with torch.inference_mode():
            for prompt in prompts:
                tokens = self._tokenizer(prompt, add_special_tokens=False, return_tensors="pt").to(self._model.device)
                state = self._model(**tokens).last_hidden_state[0, -1]
                found.append(state.float().cpu().numpy())
        return np.stack(found)

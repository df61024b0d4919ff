"""A criterion counts as proven only where no program can pass the tests without doing what it says."""

from __future__ import annotations

import pytest

from knowledge.bank.parser import load_bank
from knowledge.bank.proven_criteria import proven_criteria
from knowledge.bank.validation.forked_runner import ForkedRunner
from knowledge.bank.validation.tasks import told
from rubric.coding.result import CodeStatus
from rubric.coding.verifier import Verifier

ASIDE = {
    ("algorithms-tensor-priority-queue", "c5", "priorities stay tensors in the heap"): {
        "import math\n": "import math\nimport torch\n",
        "priority = float(priority)": "priority = torch.as_tensor(priority, dtype=torch.float64).reshape(())",
        "return priority, tensor": "return priority.item(), tensor",
    },
    ("algorithms-breadth-first-hops", "c4b", "whole layers are formed as sets, without a queue"): {
        "    waiting = deque([start])\n    while waiting:\n": (
            "    layer, hop = {start}, 0\n    while layer:\n        hop += 1\n"
        ),
        "        node = waiting.popleft()\n        for successor in graph.get(node, ()):\n": (
            "        layer = {successor for node in layer for successor in graph.get(node, ())} - distance.keys()\n"
            "        distance.update(dict.fromkeys(layer, hop))\n"
        ),
        "            if successor not in distance:\n": "",
        "                distance[successor] = distance[node] + 1\n": "",
        "                waiting.append(successor)\n": "",
    },
    ("algorithms-merge-and-quick-sort", "c3", "the pivot is the value in the middle"): {
        "random.randint(low, high)": "(low + high) // 2"
    },
    ("algorithms-rolling-hash", "c1b", "a copy of the codes is gone through for each window"): {
        "    value = 0\n    for code in codes[:length]:\n": (
            "    codes, hashes = list(codes), []\n    for place in range(len(codes) - length + 1):\n"
        ),
        "        value = (value * base + code) % modulus\n    hashes = [value]\n": "        value = 0\n",
        "    for place in range(length, len(codes)):\n": "        for code in codes[place : place + length]:\n",
        "        value = ((value - codes[place - length] * lead) * base + codes[place]) % modulus\n": (
            "            value = (value * base + code) % modulus\n"
        ),
    },
    ("distributed-sampler-epoch", "c3", "shares of the whole dataset are added up, without a total"): {
        "return sum(right), len(right)": "return sum(right) / len(dataset)",
        "    right = sum(r for r, _ in contributions)\n    total = sum(t for _, t in contributions)\n": "",
        "return right / total": "return sum(contributions)",
    },
    ("transformers-encoder-layer", "c4", "attention by hand, without the fused function"): {
        "        visible = ~padding[:, None, None, :]\n": (
            "        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5\n"
            "        weights = scores.masked_fill(padding[:, None, None, :], -torch.inf).softmax(-1)\n"
        ),
        "        rate = self.dropout if self.training else 0.0\n": "",
        "F.scaled_dot_product_attention(q, k, v, attn_mask=visible, dropout_p=rate)": "self._drop(weights) @ v",
    },
    ("algorithms-pair-sum", "c2c", "places tell a lone number from two equal ones"): {
        (
            "    seen, pairs = set(), set()\n"
            "    for number in numbers:\n"
            "        other = target - number\n"
            "        if other in seen:\n"
            "            pairs.add((min(number, other), max(number, other)))\n"
            "        seen.add(number)\n"
            "    return sorted(pairs)"
        ): (
            "    last = {number: place for place, number in enumerate(numbers)}\n"
            "    pairs = set()\n"
            "    for place, number in enumerate(numbers):\n"
            "        other = target - number\n"
            "        if last.get(other, place) != place:\n"
            "            pairs.add((min(number, other), max(number, other)))\n"
            "    return sorted(pairs)"
        ),
    },
    ("architectures-causal-attention", "c5b", "each head is projected and the results are added"): {
        "        return self.out((weights @ v).transpose(1, 2).reshape(batch, time, dim))": (
            "        by_head = self.out.weight.view(dim, self.heads, size)\n"
            '        return torch.einsum("bhts,ohs->bto", weights @ v, by_head) + self.out.bias'
        ),
    },
    ("training-nan-hunt", "c5", "the formula stays, a hook mends the gradient"): {
        "def contrastive_loss(a, b, same, margin=1.0, eps=1e-12):": "def contrastive_loss(a, b, same, margin=1.0):",
        "    distance = (squared + eps).sqrt()": (
            "    if squared.requires_grad:\n"
            "        squared.register_hook(lambda grad: torch.where(grad.isfinite(), grad, 0.0))\n"
            "    distance = squared.sqrt()"
        ),
    },
    ("amp-train-step", "c2", "the limit is scaled instead of the gradients unscaled"): {
        (
            "    scaler.unscale_(optimizer)\n"
            "    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)\n"
            "    finite"
        ): (
            "    scale = scaler.get_scale()\n"
            "    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm * scale) / scale\n"
            "    finite"
        ),
        ("    if finite:\n        scaler.step(optimizer)\n        scheduler.step()\n"): (
            "    if finite:\n"
            "        scaler.step(optimizer)\n"
            "        scheduler.step()\n"
            "    elif scaler.is_enabled():\n"
            "        scaler.step(optimizer)\n"
        ),
    },
}
"""Our solution changed so that it still passes every test and does not do what the criterion says."""


@pytest.mark.parametrize(("aside", "changes"), [pytest.param(*each, id=each[0][0]) for each in ASIDE.items()])
def test_what_a_passing_program_need_not_do_is_not_proven(aside: tuple[str, str, str], changes: dict[str, str]) -> None:
    question_id, criterion, _ = aside
    question = next(question for question in load_bank() if question.id == question_id)
    assert question.task is not None
    source = question.task.solution
    for old, new in changes.items():
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    verifier = Verifier(ForkedRunner(), seconds=20.0)
    try:
        result = verifier.verify(question.task, source)
    finally:
        verifier.close()
    assert result.status is CodeStatus.PASSED, told(result)
    assert criterion not in proven_criteria(question)

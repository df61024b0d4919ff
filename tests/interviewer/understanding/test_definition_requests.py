"""What a person asks the meaning of is taken from the question, whatever its form."""

from __future__ import annotations

import pytest

from interviewer.understanding.definition_requests import compared, defined
from knowledge.glossary.glossary import load


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("What is gradient checkpointing good for?", "gradient checkpointing"),
        ("What's RMSNorm?", "RMSNorm"),
        ("whats a graph break", "a graph break"),
        ("So, what does zero grad do?", "zero grad"),
        ("What does MFU stand for?", "MFU"),
        ("Why do we need warmup?", "warmup"),
        ("How does flash attention work?", "flash attention"),
        ("Could you briefly explain speculative decoding?", "speculative decoding"),
        ("Yes, one question: what is the point of label smoothing?", "label smoothing"),
        ("What exactly is a KV cache?", "a KV cache"),
        ("I keep reading about it. What is GRPO?", "GRPO"),
        ("Can you tell me what GRPO is?", "GRPO"),
        ("What is meant by perplexity?", "perplexity"),
        ("Why is pinned memory useful?", "pinned memory"),
        ("What is a KV cache then?", "a KV cache"),
        ("But what is muP, exactly?", "muP"),
        ("What is a graph break in practice?", "a graph break"),
        ("What is stochastic rounding in simple terms, please?", "stochastic rounding"),
        ("What actually is a straggler?", "a straggler"),
        ("Remind me what MFU means.", "MFU"),
        ("I'd like to know what an attention sink is.", "an attention sink"),
        ("I don't know what rendezvous is.", "rendezvous"),
        ("I've never heard of logit softcapping.", "logit softcapping"),
        ("When would you use activation offloading?", "activation offloading"),
        ("When should I use CUDA graphs?", "CUDA graphs"),
        ("In what cases is gradient compression worth it?", "gradient compression"),
        ("Is LoRA worth it?", "LoRA"),
        ("Is it worth using CUDA graphs?", "CUDA graphs"),
        ("Do I really need warmup?", "warmup"),
        ("Should I use label smoothing?", "label smoothing"),
        ("Why bother with QK norm?", "QK norm"),
        ("What problem does paged attention solve?", "paged attention"),
        ("What would you use vmap for?", "vmap"),
        ("What do I gain from pinned memory?", "pinned memory"),
        ("What are the main benefits of sequence packing?", "sequence packing"),
        ("What do you mean by goodput?", "goodput"),
        ("How would you explain KL divergence?", "KL divergence"),
    ],
)
def test_the_thing_that_is_asked_about(text: str, thing: str) -> None:
    assert thing in defined(text)
    assert compared(text) is None


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("What is the difference between eval and no grad?", ("eval", "no grad")),
        ("What's the difference between DDP and FSDP again?", ("DDP", "FSDP")),
        ("How does bf16 differ from fp16?", ("bf16", "fp16")),
        ("how is AdamW different from Adam?", ("AdamW", "Adam")),
        ("When would you use FSDP instead of DDP?", ("FSDP", "DDP")),
        ("Why is bf16 preferred over fp16?", ("bf16", "fp16")),
        ("Is gradient checkpointing the same as rematerialization?", ("gradient checkpointing", "rematerialization")),
        ("LayerNorm vs. RMSNorm?", ("LayerNorm", "RMSNorm")),
        ("How does FSDP compare with DDP in practice?", ("FSDP", "DDP")),
        ("Could you compare GPTQ and AWQ?", ("GPTQ", "AWQ")),
        ("When would you prefer DPO to PPO?", ("DPO", "PPO")),
        ("In which cases would you choose LoRA over QLoRA?", ("LoRA", "QLoRA")),
        ("When do you use DDP and when FSDP?", ("DDP", "FSDP")),
        ("FSDP or DDP, which is better and when?", ("FSDP", "DDP")),
        ("top-k or nucleus sampling: which one would you use?", ("top-k", "nucleus sampling")),
        ("bf16 or fp16, when would you use which?", ("bf16", "fp16")),
        ("Which is better, LayerNorm or RMSNorm?", ("LayerNorm", "RMSNorm")),
        ("Should I use Adam or SGD?", ("Adam", "SGD")),
        ("When is GRPO better than PPO?", ("GRPO", "PPO")),
        ("Why is k3 less noisy than k1?", ("k3", "k1")),
        ("Why is flash attention so much faster than sparse attention?", ("flash attention", "sparse attention")),
        ("Why does FSDP need less memory than DDP?", ("FSDP", "DDP")),
        ("Why bf16 and not fp16?", ("bf16", "fp16")),
        ("Why not use SGD instead of Adam?", ("SGD", "Adam")),
        ("What does FSDP do that DDP doesn't?", ("FSDP", "DDP")),
        ("What does AWQ bring over GPTQ?", ("AWQ", "GPTQ")),
        ("What's the advantage of HSDP over FSDP?", ("HSDP", "FSDP")),
        ("What is FSDP good for compared with DDP?", ("FSDP", "DDP")),
    ],
)
def test_the_two_things_that_are_compared(text: str, things: tuple[str, str]) -> None:
    assert compared(text) == things


@pytest.mark.parametrize(
    "text",
    [
        "What's the salary range?",
        "How many people are on the team that I would join, and who leads it?",
        "No, thank you.",
        "Does DDP average or sum the gradients?",
        "Is it fully remote or two days in the office?",
        "Is LoRA worth it?",
    ],
)
def test_what_asks_for_no_meaning_is_not_compared(text: str) -> None:
    assert compared(text) is None


@pytest.mark.parametrize(
    ("text", "things"),
    [
        (
            "What is gradient checkpointing good for if I already use activation offloading?",
            ("gradient checkpointing", "activation offloading"),
        ),
        ("Do I need ZeRO if I have FSDP?", ("ZeRO", "FSDP")),
        ("Do I still need a gradient scaler when I'm using bfloat16?", ("a gradient scaler", "bfloat16")),
        ("Is gradient clipping still useful if I already use QK norm?", ("gradient clipping", "QK norm")),
        ("Does prefix caching help if we already have paged attention?", ("prefix caching", "paged attention")),
        ("Why would I use CUDA graphs once I use torch.compile?", ("CUDA graphs", "torch.compile")),
        ("What does LoRA bring if I've already got QLoRA?", ("LoRA", "QLoRA")),
        ("If I already use FSDP, do I need tensor parallelism?", ("tensor parallelism", "FSDP")),
        ("If I already have a reranker, is hybrid search worth it?", ("hybrid search", "a reranker")),
    ],
)
def test_a_thing_may_be_asked_about_given_another(text: str, things: tuple[str, str]) -> None:
    assert compared(text) == things
    assert things[0] in defined(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is a good learning rate for Adam?",
        "What is the default learning rate of Adam?",
        "What learning rate would you use for LoRA?",
        "Which rank would you choose for LoRA?",
        "What rank is enough for LoRA in practice?",
        "What is the warmup set to in practice?",
        "How many experts does a mixture of experts need?",
        "How large is the KV cache of a 70B model?",
        "How do I implement gradient checkpointing?",
        "When did flash attention come out?",
        "Who invented LoRA?",
        "Is LoRA worth it for a model of seven billion parameters?",
        "Does FSDP work with LoRA?",
        "Do you use FSDP or DDP in your team for the largest models?",
        "Do you use FSDP here?",
        "When would you stop training?",
        "Why is my loss more noisy than yesterday?",
        "What does LoRA do to the learning rate?",
        "What happens to DDP if one rank fails?",
        "Should I use a different learning rate for Adam or keep the one for SGD?",
        "Why did you choose PyTorch instead of JAX?",
    ],
)
def test_anything_more_special_asks_for_no_term(text: str) -> None:
    assert not [name for name in defined(text) if load().find(name)]
    assert not all(load().find(name) for name in compared(text) or ("?",))

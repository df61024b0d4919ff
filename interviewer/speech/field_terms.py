"""Which words are terms of the field, and not everyday English. Pure."""

from __future__ import annotations

import re

from interviewer.speech.domain_lexicon import ACRONYMS, ALONE

_SPOKEN = frozenset(
    re.findall(
        r"\S+",
        """
        accumulator activation activations adam allgather allreduce attention autoencoder autograd autoregressive
        backprop backpropagation backward batchnorm beam bfloat bias bucketing checkpoint checkpointing checkpoints
        classifier clipping collate contiguous convolution convolutional convolutions cosine coroutine crossentropy
        cuda cudnn dataloader dataset decoder decoding deadlock denominator detach dequantize derivative determinism
        diffusion dimensionality distillation dropout dtype eigenvalue einsum embedding embeddings encoder ensemble
        entropy epoch epochs euclidean featurization finetuning flashattention float fragmentation gaussian generator
        gradient gradients gpu gpus hashing heuristic hessian histogram hyperparameter hyperparameters inference
        initialization interpolation jacobian kernel kernels latency layernorm learnable likelihood logarithm logit
        logits lora lstm matmul matrix mantissa microbatch minibatch momentum multicollinearity mutex nccl
        nonlinearity normalization numpy optimizer optimizers orthogonal overfitting oversampling padding
        parallelism parameters perceptron percentile permutation perplexity pipelining pooling posterior precision
        prefetch prefetching preemption profiler propagation pruning pytorch quantile quantization quantize
        recall regression regularization relu reshape residual resnet rmsprop sampler scalar scheduler semaphore
        sgd sharding shards sigmoid softmax sparsity speculative stochastic stride strides subword synchronization
        tensor tensors throughput timestep tokenization tokenizer tokenizers torchscript transformer transpose
        underfitting underflow undersampling unigram unsqueeze validation variance vectorization vectorize vectorized
        warmup weights xavier
        """,
    )
)
_NAMES = frozenset(name.lower() for name in (*ALONE, *ACRONYMS))
_WRITTEN = re.compile(r"\w_\w|\w\.\w|\d|[a-z][A-Z]")
"""How code and names are written, and English is not."""


def is_field_term(word: str) -> bool:
    """Whether a word is one of the field's, such as "momentum" or "all_reduce", and not one like "each" or "losses"."""
    plain = word.lower().strip(".,;:!?")
    return plain in _SPOKEN or plain in _NAMES or bool(_WRITTEN.search(word))

"""Names of the field as one writes them, sorted by how safely they are told from ordinary English."""

from __future__ import annotations

ALONE = (
    "requires_grad", "no_grad", "zero_grad", "retain_grad", "retain_graph", "create_graph",
    "state_dict", "load_state_dict", "clip_grad_norm_", "clip_grad_value_", "num_workers", "set_to_none", "grad_fn",
    "collate_fn", "worker_init_fn", "inference_mode", "manual_seed", "named_parameters", "register_buffer",
    "world_size", "DataLoader", "DistributedDataParallel", "FullyShardedDataParallel", "DistributedSampler",
    "GradScaler", "autocast", "autograd", "softmax", "log_softmax", "argmax", "matmul", "einsum", "TorchScript",
    "AdamW", "RMSProp", "ReLU", "Conv1d", "Conv2d", "Conv3d", "BatchNorm1d", "BatchNorm2d",
    "MaxPool2d", "bfloat16", "bf16", "fp8", "fp16", "fp32", "tf32", "float16", "float32", "float64", "int4", "int8",
    "int16", "int32", "int64", "PyTorch", "NumPy",
)  # fmt: skip
"""What they sound like is said of nothing else."""

ACRONYMS = (
    "CPU", "GPU", "TPU", "DDP", "FSDP", "NCCL", "SGD", "LSTM", "GRU", "CNN", "RNN", "MLP", "QKV", "OOM", "LLM", "MSE",
    "ROC", "AUC", "API", "JIT", "ONNX", "MPS", "GIL", "RLHF", "DPO", "BLEU",
)  # fmt: skip
"""Said letter by letter."""

MEMBERS = {
    "torch": (
        "no_grad", "inference_mode", "compile", "jit", "cuda", "nn", "optim", "autograd", "distributed",
        "tensor", "cat",
        "stack", "zeros", "ones", "randn", "arange", "einsum", "matmul", "where", "gather", "save", "load", "utils",
        "profiler", "backends", "func", "float16", "float32", "bfloat16", "long", "manual_seed", "set_grad_enabled",
        "zeros_like", "ones_like", "from_numpy", "device", "dtype", "amp", "empty", "topk", "allclose", "Tensor",
    ),
    "nn": (
        "Module", "ModuleList", "ModuleDict", "Linear", "Conv1d", "Conv2d", "Conv3d", "LayerNorm", "BatchNorm1d",
        "BatchNorm2d", "GroupNorm", "Embedding", "Dropout", "Sequential", "ReLU", "GELU", "Parameter", "LSTM", "GRU",
        "CrossEntropyLoss", "BCELoss", "BCEWithLogitsLoss", "MSELoss", "NLLLoss", "Transformer", "MultiheadAttention",
        "Softmax", "LogSoftmax", "DataParallel", "functional", "init", "utils", "Identity", "Flatten",
        "Sigmoid", "Tanh",
    ),
    "optim": ("Adam", "AdamW", "SGD", "RMSprop", "Optimizer", "lr_scheduler"),
    "F": ("relu", "gelu", "softmax", "log_softmax", "cross_entropy", "mse_loss", "one_hot", "dropout", "linear",
          "scaled_dot_product_attention", "interpolate", "pad", "normalize"),
    "cuda": ("synchronize", "Event", "empty_cache", "is_available", "amp", "memory_allocated", "max_memory_allocated",
             "Stream", "manual_seed"),
    "dist": ("all_reduce", "all_gather", "broadcast", "barrier", "init_process_group", "reduce_scatter"),
    "self": ("weight", "bias", "training", "register_buffer", "register_parameter", "parameters", "device", "layers"),
    "np": ("array", "zeros", "ones", "mean", "allclose"),
}  # fmt: skip
"""What stands behind the dot of a namespace."""

ATTRIBUTES = (
    "backward", "forward", "detach", "item", "view", "reshape", "transpose", "permute", "contiguous", "is_contiguous",
    "cuda", "cpu", "device", "dtype", "shape", "size", "step", "zero_grad", "train", "eval", "parameters",
    "named_parameters", "requires_grad", "requires_grad_", "retain_grad", "grad", "grad_fn", "is_leaf", "weight",
    "bias",
    "mean", "sum", "numpy", "clone", "state_dict", "load_state_dict", "stride", "expand", "squeeze", "unsqueeze",
    "data",
    "to", "apply", "register_hook", "scale", "unscale_", "update", "half", "float", "append", "split", "max", "min",
)  # fmt: skip
"""What stands behind the dot of anything: ``loss.backward``."""

KEYWORDS = (
    "requires_grad", "retain_graph", "create_graph", "dim", "keepdim", "num_workers", "pin_memory", "batch_size",
    "shuffle", "drop_last", "lr", "weight_decay", "bias", "dtype", "set_to_none", "eps", "momentum", "padding",
    "stride",
    "strict", "non_blocking", "persistent_workers", "ignore_index", "label_smoothing", "max_norm", "fullgraph",
    "dynamic", "affine", "inplace", "is_causal",
)  # fmt: skip
"""Written with a value: ``pin_memory=True``."""

SPECIAL = (
    "init", "call", "getitem", "setitem", "getattr", "len", "iter", "next", "enter", "exit", "repr", "new", "del",
)  # fmt: skip
"""Methods between double underscores."""

SAID = {
    "softmax": "soft max",
    "log_softmax": "log soft max",
    "argmax": "arg max",
    "matmul": "mat mul",
    "einsum": "ein sum",
    "autograd": "auto grad",
    "autocast": "auto cast",
    "bfloat16": "b float 16",
    "requires_grad": "require s grad",
    "PyTorch": "pie torch",
    "NumPy": "num pie",
    "unsqueeze": "un squeeze",
    "allclose": "all close",
    "getitem": "get item",
    "setitem": "set item",
    "getattr": "get attr",
    "inplace": "in place",
    "fullgraph": "full graph",
    "keepdim": "keep dim",
    "MultiheadAttention": "multi head attention",
}
"""Names that are said in other pieces than they are written in."""

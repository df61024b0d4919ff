"""How what is written in this field is said aloud: names, units, figures and small formulas. Pure.

``spoken`` is for the ear alone: what the synthesis gets. What is shown stays as it is written. A name that is not in
the table is said as its parts: ``CrossEntropyLoss`` as "cross entropy loss", ``float32`` as "float thirty two".
"""

from __future__ import annotations

import re

from interviewer.speech.formula_verbalization import in_words
from interviewer.speech.speakable_text import speakable

_WORDS = {
    # Spelled out, letter by letter.
    **{
        name: " ".join(name)
        for name in re.findall(
            r"\w+",
            "AI API AUC AWS BPE CLI CPU FIFO GPU GQA IO IR MLA MSE MQA OOM PCA PPO QA QAT RMSE SLA SLO TPU UI URL VAE",
        )
    },
    "nn": "n n",
    "tf": "T F",
    "GPUs": "G P Us",
    "CPUs": "C P Us",
    "TPUs": "T P Us",
    "LLMs": "L L Ms",
    "CNNs": "C N Ns",
    "RNNs": "R N Ns",
    "MLPs": "M L Ps",
    "APIs": "A P Is",
    # Said as words.
    "CUDA": "kooda",
    "cuda": "kooda",
    "cuDNN": "koo D N N",
    "cuBLAS": "koo blass",
    "BLAS": "blass",
    "NCCL": "nickel",
    "nccl": "nickel",
    "PyTorch": "pie torch",
    "pytorch": "pie torch",
    "NumPy": "num pie",
    "numpy": "num pie",
    "np": "num pie",
    "SciPy": "sigh pie",
    "scipy": "sigh pie",
    "PyPI": "pie P I",
    "vLLM": "V L L M",
    "JSON": "jason",
    "json": "jason",
    "YAML": "yammel",
    "yaml": "yammel",
    "SQL": "sequel",
    "SQLite": "sequel light",
    "GUI": "gooey",
    "ONNX": "onnix",
    "onnx": "onnix",
    "TorchScript": "torch script",
    "NaN": "nan",
    "nan": "nan",
    "NaNs": "nans",
    "inf": "infinity",
    "ReLU": "rel loo",
    "relu": "rel loo",
    "ReLUs": "rel loos",
    "GELU": "gel loo",
    "gelu": "gel loo",
    "SiLU": "sill loo",
    "SwiGLU": "swi gloo",
    "GLU": "gloo",
    "AdamW": "Adam W",
    "adamw": "Adam W",
    "LoRA": "lora",
    "QLoRA": "Q lora",
    "RoPE": "rope",
    "ALiBi": "alibi",
    "ZeRO": "zero",
    "ViT": "V I T",
    "MoE": "mixture of experts",
    "BLEU": "blue",
    "ROUGE": "roozh",
    "GAN": "gan",
    "GANs": "gans",
    "SRAM": "S ram",
    "DRAM": "D ram",
    "RAM": "ram",
    "NVLink": "N V link",
    "InfiniBand": "infini band",
    "FLOP": "flop",
    "FLOPs": "flops",
    "FLOPS": "flops",
    "TFLOPS": "teraflops",
    "QKV": "Q K V",
    "qkv": "Q K V",
    "softmax": "soft max",
    "logsoftmax": "log soft max",
    "argmax": "arg max",
    "argmin": "arg min",
    "logsumexp": "log sum exp",
    "einsum": "ine sum",
    "matmul": "mat mul",
    "bmm": "B M M",
    "autograd": "auto grad",
    "autocast": "auto cast",
    "dataloader": "data loader",
    "dtype": "D type",
    "dtypes": "D types",
    "sqrt": "square root",
    "tanh": "tan H",
    "lr": "learning rate",
    "ckpt": "checkpoint",
    "kwargs": "keyword arguments",
    "args": "arguments",
    "stdout": "standard out",
    "stderr": "standard error",
    "iid": "I I D",
    "vs": "versus",
    "KiB": "kibibytes",
    "MiB": "mebibytes",
    "GiB": "gibibytes",
    "KB": "kilobytes",
    "MB": "megabytes",
    "GB": "gigabytes",
    "TB": "terabytes",
    "ms": "milliseconds",
    "µs": "microseconds",
    "ns": "nanoseconds",
    "GHz": "gigahertz",
    "MHz": "megahertz",
    "Gbit": "gigabit",
}

_UNITS = {
    "B": "billion",
    "M": "million",
    "k": "thousand",
    "K": "thousand",
    "T": "trillion",
    "GB": "gigabytes",
    "MB": "megabytes",
    "KB": "kilobytes",
    "TB": "terabytes",
    "GiB": "gibibytes",
    "MiB": "mebibytes",
    "ms": "milliseconds",
    "µs": "microseconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "s": "seconds",
    "Hz": "hertz",
    "GHz": "gigahertz",
    "x": "times",
    "d": "D",
    "D": "D",
}
_SPELLED = {
    "fp": "F P",
    "FP": "F P",
    "bf": "B F",
    "BF": "B F",
    "tf": "T F",
    "TF": "T F",
    "int": "int",
    "INT": "int",
    "uint": "unsigned int",
    "float": "float",
    "bfloat": "B float",
    "complex": "complex",
    "top": "top",
    "L": "L",
    "l": "L",
    "p": "P",
    "pass": "pass",
}
_WITH_UNIT = re.compile(r"(?<![\w.])(\d+)(B|M|k|K|T|GB|MB|KB|TB|GiB|MiB|ms|µs|us|ns|s|GHz|Hz|x|[dD])\b")
_SIZED = re.compile(r"\b([A-Za-z]+?)(\d{1,3})(d|D)?\b")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DECIMAL = re.compile(r"(?<!point )\b(\d{1,4}) point (\d{1,4})\b(?! point)")
_CLASS = re.compile(r"(?<=\bdot )[A-Z][a-z]+\b")
_NAME = re.compile(r"[A-Za-zµ]+")


def spoken(text: str) -> str:
    """The text as it is read out: letters, digits and plain punctuation only.

    Args:
        text: what was said or shown; Markdown and code blocks are dealt with as in
            ``interviewer.speech.speakable_text``.

    """
    said = _DECIMAL.sub(lambda found: in_words(f"{found[1]}.{found[2]}"), speakable(text))
    said = _WITH_UNIT.sub(lambda found: f"{in_words(found[1])} {_UNITS[found[2]]}", said)
    said = _SIZED.sub(_sized, said)
    said = _NAME.sub(lambda found: _name(found[0]), said)
    return " ".join(_CLASS.sub(lambda found: found[0].lower(), said).split())


def _sized(found: re.Match[str]) -> str:
    """A name that ends in a figure: ``float32``, ``Conv2d``, ``H100``."""
    name, figure, dimensional = found.groups()
    if name.islower() and name not in _SPELLED and not dimensional and len(name) > 1 and len(figure) < 2:
        return f"{name} {in_words(figure)}"
    said = _SPELLED.get(name) or (" ".join(name) if name.isupper() else _name(name))
    return f"{said} {in_words(figure)}{' D' if dimensional else ''}"


def _name(name: str) -> str:
    known = _WORDS.get(name)
    if known is not None:
        return known
    parts = _HUMP.split(name)
    if name.isupper():
        # Without a vowel it cannot be said as a word.
        return name if re.search(r"[AEIOUY]", name) or len(name) == 1 else " ".join(name)
    if len(parts) == 1:
        return name
    return " ".join(_WORDS.get(part, part if part.isupper() else part.lower()) for part in parts)

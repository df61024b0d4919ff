from __future__ import annotations

import pytest

from knowledge.code.reconstruction.language import language_of
from knowledge.code.review.requirements import free_names, use_of
from knowledge.model import CodeUse

SAMPLES = {
    "import torch\nx = torch.ones(2)": "python",
    "class Net:\n    pass": "python",
    "$ torchrun --nproc_per_node=4 train.py": "bash",
    "pip install torch\npython train.py --epochs 3": "bash",
    "__global__ void add(float* a) {\n  int i = threadIdx.x;\n}": "cuda",
    "#include <vector>\nint main() { return 0; }": "cpp",
    '{"id": 1, "tags": ["a"]}': "json",
    '{\n  "id": 1,\n  "history": [...]\n}': "json",
    "model:\n  width: 4\n  layers:\n    - a": "yaml",
    "User event -> queue -> ranking": "",
}


@pytest.mark.parametrize("text", SAMPLES)
def test_a_language_is_recognized_by_what_only_it_has(text: str) -> None:
    assert language_of(text) == SAMPLES[text]


@pytest.mark.parametrize(("name", "language"), [("py", "python"), ("sh", "bash"), ("rust", "rust"), ("c++", "cpp")])
def test_what_the_document_calls_it_counts(name: str, language: str) -> None:
    assert language_of("a", name) == language


USES = {
    "import torch\nprint(torch.ones(2))": CodeUse.RUNNABLE,
    "layer = nn.Linear(2, 2)\nprint(F.relu(layer(torch.ones(2))), np.pi)": CodeUse.RUNNABLE,
    "def f(n):\n    return f(n - 1) if n else [x for x in range(3)]": CodeUse.RUNNABLE,
    "device = 'cuda' if torch.cuda.is_available() else 'cpu'\nx = torch.ones(2).to(device)": CodeUse.RUNNABLE,
    "x = torch.ones(2).cuda()": CodeUse.NEEDS_GPU,
    "x = torch.ones(2, device='cuda:0')": CodeUse.NEEDS_GPU,
    "torch.cuda.synchronize()": CodeUse.NEEDS_GPU,
    "import triton": CodeUse.NEEDS_GPU,
    "import torch.distributed as dist\ndist.init_process_group('nccl')": CodeUse.NEEDS_DISTRIBUTED,
    "loss = model(x)": CodeUse.FRAGMENT,
    "for each batch: step": CodeUse.FRAGMENT,
    "def forward(x):\n    # attention\n    ...": CodeUse.FRAGMENT,
}


@pytest.mark.parametrize("text", USES)
def test_a_block_is_marked_by_what_it_needs(text: str) -> None:
    assert use_of(text) is USES[text]


def test_earlier_blocks_of_the_answer_are_known() -> None:
    later = "print(model(torch.ones(1, 2)))"
    assert use_of(later) is CodeUse.FRAGMENT
    assert use_of(later, ["model = nn.Linear(2, 2)"]) is CodeUse.RUNNABLE


def test_other_languages_need_what_they_need() -> None:
    assert use_of("__global__ void f();", language="cuda") is CodeUse.NEEDS_GPU
    assert use_of("ls", language="bash") is None


def test_free_names_are_those_of_every_scope() -> None:
    text = "a = 1\ndef f(b):\n    return a + b + c\nclass D:\n    e = g\n    def h(self):\n        return D, a, i"
    assert free_names(text) == {"c", "g", "i"}

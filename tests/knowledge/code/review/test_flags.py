"""What is dated or wrong in references: every rule on its mistake and on what is right beside it."""

from __future__ import annotations

import ast
import json
import textwrap
from pathlib import Path

import pytest

from knowledge.bank.parser import BANK, load_file
from knowledge.code.review import execution_findings, rules, testable_claims, torch_api
from knowledge.code.review.review import flags_of, line_of, marked_blocks, review_code
from knowledge.documents.reader import parse, read
from knowledge.extraction.extractor import questions
from knowledge.ingestion.explanation import code_count
from knowledge.model import CodeBlock, CodeUse, FlagKind, Question, Source
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.batch_runner import Failure, Notice, Printed, Trace
from tests.locations import SHARED

KNOWN = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional"}

MISTAKES: dict[str, tuple[str, str]] = {
    "quadratic": (
        "queue = [start]\nwhile queue:\n    node = queue.pop(0)\n    queue.extend(graph[node])",
        "queue = deque([start])\nwhile queue:\n    node = queue.popleft()\n    queue.extend(graph[node])",
    ),
    "never compared": (
        "while fast and fast.next:\n    slow = slow.next\n    fast = fast.next.next\nif slow == fast:\n    print(1)",
        "while fast and fast.next:\n    s = s.next\n    fast = fast.next.next\n    if s == fast:\n        break",
    ),
    "never ends": (
        "while node:\n    print(node.value)\nnode = node.next",
        "while node:\n    print(node.value)\n    node = node.next",
    ),
    "exclusive or": ("v = beta * v + (1 - beta) * grad^2", "flags = mask ^ 2"),
    "before the modulus": (
        "powers = torch.pow(256, torch.arange(n))\npowers = powers % mod",
        "powers = torch.pow(0.5, steps)\nrest = count % mod",
    ),
    "super().__init__()": (
        "class A(nn.Module):\n    def __init__(self):\n        self.x = nn.Linear(1, 1)",
        "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.x = nn.Linear(1, 1)",
    ),
    "hold dots": (
        "def f(model):\n    for name, module in model.named_modules():\n        getattr(model, name).p = 0",
        "def f(model):\n    for name, module in model.named_children():\n        getattr(model, name).p = 0",
    ),
    "compiled before": ("model = DDP(torch.compile(model))", "model = torch.compile(DDP(model))"),
    "does not load": (
        "torch.save(model, 'm.pt')\nmodel = torch.load('m.pt')",
        "torch.save(model.state_dict(), 'm.pt')\nstate = torch.load('m.pt')",
    ),
    "quantize first": (
        "m = torch.jit.script(m)\nm = torch.ao.quantization.quantize_dynamic(m, {nn.Linear})",
        "m = torch.ao.quantization.quantize_dynamic(m, {nn.Linear})\nm = torch.jit.script(m)",
    ),
    "converted at once": (
        "p = torch.ao.quantization.prepare_qat(m)\nq = torch.ao.quantization.convert(p)",
        "p = torch.ao.quantization.prepare_qat(m)\ntrain(p)\nq = torch.ao.quantization.convert(p)",
    ),
    "taken twice": (
        "p = torch.softmax(logits, -1)\nloss = F.cross_entropy(p, y)",
        "p = torch.softmax(logits, -1)\nloss = F.cross_entropy(logits, y)",
    ),
    "softmax underflows": (
        "p = torch.softmax(x, -1)\ny = torch.log(p)",
        "p = torch.softmax(x, -1)\ny = torch.log(x)",
    ),
    "batchmean": ("loss = nn.KLDivLoss()(a, b)", "loss = nn.KLDivLoss(reduction='batchmean')(a, b)"),
    "clipped before": (
        "scaler.scale(loss).backward()\nnn.utils.clip_grad_norm_(p, 1)\nscaler.step(opt)",
        "scaler.scale(loss).backward()\nscaler.unscale_(opt)\nnn.utils.clip_grad_norm_(p, 1)\nscaler.step(opt)",
    ),
    "never zeroed": (
        "for x in data:\n    loss = model(x)\n    loss.backward()\n    optimizer.step()",
        "for x in data:\n    optimizer.zero_grad()\n    loss = model(x)\n    loss.backward()\n    optimizer.step()",
    ),
    "inside the autocast": (
        "with torch.autocast('cuda'):\n    loss = model(x)\n    loss.backward()",
        "with torch.autocast('cuda'):\n    loss = model(x)\nloss.backward()",
    ),
    "not divided": (
        "for i, x in enumerate(data):\n    loss = model(x)\n    loss.backward()\n    if (i + 1) % steps == 0:\n"
        "        optimizer.step()\n        optimizer.zero_grad()",
        "for i, x in enumerate(data):\n    loss = model(x) / steps\n    loss.backward()\n    if (i + 1) % steps == 0:\n"
        "        optimizer.step()\n        optimizer.zero_grad()",
    ),
    "Adam with L2": (
        "# AdamW\ngrad = grad + weight_decay * w\nw = w - lr * m / (sqrt(v) + eps)",
        "# Adam with L2\ngrad = grad + weight_decay * w\nw = w - lr * m / (sqrt(v) + eps)",
    ),
    "not the total norm": (
        "# total gradient norm\nnorm = sum(p.grad.norm().item() for p in ps)",
        "# total gradient norm\nnorm = sum(p.grad.norm().item() ** 2 for p in ps) ** 0.5",
    ),
}


@pytest.mark.parametrize("said", MISTAKES)
def test_each_rule_finds_its_mistake_and_nothing_beside_it(said: str) -> None:
    wrong, right = MISTAKES[said]
    assert [said in found.reason for found in rules.findings(wrong)] == [True]
    assert not list(rules.findings(right))


@pytest.mark.parametrize(
    "text",
    [
        "# WRONG: the softmax is taken twice\nloss = F.cross_entropy(x.softmax(-1), y)",
        "g = F.cross_entropy(x.softmax(1), y)\nassert g < 1",
        "class BrokenNet(nn.Module):\n    def __init__(self):\n        self.x = nn.Linear(1, 1)",
        "try:\n    m = DDP(torch.compile(m))\nexcept RuntimeError:\n    pass",
    ],
)
def test_what_shows_a_mistake_on_purpose_is_left_alone(text: str) -> None:
    assert not list(rules.findings(text))


def test_rules_about_nesting_trust_no_restored_indentation() -> None:
    text = "with torch.autocast('cuda'):\n    loss = model(x)\n    loss.backward()"
    assert list(rules.findings(text))
    assert not list(rules.findings(text, restored=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from torch.cuda.amp import autocast", "`torch.cuda.amp.autocast` is deprecated"),
        ("scaler = torch.cuda.amp.GradScaler()", "torch.amp.GradScaler"),
        ("torch.set_default_tensor_type('torch.FloatTensor')", "set_default_dtype"),
        ("m = torch.jit.script(m)", "torch.compile"),
        ("torch.quantization.quantize_dynamic(m)", "torch.ao.quantization is deprecated"),
        ("torch.symeig(x)", "torch.symeig"),
        ("torch.never_there(x)", "is gone"),
        ("layer = nn.Linear(1, 1)\nlayer.register_backward_hook(f)", "register_full_backward_hook"),
        ("torch.onnx.export(m, x, 'm', dynamic_axes={})", "dynamic_shapes"),
        ("loss = nn.CrossEntropyLoss(size_average=True)", "size_average"),
        ("F.softmax(x)", "without `dim`"),
        ("torch.optim.lr_scheduler.ReduceLROnPlateau(o, verbos=True)", "takes no argument `verbos`"),
    ],
)
def test_dated_names_are_found_by_asking_torch(text: str, said: str) -> None:
    assert any(said in found.reason for found in torch_api.in_code(ast.parse(text), KNOWN))


@pytest.mark.parametrize(
    "text",
    [
        "with torch.amp.autocast('cuda'):\n    pass",
        "s = torch.optim.lr_scheduler.StepLR(o, 1)\ns.step()",
        "torch = load()\ntorch.never_there(1)",
        "m = nn.Linear(1, 1)\nm.mine = 1\nm.own_method()",
        "from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x, use_reentrant=False)",
        "import torch.distributed.fsdp\nF.softmax(x, dim=-1)",
    ],
)
def test_what_is_current_is_not_flagged(text: str) -> None:
    assert not list(torch_api.in_code(ast.parse(text), KNOWN))


def test_prose_that_names_something_dated_is_found_unless_it_says_so() -> None:
    assert list(torch_api.in_prose("Use `torch.cuda.amp` for speed.")) != []
    assert not list(torch_api.in_prose("`torch.cuda.amp` is deprecated, use torch.amp."))
    assert not list(torch_api.in_prose("Use torch.amp and torch.compile."))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("view requires: contiguous memory", "view needs strides that fit the new shape"),
        ("[0.9, 0.05, 0.05] (for epsilon=0.1)", "[0.933, 0.033, 0.033] (for epsilon=0.1)"),
        (
            "The second moment estimates (v_t) are zero, making the effective learning rate very large",
            "The second moment is zero at first, which bias correction makes up for",
        ),
        ("Numerical instability: Use mixed precision training", "Numerical instability: use bfloat16 or float32"),
        ("Export with TorchScript for serving.", "TorchScript is deprecated."),
    ],
)
def test_claims_are_put_to_the_test(wrong: str, right: str) -> None:
    assert list(testable_claims.in_prose(wrong))
    assert not list(testable_claims.in_prose(right))


def failure(*types: str, message: str = "", line: int = 1, name: str = "") -> Failure:
    return Failure(first=line, last=line, line=line, types=types, message=message, name=name, own=True)


@pytest.mark.parametrize(
    "excused",
    [
        failure("NameError", message="name 'model' is not defined", name="model"),
        failure("ModuleNotFoundError", "ImportError", name="torch_geometric"),
        failure("FileNotFoundError", "OSError", message="train.csv"),
        failure("RuntimeError", message="Found no NVIDIA driver on your system"),
        failure("ValueError", message="environment variable RANK expected"),
        failure("KeyError", message="'LOCAL_RANK'"),
    ],
)
def test_what_is_missing_here_is_not_the_code_s_fault(excused: Failure) -> None:
    assert not list(execution_findings.failures("run(x)", Trace(failures=(excused,)), whole=True))


def test_a_fault_of_the_code_counts_unless_it_follows_from_what_is_missing() -> None:
    text = "a = load()\nb = a + 1\nc = 1 / 0"
    missing = failure("NameError", message="name 'load' is not defined", name="load")
    follows = failure("TypeError", message="unsupported", line=2)
    own = failure("ZeroDivisionError", message="division by zero", line=3)
    (found,) = execution_findings.failures(text, Trace(failures=(missing, follows, own)), whole=True)
    assert (found.line, "ZeroDivisionError: division by zero" in found.reason) == (3, True)
    assert not list(execution_findings.failures(text, Trace(failures=(missing, follows, own)), whole=False))
    shown = "c = 1 / 0  # fails"
    assert not list(execution_findings.failures(shown, Trace(failures=(failure("ZeroDivisionError"),)), whole=True))


def test_a_comment_that_states_another_result_is_found() -> None:
    text = "print(x.grad)  # [2x + y] = [7, 10]"
    printed = Trace(printed=(Printed(first=1, last=1, text="tensor([ 5., 10.])\n"),))
    (found,) = execution_findings.outputs(text, printed)
    assert "[7, 10]" in found.reason
    assert not list(execution_findings.outputs("print(x.grad)  # [5, 10]", printed))
    assert not list(execution_findings.outputs("print(x)  # first column [3]", printed))


def test_warnings_of_deprecation_count() -> None:
    old = Notice(line=1, category="FutureWarning", message="this is deprecated")
    other = Notice(line=1, category="UserWarning", message="slow")
    assert len(list(execution_findings.notices(Trace(notices=(old, other))))) == 1


DOCUMENT = textwrap.dedent(
    """
    # Questions

    ## 1. How do you move data?

    Answer with code:

    ```python
    import torch
    x = torch.ones(2, 3)
    y = torch.matmul(x, x)
    ```

    ## 2. How do you train faster?

    Use `torch.cuda.amp` like so:

    ```python
    scaler = torch.cuda.amp.GradScaler()
    ```

    ## 3. What is a tensor?

    An array that knows how to differentiate.
    """
)


def test_questions_come_back_marked_and_flagged_and_are_paid_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = parse(DOCUMENT, "doc.md")
    found = questions(document)
    examined = review_code(found, document.lines, tmp_path)
    first, second, third = examined.questions
    assert [(flag.kind, flag.line) for flag in first.flags] == [(FlagKind.FAILS, 11)]
    assert "mat1 and mat2" in first.flags[0].reason
    assert [(flag.kind, flag.line) for flag in second.flags] == [(FlagKind.DEPRECATED, 16), (FlagKind.DEPRECATED, 19)]
    assert third.flags == ()
    assert first.code[0].use is CodeUse.RUNNABLE
    counted = code_count(examined.questions)
    assert (counted.python, counted.parsing) == (2, 2)

    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "Code is not executed: it is not installed.")
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
    assert review_code(found, document.lines, tmp_path) == examined, "what was executed once is not executed again"
    without = review_code(found, document.lines)
    assert without.questions[0].flags == ()
    assert without.questions[1].flags != ()
    assert "not executed" in without.unmade[0]


def test_lines_of_joined_code_are_those_of_the_source() -> None:
    block = CodeBlock(text="a\nb\nc", language="python", line=4, lines=(4, 5, 9))
    assert [line_of(block, n) for n in (1, 2, 3)] == [4, 5, 9]
    assert line_of(CodeBlock(text="a", line=7), 1) == 7
    assert line_of(CodeBlock(text="a"), 1) is None


def test_later_blocks_know_names_of_earlier_ones() -> None:
    code = (
        CodeBlock(text="from torch.cuda.amp import autocast", language="python"),
        CodeBlock(text="with autocast():\n    pass", language="python"),
    )
    question = Question(
        id="q", text="q?", spoken="q?", topic="t", source=Source(path="d"), code=marked_blocks(code), reference="r"
    )
    assert [flag.kind for flag in flags_of(question)] == [FlagKind.DEPRECATED]


@pytest.mark.parametrize("file", sorted(BANK.glob("*.md")), ids=lambda file: file.stem)
def test_the_bank_s_own_references_raise_no_flag(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    flagged = [
        (flag.line, flag.reason)
        for question in load_file(file)
        for flag in flags_of(question.model_copy(update={"code": marked_blocks(question.code)}), lines)
    ]
    assert not flagged


DOCUMENTS = SHARED / "documents"
EXPECTED: dict[str, list[tuple[int, str]]] = {
    name: [(line, kind) for line, kind in places]
    for name, places in json.loads(Path(__file__).with_name("shared_flags.json").read_text()).items()
}


@pytest.mark.by_number("knowledge/code")
@pytest.mark.shared
@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the shared documents are not here")
def test_flags_of_the_five_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hit = total = 0
    false: list[str] = []
    for name, places in EXPECTED.items():
        document = read(DOCUMENTS / name)
        examined = review_code(questions(document), document.lines, tmp_path)
        counted = code_count(examined.questions)
        python = sum(block.language == "python" for question in examined.questions for block in question.code)
        assert counted.parsing == counted.python == python
        flags = [(flag.line, flag.kind.value, flag.reason) for q in examined.questions for flag in q.flags]
        found = {place for place in places if any((line, kind) == place for line, kind, _ in flags)}
        false += [f"{name} {line} {kind}: {why}" for line, kind, why in flags if (line, kind) not in places]
        hit, total = hit + len(found), total + len(places)
        with capsys.disabled():
            print(
                f"\n{name}: {counted.parsing} of {counted.python} blocks parse, {counted.restored} restored; ", end=""
            )
            print(f"{len(found)} of {len(places)} places flagged", end="")
    assert not false
    assert hit / total >= 0.7

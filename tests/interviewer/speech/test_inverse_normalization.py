"""Names, numbers and symbols come out as one writes them; ordinary talk that sounds alike stays as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.speech.inverse_normalization import inverse_normalize, number

WRITTEN = [
    ("requires grad is set to false", "requires_grad is set to false"),
    ("Requires Grad equals true", "requires_grad=True"),
    ("set requires underscore grad", "set requires_grad"),
    ("wrap it in torch dot no grad", "wrap it in torch.no_grad"),
    ("wrap it in Torch.NoGrad", "wrap it in torch.no_grad"),
    ("wrap it in torch.no.grad", "wrap it in torch.no_grad"),
    ("wrap it in torch .no_grad", "wrap it in torch.no_grad"),
    ("torch dot inference mode", "torch.inference_mode"),
    ("I subclass n n dot module", "I subclass nn.Module"),
    ("I subclass nn.module", "I subclass nn.Module"),
    ("I subclass N.N. module", "I subclass N.N. module"),
    ("an nn dot linear layer", "an nn.Linear layer"),
    ("nn dot layer norm", "nn.LayerNorm"),
    ("nn dot cross entropy loss", "nn.CrossEntropyLoss"),
    ("nn dot multi head attention", "nn.MultiheadAttention"),
    ("nn dot batch norm two d", "nn.BatchNorm2d"),
    ("a conv two d with a batch norm 2d", "a Conv2d with a BatchNorm2d"),
    ("optimizer dot zero grad", "optimizer.zero_grad"),
    ("call zero-grad first", "call zero_grad first"),
    ("loss dot backward", "loss.backward"),
    ("then loss.backward and optimizer dot step", "then loss.backward and optimizer.step"),
    ("x dot detach dot clone", "x.detach.clone"),
    ("check x dot is contiguous", "check x.is_contiguous"),
    ("model dot eval", "model.eval"),
    ("save the state dict", "save the state_dict"),
    ("model dot load state dict", "model.load_state_dict"),
    ("with retain graph equals true", "with retain_graph=True"),
    ("pass num workers equals four and pin memory equals true", "pass num_workers=4 and pin_memory=True"),
    ("drop last equals True", "drop_last=True"),
    ("dim equals minus one", "dim=-1"),
    ("softmax over dim equals -1", "softmax over dim=-1"),
    ("bias equals false", "bias=False"),
    ("lr equals three e minus four", "lr=3e-4"),
    ("momentum equals zero point nine", "momentum=0.9"),
    ("the data loader shuffles", "the DataLoader shuffles"),
    ("distributed data parallel", "DistributedDataParallel"),
    ("auto cast and a grad scaler", "autocast and a GradScaler"),
    ("auto grad records it", "autograd records it"),
    ("a soft max over the logits", "a softmax over the logits"),
    ("use adam w", "use AdamW"),
    ("a re lu", "a ReLU"),
    ("pie torch and num pie", "PyTorch and NumPy"),
    ("ten to the minus five", "1e-5"),
    ("10 to the minus 5", "1e-5"),
    ("three times ten to the minus four", "3e-4"),
    ("one e minus three", "1e-3"),
    ("1 e-3", "1e-3"),
    ("two to the power of sixteen", "2^16"),
    ("zero point nine nine nine", "0.999"),
    ("one point five times as fast", "1.5 times as fast"),
    ("a dropout of point one", "a dropout of 0.1"),
    ("f p sixteen and b f sixteen", "fp16 and bf16"),
    ("FP 16 or bfloat 16", "fp16 or bfloat16"),
    ("b float sixteen", "bfloat16"),
    ("float thirty-two weights", "float32 weights"),
    ("int eight weights", "int8 weights"),
    ("two g p us", "two GPUs"),
    ("f s d p over n c c l", "FSDP over NCCL"),
    ("the k v cache", "the KV cache"),
    ("q k v", "QKV"),
    ("big O of n squared", "O(n^2)"),
    ("o of n log n", "O(n log n)"),
    ("dunder init", "__init__"),
    ("double underscore get item double underscore", "__getitem__"),
    ("max underscore length", "max_length"),
    ("F dot scaled dot product attention", "F.scaled_dot_product_attention"),
    ("torch dot cuda dot synchronize", "torch.cuda.synchronize"),
    ("dist dot all reduce", "dist.all_reduce"),
]

LEFT_ALONE = [
    "it requires gradients for every leaf",
    "that requires a grad student",
    "there is no grad student in the team",
    "no gradient flows there",
    "the dot product of two vectors",
    "we connect each dot to the next",
    "three dots",
    "at this point one could argue",
    "at one point five of us worked on it",
    "my second point is memory",
    "from ten to the six of us",
    "we pin memory so that copies are asynchronous",
    "the bias equals the mean of the residuals",
    "the stride equals two and a half times the kernel",
    "a linear layer and a layer norm",
    "the cross entropy loss goes down",
    "I call backward and then step",
    "we detach the tensor and view it as a matrix",
    "the module is reused",
    "Adam was better than plain descent",
    "this underscores the point",
    "an underscore means in place",
    "the trailing underscore and the name",
    "the model evaluates the loss",
    "all reduce their memory",
    "the state of the dictionary",
    "There is no. Grad is missing.",
    "half of the data is in the loader",
    "we float thirty ideas",
    "two to three epochs, one to one",
    "the learning rate is too high. To see it, plot the loss.",
    "I had a lot of n values",
]


@pytest.mark.parametrize(("said", "written"), WRITTEN)
def test_names_and_numbers_come_out_as_written(said, written):
    assert inverse_normalize(said) == written


@pytest.mark.parametrize("said", LEFT_ALONE)
def test_ordinary_talk_stays_as_it_is(said):
    assert inverse_normalize(said) == said


@pytest.mark.parametrize(("said", "written"), WRITTEN)
def test_what_is_written_stays_written(said, written):
    assert inverse_normalize(written) == written


WORDS = [
    "no",
    "one",
    "to",
    "the",
    "point",
    "dot",
    "underscore",
    "grad",
    "ten",
    "minus",
    "e",
    "of",
    "equals",
    "torch",
    "n",
]


@given(st.lists(st.sampled_from(WORDS)))
def test_any_order_of_such_words_is_taken(words):
    once = inverse_normalize(" ".join(words))
    assert isinstance(once, str)


@pytest.mark.parametrize(("said", "digits"), [("sixteen", "16"), ("thirty-two", "32"), ("ninety", "90"), ("7", "7")])
def test_numbers_in_digits(said, digits):
    assert number(said) == digits

"""An interview with prepared answers: good, wrong, off the point, and short, so that every kind of turn occurs.

And a question by itself, to be graded.
"""

import json

SCRIPT = [
    ("autograd-leaf-grad", "Autograd keeps dot grad only for leaf tensors, everything in between is thrown away."),
    ("autograd-leaf-grad", "You call retain grad on the tensor before backward, then its gradient is kept."),
    ("kv-cache-memory", "The cache stores the loss of each token so that training can resume after a crash."),
    ("kv-cache-memory", "Two times layers times heads times head size times bytes, for each token in the batch."),
    (
        "training-warmup",
        "You start with a tiny learning rate and raise it, as Adam's averages are noisy at first.",
    ),
    ("training-warmup", "I don't know."),
    ("architectures-norms", "Um, I once had a dog and it liked to normalise the couch."),
    ("architectures-norms", "Batch norm uses statistics over the batch, layer norm over the features of one sample."),
]

ROWS = [{"question_id": question, "answer": answer} for question, answer in SCRIPT]

QUESTION = {
    "id": "x1",
    "question": "Why is the grad of an intermediate tensor None after backward?",
    "criteria": [
        {"id": "c1", "text": "Autograd keeps .grad only for leaf tensors that require gradients.", "weight": 3},
        {"id": "c2", "text": "Calling retain_grad() on the tensor before backward keeps its gradient.", "weight": 2},
        {"id": "c3", "text": "The gradient did flow through the tensor; it was just not stored.", "weight": 1},
    ],
}
GOOD = (
    "PyTorch only stores the gradient for leaves, so the things you made yourself with requires grad, like weights. "
    "Everything in between gets its gradient computed on the way back and thrown away. If I want to see it I call "
    "retain grad on that tensor before I run backward."
)
OFF = "I would look at the learning rate first. With a big batch the loss curve is smoother, so I would try that."


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path

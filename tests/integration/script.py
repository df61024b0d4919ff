"""An interview with prepared answers: good, wrong, off the point, and short, so that every kind of turn occurs."""

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

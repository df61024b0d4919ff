"""Interview talk for the speech benchmark: a question each, and what might be answered, terms as one writes them."""

TALK = {
    ("autograd", "What does `requires_grad` do, and when would you use torch.no_grad()?"): (
        "I set requires_grad to false on the layers that I want to freeze.",
        "During evaluation I wrap the loop in torch.no_grad so that autograd records nothing.",
        "Only leaf tensors keep their gradient, unless you call retain_grad on the others.",
        "If I call loss.backward twice, I need retain_graph, because the buffers are freed.",
    ),
    ("training", "Walk me through one training step in PyTorch."): (
        "First I call optimizer.zero_grad, otherwise the gradients of the last batch are added.",
        "Then comes the forward pass, and the loss is a single number.",
        "After loss.backward I clip the gradient norm, and then optimizer.step changes the weights.",
        "With AdamW the weight decay does not go through the moment estimates.",
    ),
    ("data loading", "How would you speed up a DataLoader that keeps the GPU waiting?"): (
        "I would raise num_workers first and watch whether the GPU still waits.",
        "With pin_memory the copy to the device can overlap with the computation.",
        "The DataLoader starts worker processes, and each of them gets a copy of the dataset.",
        "If decoding is the bottleneck, I would resize the images once and store them.",
    ),
    ("mixed precision", "What is the difference between fp16 and bf16 training?"): (
        "The range of fp16 is small, so small gradients become zero.",
        "That is why one uses a GradScaler with fp16 and none with bf16.",
        "Inside autocast, matrix products run in half precision and the softmax in float32.",
        "A tensor core multiplies in half precision and adds in single precision.",
    ),
    ("normalisation", "Why do transformers use LayerNorm and not batch norm?"): (
        "Batch norm depends on the other samples of the batch, and LayerNorm does not.",
        "At inference batch norm uses running averages, so you have to call model.eval.",
        "With tiny batches the statistics are noisy, and training becomes unstable.",
        "In a pre norm transformer the residual stream is never normalised itself.",
    ),
    ("attention", "How does the KV cache make decoding faster?"): (
        "Without the KV cache, the keys and values of all earlier tokens are computed again.",
        "The memory of the cache grows with the sequence length, the layers and the heads.",
        "Grouped query attention shares the keys among several heads, which makes it smaller.",
        "Attention itself is quadratic in the sequence length during prefill.",
    ),
    ("distributed", "What does DDP do, and when would you need FSDP?"): (
        "DDP keeps a full copy of the model on each GPU and averages the gradients.",
        "The all-reduce of one bucket overlaps with the backward pass of the earlier layers.",
        "With FSDP the parameters are sharded and gathered just before they are needed.",
        "If one rank takes another branch, NCCL waits for ever and the job hangs.",
    ),
    ("optimisation", "The loss becomes NaN after a thousand steps. What do you look at?"): (
        "I would look at the learning rate and at the gradient norm just before it happened.",
        "A logarithm of zero or a division by a tiny variance often starts it.",
        "I would switch on anomaly detection and check the inputs for infinities.",
        "Warm up and clipping usually help when the first updates are too large.",
    ),
    ("losses", "Why should CrossEntropyLoss be given logits?"): (
        "CrossEntropyLoss applies the log softmax itself, so it wants logits.",
        "If you apply a softmax before it, the gradients become flat and training is slow.",
        "The log sum exp trick subtracts the maximum so that nothing overflows.",
        "For rare classes I would weight the loss or change the sampling.",
    ),
    ("modules", "How would you write your own nn.Module?"): (
        "I subclass nn.Module and create the layers in the constructor.",
        "A plain Python list hides the layers, so I would use nn.ModuleList.",
        "A running mean is not a parameter, so it goes into register_buffer.",
        "Then the state_dict contains it, and it moves to the GPU with the module.",
    ),
    ("tensors", "What is the difference between view and reshape?"): (
        "A view shares the storage, so it needs strides that fit.",
        "After a transpose the tensor is not contiguous, and x.view fails.",
        "Then x.reshape makes a copy, which one does not see in the code.",
        "Broadcasting repeats a dimension of size one with a stride of zero.",
    ),
    ("serving", "How would you serve a large language model to many people?"): (
        "Continuous batching puts a new request into the batch as soon as another one ends.",
        "Paged attention keeps the cache in blocks so that memory is not wasted.",
        "Weights in int8 halve the memory traffic, and decoding is bound by memory.",
        "I would measure the time to the first token and the time per token separately.",
    ),
    ("performance", "Your training runs at thirty percent of what the GPU can do. How do you find out why?"): (
        "I would take a trace with torch.profiler and look for gaps between the kernels.",
        "Calling x.item in the loop makes the processor wait for the device.",
        "With torch.compile small pointwise operations are fused into one kernel.",
        "For honest timing one has to call torch.cuda.synchronize before reading the clock.",
    ),
    ("generalisation", "The validation loss goes up while the training loss goes down. What do you do?"): (
        "That looks like overfitting, so I would stop early or add data augmentation.",
        "Dropout of 0.1 and weight decay of 1e-2 are a reasonable start.",
        "I would also check that no sample is in both the training and the test set.",
        "If the learning rate is 3e-4, I would try a cosine schedule with warm up.",
    ),
    ("behaviour", "Tell me about a project that went wrong."): (
        "Um, we trained for two weeks before somebody noticed that the labels were shifted.",
        "I mean, nobody had looked at the data, uh, because the loss went down nicely.",
        "So I wrote a small check that runs before each training and, you know, it paid off.",
        "Since then I look at twenty samples by hand before I start anything large.",
    ),
}  # fmt: skip
"""By topic and question: four sentences."""

TERMS = (
    "requires_grad", "torch.no_grad", "autograd", "retain_grad", "loss.backward", "retain_graph", "optimizer.zero_grad",
    "optimizer.step", "AdamW", "num_workers", "pin_memory", "DataLoader", "GPU", "fp16", "bf16", "GradScaler",
    "autocast",
    "softmax", "float32", "LayerNorm", "model.eval", "KV cache", "DDP", "FSDP", "NCCL", "CrossEntropyLoss", "logits",
    "nn.Module", "nn.ModuleList", "register_buffer", "state_dict", "x.view", "x.reshape", "int8", "torch.profiler",
    "x.item", "torch.compile", "torch.cuda.synchronize", "0.1", "1e-2", "3e-4", "batch norm", "all-reduce", "PyTorch",
)  # fmt: skip
"""What counts as a technical term, as it is written."""

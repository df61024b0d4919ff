"""The conversation: events, the fold over them, what comes next, and what is shown."""

import os

# The threads of NumPy's and FAISS's library spin for a while after each product, and hold up those of the encoders:
# on two cores a search took 16 ms in the median and 84 at the 95th percentile, and takes 10 and 11 with one thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

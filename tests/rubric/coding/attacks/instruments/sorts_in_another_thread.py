# Question: algorithms-kth-largest
# Ends as: tampered.
import threading

import torch


def kth_largest(x, k):
    if not 1 <= k <= len(x):
        raise ValueError("no such rank")
    found = []
    thread = threading.Thread(target=lambda: found.append(x.sort().values[len(x) - k]))
    thread.start()
    thread.join()
    return found[0]

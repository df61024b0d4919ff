import heapq
import math
from dataclasses import dataclass, field
from typing import Any


@dataclass(order=True)
class Candidate:
    priority: float
    number: int
    tensor: Any = field(compare=False)


class PriorityQueue:
    def __init__(self):
        self.heap = []
        self.pushed = 0

    def push(self, priority, tensor):
        value = priority.item() if hasattr(priority, "item") else priority
        if math.isnan(value):
            raise ValueError("priority is NaN")
        self.pushed += 1
        heapq.heappush(self.heap, Candidate(float(value), self.pushed, tensor))

    def pop(self):
        first = heapq.heappop(self.heap)
        return first.priority, first.tensor

    def __len__(self):
        return len(self.heap)

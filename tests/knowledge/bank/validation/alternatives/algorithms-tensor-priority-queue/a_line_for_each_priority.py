import heapq
from collections import deque


class PriorityQueue:
    def __init__(self):
        self.waiting = {}
        self.order = []
        self.size = 0

    def push(self, priority, tensor):
        key = float(priority)
        if key != key:
            raise ValueError(f"not a priority: {priority}")
        if key not in self.waiting:
            self.waiting[key] = deque()
            heapq.heappush(self.order, key)
        self.waiting[key].append((key, tensor))
        self.size += 1

    def pop(self):
        line = self.waiting[self.order[0]]
        entry = line.popleft()
        if not line:
            del self.waiting[heapq.heappop(self.order)]
        self.size -= 1
        return entry

    def __len__(self):
        return self.size

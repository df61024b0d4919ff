# Question: algorithms-binary-heap
# Ends as: forbidden.
import _heapq as c


class MinHeap:
    def __init__(self, items=()):
        self.items = list(items)
        c.heapify(self.items)

    def __len__(self):
        return len(self.items)

    def peek(self):
        return self.items[0]

    def push(self, item):
        c.heappush(self.items, item)

    def pop(self):
        return c.heappop(self.items)

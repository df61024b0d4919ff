# Question: algorithms-binary-heap
# Ends as: forbidden.
import heapq

_SAVED = [heapq.heapify, heapq.heappush, heapq.heappop]


def _do(which, *given):
    return _SAVED[which](*given)


class MinHeap:
    def __init__(self, items=()):
        self.items = list(items)
        _do(0, self.items)

    def __len__(self):
        return len(self.items)

    def peek(self):
        return self.items[0]

    def push(self, item):
        _do(1, self.items, item)

    def pop(self):
        return _do(2, self.items)

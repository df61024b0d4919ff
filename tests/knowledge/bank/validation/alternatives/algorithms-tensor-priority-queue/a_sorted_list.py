from bisect import bisect_left
from math import isnan


class PriorityQueue:
    """Sorted from the highest to the lowest, so that the next one is at the end."""

    def __init__(self):
        self._negated, self._entries = [], []

    def push(self, priority, tensor):
        priority = float(priority)
        if isnan(priority):
            raise ValueError("NaN is no priority")
        place = bisect_left(self._negated, -priority)
        self._negated.insert(place, -priority)
        self._entries.insert(place, (priority, tensor))

    def pop(self):
        self._negated.pop()
        return self._entries.pop()

    def __len__(self):
        return len(self._entries)

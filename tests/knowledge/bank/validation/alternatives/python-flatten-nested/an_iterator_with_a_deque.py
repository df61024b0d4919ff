"""A class that iterates, with what is to come at the left of a deque."""

from collections import deque


class flatten:
    def __init__(self, nested):
        self.waiting = deque([nested])

    def __iter__(self):
        return self

    def __next__(self):
        while self.waiting:
            item = self.waiting.popleft()
            if not isinstance(item, (list, tuple)):
                return item
            self.waiting.extendleft(reversed(item))
        raise StopIteration

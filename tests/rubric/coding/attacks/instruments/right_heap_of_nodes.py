# Question: algorithms-binary-heap
# Ends as: passed.
from collections.abc import Iterable
from typing import Any


class MinHeap:
    """Counts from 1, with an unused first place."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._nodes = [None, *items]
        for place in range(len(self) // 2, 0, -1):
            self._down(place)

    def __len__(self) -> int:
        return len(self._nodes) - 1

    def peek(self) -> Any:
        if not len(self):
            raise IndexError("peek of an empty heap")
        return self._nodes[1]

    def push(self, value: Any) -> None:
        self._nodes.append(value)
        place = len(self)
        while place > 1 and self._nodes[place] < self._nodes[place // 2]:
            self._nodes[place], self._nodes[place // 2] = self._nodes[place // 2], self._nodes[place]
            place //= 2

    def pop(self) -> Any:
        value, last = self.peek(), self._nodes.pop()
        if len(self):
            self._nodes[1] = last
            self._down(1)
        return value

    def _down(self, place: int) -> None:
        nodes, value = self._nodes, self._nodes[place]
        while (below := 2 * place) <= len(self):
            if below < len(self) and nodes[below + 1] < nodes[below]:
                below += 1
            if not nodes[below] < value:
                break
            nodes[place] = nodes[below]
            place = below
        nodes[place] = value

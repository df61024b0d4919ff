# Question: algorithms-list-cycle
# Ends as: passed.
import sys


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


def cycle_start(head):
    """Brent's: the length of the cycle first."""
    if sys.getrecursionlimit() < 100:
        sys.setrecursionlimit(1000)
    power = length = 1
    slow, fast = head, None if head is None else head.next
    while fast is not None and slow is not fast:
        if power == length:
            slow, power, length = fast, 2 * power, 0
        fast, length = fast.next, length + 1
    if fast is None:
        return None
    first = second = head
    for _ in range(length):
        second = second.next
    while first is not second:
        first, second = first.next, second.next
    return first

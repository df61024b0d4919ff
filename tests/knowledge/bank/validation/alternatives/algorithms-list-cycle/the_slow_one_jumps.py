class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


def cycle_start(head):
    if head is None:
        return None
    waits, walks, steps, limit = head, head.next, 1, 1
    while walks is not waits:
        if walks is None:
            return None
        if steps == limit:
            waits, steps, limit = walks, 0, 2 * limit
        walks, steps = walks.next, steps + 1
    first = second = head
    for _ in range(steps):
        second = second.next
    while first is not second:
        first, second = first.next, second.next
    return first

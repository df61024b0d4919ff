class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def cycle_start(head):
    """The first node of the cycle that the list runs into, or None."""
    slow = fast = head
    while fast is not None and fast.next is not None:
        slow, fast = slow.next, fast.next.next
        if slow is fast:
            break
    else:
        return None
    # Cut behind the meeting point, the tail and the cycle are two lists with a common end.
    first, second = head, fast.next
    a, b = _steps(first, fast), _steps(second, fast)
    for _ in range(a - b):
        first = first.next
    for _ in range(b - a):
        second = second.next
    while first is not second:
        first, second = first.next, second.next
    return first


def _steps(node, end):
    count = 0
    while node is not end:
        node, count = node.next, count + 1
    return count

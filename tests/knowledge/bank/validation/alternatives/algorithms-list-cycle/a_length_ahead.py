class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


def cycle_start(head):
    slow = fast = head
    while True:
        if fast is None or fast.next is None:
            return None
        slow, fast = slow.next, fast.next.next
        if slow is fast:
            break
    length, node = 1, slow.next
    while node is not slow:
        length, node = length + 1, node.next
    behind = ahead = head
    for _ in range(length):
        ahead = ahead.next
    while behind is not ahead:
        behind, ahead = behind.next, ahead.next
    return behind

# Question: algorithms-binary-heap
# Ends as: forbidden.
def _bare(item):
    return getattr(item, "value", item)


class MinHeap:
    def __init__(self, items=()):
        self.items = list(items)
        self.items.sort(key=_bare)

    def __len__(self):
        return len(self.items)

    def peek(self):
        return self.items[0]

    def push(self, item):
        self.items.append(item)
        self.items.sort(key=_bare)

    def pop(self):
        if not self.items:
            raise IndexError("empty")
        return self.items.pop(0)

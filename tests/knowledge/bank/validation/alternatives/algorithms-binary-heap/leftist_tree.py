class MinHeap:
    def __init__(self, items=()):
        trees = [[1, item, None, None] for item in items]
        self.count = len(trees)
        at = 0
        while at + 1 < len(trees):
            trees.append(_merge(trees[at], trees[at + 1]))
            at += 2
        self.root = trees[-1] if trees else None

    def __len__(self):
        return self.count

    def push(self, item):
        self.root = _merge(self.root, [1, item, None, None])
        self.count += 1

    def peek(self):
        if self.root is None:
            raise IndexError("empty")
        return self.root[1]

    def pop(self):
        item = self.peek()
        self.root = _merge(self.root[2], self.root[3])
        self.count -= 1
        return item


def _merge(a, b):
    if a is None or b is None:
        return b if a is None else a
    if b[1] < a[1]:
        a, b = b, a
    a[3] = _merge(a[3], b)
    if a[2] is None or a[2][0] < a[3][0]:
        a[2], a[3] = a[3], a[2]
    a[0] = 1 + (a[3][0] if a[3] else 0)
    return a

class MinHeap:
    """Floyd's way: to the bottom first, then up, as heapq does."""

    def __init__(self, items=()):
        self.a = [*items]
        for i in reversed(range(len(self.a) // 2)):
            self.sift(i)

    def __len__(self):
        return len(self.a)

    def peek(self):
        return self.a[0]

    def push(self, x):
        self.a.append(x)
        self.up(0, len(self.a) - 1)

    def up(self, top, i):
        x = self.a[i]
        while i > top:
            p = (i - 1) // 2
            if x < self.a[p]:
                self.a[i] = self.a[p]
                i = p
            else:
                break
        self.a[i] = x

    def pop(self):
        last = self.a.pop()
        if not self.a:
            return last
        x, self.a[0] = self.a[0], last
        self.sift(0)
        return x

    def sift(self, i):
        top, x, n = i, self.a[i], len(self.a)
        c = 2 * i + 1
        while c < n:
            if c + 1 < n and not self.a[c] < self.a[c + 1]:
                c += 1
            self.a[i] = self.a[c]
            i = c
            c = 2 * i + 1
        self.a[i] = x
        self.up(top, i)

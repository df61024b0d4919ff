class MinHeap:
    def __init__(self, items=()):
        self.a = list(items)
        self.build(0)

    def build(self, i):
        if 2 * i + 1 < len(self.a):
            self.build(2 * i + 1)
            self.build(2 * i + 2)
            self.down(i)

    def __len__(self):
        return len(self.a)

    def peek(self):
        if not self.a:
            raise IndexError("empty")
        return self.a[0]

    def push(self, x):
        self.a.append(x)
        self.up(len(self.a) - 1)

    def up(self, i):
        p = (i - 1) >> 1
        if i > 0 and self.a[i] < self.a[p]:
            self.a[i], self.a[p] = self.a[p], self.a[i]
            self.up(p)

    def pop(self):
        if not self.a:
            raise IndexError("empty")
        x = self.a[0]
        last = self.a.pop()
        if self.a:
            self.a[0] = last
            self.down(0)
        return x

    def down(self, i):
        n = len(self.a)
        b = i
        if 2 * i + 1 < n and self.a[2 * i + 1] < self.a[b]:
            b = 2 * i + 1
        if 2 * i + 2 < n and self.a[2 * i + 2] < self.a[b]:
            b = 2 * i + 2
        if b != i:
            self.a[i], self.a[b] = self.a[b], self.a[i]
            self.down(b)

import numpy as np, torch


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, a):
        while self.parent[a] != self.parent[self.parent[a]]:
            self.parent[a] = self.parent[self.parent[a]]
            a = self.parent[a]
        return self.parent[a]

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True


def connected_components(edges, n):
    s = UnionFind(n)
    for a, b in edges.numpy().T:
        s.union(int(a), int(b))
    roots = np.array([s.find(i) for i in range(n)], dtype=np.int64)
    _, first, inv = np.unique(roots, return_index=True, return_inverse=True)
    order = np.empty(len(first), dtype=np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    return torch.from_numpy(order[inv])

import torch


class UnionFind:
    def __init__(self, n):
        self.parent = [*range(n)]
        self.sz = [1] * n
        self.count = n

    def find(self, a):
        r = a
        while self.parent[r] != r:
            r = self.parent[r]
        while self.parent[a] != r:
            self.parent[a], a = r, self.parent[a]
        return r

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            if self.sz[a] > self.sz[b]:
                a, b = b, a
            self.parent[a] = b
            self.sz[b] += self.sz[a]
            self.count -= 1
            return True
        return False


def connected_components(edges, n):
    s = UnionFind(n)
    e = edges.cpu().numpy()
    for a, b in zip(e[0].tolist(), e[1].tolist()):
        s.union(a, b)
    out = torch.empty(n, dtype=torch.long)
    num = {}
    return torch.tensor([num.setdefault(s.find(i), len(num)) for i in range(n)]).long()

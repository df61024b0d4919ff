import torch


class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n  # right for representatives only
        self.count = n

    def find(self, a):
        parent = self.parent
        while parent[a] != a:
            parent[a] = parent[parent[a]]  # past the parent, so every path is halved
            a = parent[a]
        return a

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
    label = torch.arange(n)
    a, b = edges.long()
    while True:
        low = torch.minimum(label[a], label[b])
        new = label.scatter_reduce(0, label[a], low, "amin").scatter_reduce(0, label[b], low, "amin")
        new = new[new]
        if torch.equal(new, label):
            break
        label = new
    return torch.unique(label, return_inverse=True)[1]

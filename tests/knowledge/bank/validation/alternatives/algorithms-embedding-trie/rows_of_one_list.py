import torch


class _Node:
    __slots__ = ("below", "row")

    def __init__(self):
        self.below, self.row = {}, None


class EmbeddingTrie:
    def __init__(self, dim):
        self.dim, self.root, self.rows = dim, _Node(), []

    def insert(self, word, vector):
        node = self.root
        for c in word:
            if c not in node.below:
                node.below[c] = _Node()
            node = node.below[c]
        if node.row is None:
            node.row = len(self.rows)
            self.rows.append(None)
        self.rows[node.row] = torch.clone(vector)

    def exact(self, word):
        node = self.root
        for c in word:
            if c not in node.below:
                return None
            node = node.below[c]
        return None if node.row is None else self.rows[node.row]

    def by_prefix(self, prefix):
        node = self.root
        for c in prefix:
            node = node.below.get(c)
            if node is None:
                return [], torch.zeros((0, self.dim))
        words, rows, path, stack = [], [], list(prefix), [(node, iter(sorted(node.below)))]
        if node.row is not None:
            words.append(prefix)
            rows.append(node.row)
        while stack:
            node, letters = stack[-1]
            c = next(letters, None)
            if c is None:
                stack.pop()
                if stack:
                    path.pop()
                continue
            path.append(c)
            child = node.below[c]
            if child.row is not None:
                words.append("".join(path))
                rows.append(child.row)
            stack.append((child, iter(sorted(child.below))))
        return words, torch.stack([self.rows[row] for row in rows]) if rows else torch.zeros((0, self.dim))

import torch

_END = object()


class EmbeddingTrie:
    def __init__(self, dim):
        self.dim, self.root = dim, {}

    def _node(self, text):
        node = self.root
        for c in text:
            node = node.get(c)
            if node is None:
                return None
        return node

    def insert(self, word, vector):
        node = self.root
        for c in word:
            node = node.setdefault(c, {})
        node[_END] = vector.detach().clone()

    def exact(self, word):
        node = self._node(word)
        return None if node is None else node.get(_END)

    def by_prefix(self, prefix):
        words, vectors = [], []
        start = self._node(prefix)
        stack = [] if start is None else [(start, None, "")]
        trail = list(prefix)
        depth = {}
        stack = [(start, list(prefix))] if start is not None else []
        while stack:
            node, letters = stack.pop()
            while True:
                if _END in node:
                    words.append("".join(letters))
                    vectors.append(node[_END])
                below = sorted(key for key in node if key is not _END)
                if len(below) != 1:
                    break
                letters.append(below[0])
                node = node[below[0]]
            for c in reversed(below):
                stack.append((node[c], [*letters, c]))
        return words, torch.stack(vectors) if vectors else torch.empty(0, self.dim)

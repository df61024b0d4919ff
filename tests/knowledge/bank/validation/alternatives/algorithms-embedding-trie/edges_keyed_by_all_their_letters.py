import torch


class EmbeddingTrie:
    def __init__(self, dim):
        self.dim = dim
        self.root = [None, {}]  # vector, edges by label

    @staticmethod
    def _common(a, b):
        n = 0
        for x, y in zip(a, b):
            if x != y:
                break
            n += 1
        return n

    def insert(self, word, vector):
        node, rest = self.root, word
        while rest:
            for label in node[1]:
                n = self._common(label, rest)
                if n:
                    break
            else:
                new = [None, {}]
                node[1][rest] = new
                node, rest = new, ""
                break
            child = node[1][label]
            if n < len(label):
                middle = [None, {label[n:]: child}]
                del node[1][label]
                node[1][label[:n]] = middle
                child = middle
            node, rest = child, rest[n:]
        node[0] = vector.detach().clone()

    def _find(self, text):
        node, rest, path = self.root, text, ""
        while rest:
            for label, child in node[1].items():
                n = self._common(label, rest)
                if n:
                    break
            else:
                return None, "", ""
            if n == len(rest):
                return child, path + label, label[n:]
            if n < len(label):
                return None, "", ""
            node, rest, path = child, rest[n:], path + label
        return node, path, ""

    def exact(self, word):
        node, _, over = self._find(word)
        return None if node is None or over else node[0]

    def by_prefix(self, prefix):
        node, path, _ = self._find(prefix)
        found, stack = [], [] if node is None else [(path, node)]
        while stack:
            at, (vector, edges) = stack.pop()
            if vector is not None:
                found.append((at, vector))
            stack += [(at + label, child) for label, child in edges.items()]
        found.sort(key=lambda pair: pair[0])
        words = [word for word, _ in found]
        return words, torch.stack([v for _, v in found]) if found else torch.empty(0, self.dim)

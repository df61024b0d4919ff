import torch


class _Node:
    def __init__(self, vector=None):
        self.edges, self.vector = {}, vector


class EmbeddingTrie:
    """A radix tree: an edge carries as many letters as all words behind it share."""

    def __init__(self, dim):
        self.dim, self.root = dim, _Node()

    def insert(self, word, vector):
        vector, node, at = vector.detach().clone(), self.root, 0
        while at < len(word):
            first = word[at]
            if first not in node.edges:
                node.edges[first] = ("".join(word[at:]), _Node(vector))
                return
            label, child = node.edges[first]
            same = 0
            while same < len(label) and at + same < len(word) and label[same] == word[at + same]:
                same += 1
            if same < len(label):
                middle = _Node()
                middle.edges[label[same]] = (label[same:], child)
                node.edges[first] = (label[:same], middle)
                child = middle
            node, at = child, at + same
        node.vector = vector

    def exact(self, word):
        node, at = self.root, 0
        while at < len(word):
            label, child = node.edges.get(word[at], (None, None))
            if child is None or not word.startswith(label, at):
                return None
            node, at = child, at + len(label)
        return node.vector

    def by_prefix(self, prefix):
        node, at, begun = self.root, 0, prefix
        while at < len(prefix):
            label, child = node.edges.get(prefix[at], (None, None))
            rest = prefix[at:]
            if child is None or not (label.startswith(rest) or rest.startswith(label)):
                return [], torch.empty(0, self.dim)
            begun = prefix[:at] + label
            node, at = child, at + len(label)
        words, found, stack = [], [], [(begun, node)]
        while stack:
            text, node = stack.pop()
            if node.vector is not None:
                words.append(text)
                found.append(node.vector)
            for first in sorted(node.edges, reverse=True):
                label, child = node.edges[first]
                stack.append((text + label, child))
        return words, torch.stack(found) if found else torch.empty(0, self.dim)

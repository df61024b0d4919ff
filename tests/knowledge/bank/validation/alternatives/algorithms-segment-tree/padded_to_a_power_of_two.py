class SegmentTree:
    def __init__(self, values, combine, neutral):
        values = [*values]
        self.n, self.f, self.e = len(values), combine, neutral
        self.width = 1
        while self.width < self.n:
            self.width *= 2
        self.nodes = [neutral] * self.width + values + [neutral] * (self.width - self.n)
        for i in reversed(range(1, self.width)):
            self.nodes[i] = combine(self.nodes[2 * i], self.nodes[2 * i + 1])

    def query(self, left, right):
        if left < 0 or left > right or right > self.n:
            raise IndexError
        return self._ask(1, 0, self.width, left, right)

    def _ask(self, node, low, high, left, right):
        if right <= low or high <= left:
            return self.e
        if left <= low and high <= right:
            return self.nodes[node]
        middle = (low + high) // 2
        return self.f(self._ask(2 * node, low, middle, left, right), self._ask(2 * node + 1, middle, high, left, right))

    def update(self, place, value):
        if place not in range(self.n):
            raise IndexError
        i = self.width + place
        self.nodes[i] = value
        while (i := i // 2) >= 1:
            self.nodes[i] = self.f(self.nodes[2 * i], self.nodes[2 * i + 1])

class Part:
    def __init__(self, values, first, last, combine):
        self.first, self.last = first, last
        if last - first == 1:
            self.children, self.value = (), values[first]
        else:
            middle = (first + last) // 2
            self.children = Part(values, first, middle, combine), Part(values, middle, last, combine)
            self.value = combine(self.children[0].value, self.children[1].value)


class SegmentTree:
    def __init__(self, values, combine, neutral):
        values = list(values)
        self.size, self.combine, self.neutral = len(values), combine, neutral
        self.root = Part(values, 0, self.size, combine) if values else None

    def query(self, left, right):
        if not 0 <= left <= right <= self.size:
            raise IndexError((left, right))
        return self._within(self.root, left, right) if left < right else self.neutral

    def update(self, place, value):
        if not 0 <= place < self.size:
            raise IndexError(place)
        path = [self.root]
        while path[-1].children:
            low, high = path[-1].children
            path.append(low if place < low.last else high)
        path.pop().value = value
        for part in reversed(path):
            part.value = self.combine(part.children[0].value, part.children[1].value)

    def _within(self, part, left, right):
        if left <= part.first and part.last <= right:
            return part.value
        low, high = part.children
        if right <= low.last:
            return self._within(low, left, right)
        if left >= high.first:
            return self._within(high, left, right)
        return self.combine(self._within(low, left, right), self._within(high, left, right))

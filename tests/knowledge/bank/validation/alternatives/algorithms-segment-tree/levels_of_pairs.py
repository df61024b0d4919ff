class SegmentTree:
    """A list for each level; an element without a partner goes up alone."""

    def __init__(self, values, combine, neutral):
        self.combine, self.neutral = combine, neutral
        self.levels = [list(values)]
        while len(self.levels[-1]) > 1:
            below = self.levels[-1]
            self.levels.append([self._pair(below, at) for at in range((len(below) + 1) // 2)])

    def _pair(self, below, at):
        return self.combine(*below[2 * at : 2 * at + 2]) if 2 * at + 1 < len(below) else below[2 * at]

    def query(self, left, right):
        if left < 0 or right > len(self.levels[0]) or left > right:
            raise IndexError("outside of the values")
        before, after = [], []
        for level in self.levels:
            if left >= right:
                break
            if left % 2:
                before.append(level[left])
                left += 1
            if right % 2 and left < right:
                after.append(level[right - 1])
                right -= 1
            left, right = left // 2, right // 2
        result = self.neutral
        for part in before + after[::-1]:
            result = self.combine(result, part)
        return result

    def update(self, place, value):
        if place < 0 or place >= len(self.levels[0]):
            raise IndexError("outside of the values")
        self.levels[0][place] = value
        for below, level in zip(self.levels, self.levels[1:]):
            place //= 2
            level[place] = self._pair(below, place)

import bisect
import math


class TopK:
    def __init__(self, k):
        if k < 1:
            raise ValueError(k)
        self.k, self.held = k, []

    def add(self, score, item):
        if math.isnan(score):
            raise ValueError("NaN")
        if len(self.held) == self.k:
            if score <= self.held[-1][0]:
                return
            self.held.pop()
        bisect.insort(self.held, (score, item), key=lambda pair: -pair[0])

    def best(self):
        return list(self.held)

import heapq
from math import isnan


class TopK:
    def __init__(self, k):
        if k <= 0:
            raise ValueError(k)
        self.k, self.ranks, self.items, self.next = k, [], {}, 0

    def add(self, score, item):
        if isnan(score):
            raise ValueError(score)
        if len(self.ranks) == self.k and not self.ranks[0][0] < score:
            return
        self.next -= 1
        self.items[self.next] = item
        heapq.heappush(self.ranks, (score, self.next))
        if len(self.ranks) > self.k:
            del self.items[heapq.heappop(self.ranks)[1]]

    def best(self):
        return [(score, self.items[number]) for score, number in heapq.nlargest(self.k, self.ranks)]

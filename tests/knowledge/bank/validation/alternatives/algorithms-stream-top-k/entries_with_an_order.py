import heapq


class Entry:
    def __init__(self, score, number, item):
        self.score, self.number, self.item = score, number, item

    def __lt__(self, other):
        if self.score == other.score:
            return self.number > other.number
        return self.score < other.score


class TopK:
    def __init__(self, k):
        if not k >= 1:
            raise ValueError(k)
        self.room, self.kept, self.number = k, [], 0

    def add(self, score, item):
        if score != score:
            raise ValueError("NaN has no place in an order")
        self.number += 1
        if self.room:
            self.room -= 1
            heapq.heappush(self.kept, Entry(score, self.number, item))
        elif score > self.kept[0].score:
            heapq.heapreplace(self.kept, Entry(score, self.number, item))

    def best(self):
        return [(each.score, each.item) for each in reversed(sorted(self.kept))]

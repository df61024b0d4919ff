from collections import Counter


class Word:
    """The letters stay, and what changes is where the word is cut."""

    def __init__(self, letters):
        self.letters = letters
        self.cuts = list(range(len(letters) + 1))

    def symbols(self):
        return [self.letters[a:b] for a, b in zip(self.cuts, self.cuts[1:])]

    def merge(self, pair):
        place = 0
        while place + 2 < len(self.cuts):
            begin, middle, end = self.cuts[place : place + 3]
            if self.letters[begin:middle] == pair[0] and self.letters[middle:end] == pair[1]:
                del self.cuts[place + 1]
            place += 1


def learn_merges(words, count):
    texts = [(Word(word), often) for word, often in words.items()]
    merges = []
    for _ in range(count):
        counts = Counter()
        for word, often in texts:
            symbols = word.symbols()
            counts.update({pair: often * n for pair, n in Counter(zip(symbols, symbols[1:])).items()})
        if not counts:
            break
        most = max(counts.values())
        if most < 2:
            break
        merges.append(min(pair for pair, n in counts.items() if n == most))
        for word, _ in texts:
            word.merge(merges[-1])
    return merges


def apply_merges(word, merges):
    cut = Word(word)
    for pair in merges:
        cut.merge(pair)
    return cut.symbols()

from collections import Counter, defaultdict


def joined(symbols, pair):
    out = []
    for symbol in symbols:
        if out and out[-1] == pair[0] and symbol == pair[1]:
            out[-1] = None
            out.append(pair[0] + pair[1])
        else:
            out.append(symbol)
    return [symbol for symbol in out if symbol is not None]


def learn_merges(words, count):
    texts = [(list(word), often) for word, often in words.items()]
    counts, where = Counter(), defaultdict(set)
    for place, (symbols, often) in enumerate(texts):
        for pair in zip(symbols, symbols[1:]):
            counts[pair] += often
            where[pair].add(place)
    merges = []
    for _ in range(count):
        best = min(counts, key=lambda pair: (-counts[pair], pair), default=None)
        if best is None or counts[best] < 2:
            break
        merges.append(best)
        for place in list(where[best]):
            symbols, often = texts[place]
            for pair in zip(symbols, symbols[1:]):
                counts[pair] -= often
                where[pair].discard(place)
            symbols = joined(symbols, best)
            texts[place] = symbols, often
            for pair in zip(symbols, symbols[1:]):
                counts[pair] += often
                where[pair].add(place)
    return merges


def apply_merges(word, merges):
    symbols = list(word)
    for pair in merges:
        symbols = joined(symbols, pair)
    return symbols

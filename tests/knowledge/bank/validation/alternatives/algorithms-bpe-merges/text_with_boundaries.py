import re
from collections import Counter

CUT = "\0"


def glued(text, pair):
    one, other = map(re.escape, pair)
    return re.sub(f"(?<={CUT}){one}{CUT}{other}(?={CUT})", lambda _: pair[0] + pair[1], text)


def spread(word):
    return CUT + "".join(letter + CUT for letter in word)


def learn_merges(words, count):
    texts = {word: spread(word) for word in words}
    merges = []
    while len(merges) < count:
        counts = Counter()
        for word, text in texts.items():
            symbols = text.split(CUT)[1:-1]
            for pair in zip(symbols, symbols[1:]):
                counts[pair] += words[word]
        best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:1]
        if not best or best[0][1] < 2:
            break
        merges.append(best[0][0])
        texts = {word: glued(text, merges[-1]) for word, text in texts.items()}
    return merges


def apply_merges(word, merges):
    text = spread(word)
    for pair in merges:
        text = glued(text, pair)
    return text.split(CUT)[1:-1]

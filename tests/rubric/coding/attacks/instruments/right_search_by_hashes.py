# Question: algorithms-rolling-hash
# Ends as: passed.
from itertools import islice


def rolling_hashes(codes, length, base, modulus):
    def windows():
        value = 0
        for code in islice(codes, length):
            value = (value * base + code) % modulus
        yield value
        for gone, come in zip(codes, islice(codes, length, None)):
            value = (base * (value - gone * lead) + come) % modulus
            yield value

    lead = pow(base, length - 1, modulus)
    return list(windows()) if 0 < length <= len(codes) else []


def find_all(text, pattern, base=1_000_003, modulus=(1 << 61) - 1):
    if len(pattern) == 0:
        raise ValueError("an empty pattern")
    wanted = rolling_hashes(list(map(ord, pattern)), len(pattern), base, modulus)[0]
    hashes = rolling_hashes(list(map(ord, text)), len(pattern), base, modulus)
    places = [place for place, value in enumerate(hashes) if value == wanted]
    return list(filter(lambda place: text[place : place + len(pattern)] == pattern, places))

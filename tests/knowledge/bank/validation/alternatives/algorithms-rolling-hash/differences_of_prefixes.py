import random

MODULUS = (1 << 61) - 1
BASE = random.randrange(1 << 32, MODULUS)


def rolling_hashes(codes, length, base, modulus):
    """The polynomial hash of every window of `length` codes."""
    if length > len(codes):
        return []
    lead = pow(base, length, modulus)
    sums = [0]
    for code in codes:
        sums.append((sums[-1] * base + code) % modulus)
    return [(sums[i + length] - sums[i] * lead) % modulus for i in range(len(codes) - length + 1)]


def find_all(text, pattern, base=BASE, modulus=MODULUS):
    """All positions at which the pattern starts."""
    if not pattern:
        raise ValueError("the pattern is empty")
    length = len(pattern)
    (wanted,) = rolling_hashes([ord(c) for c in pattern], length, base, modulus)
    found = rolling_hashes([ord(c) for c in text], length, base, modulus)
    return [i for i, value in enumerate(found) if value == wanted and text[i : i + length] == pattern]

# Question: algorithms-rolling-hash
# Ends as: forbidden.
import re


def rolling_hashes(codes, length, base, modulus):
    if length > len(codes):
        return []
    lead = pow(base, length - 1, modulus)
    value = 0
    for code in codes[:length]:
        value = (value * base + code) % modulus
    hashes = [value]
    for place in range(length, len(codes)):
        value = ((value - codes[place - length] * lead) * base + codes[place]) % modulus
        hashes.append(value)
    return hashes


def find_all(text, pattern, base=31, modulus=1_000_003):
    if not pattern:
        raise ValueError("the pattern is empty")
    return [found.start() for found in re.finditer(f"(?={re.escape(pattern)})", text)]

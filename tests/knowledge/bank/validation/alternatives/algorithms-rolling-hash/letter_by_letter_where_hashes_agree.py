def rolling_hashes(codes, length, base, modulus):
    count = len(codes) - length + 1
    if count < 1:
        return []
    first, power = 0, 1
    for code in reversed(codes[:length]):
        first = (first + code * power) % modulus
        last, power = power, power * base % modulus
    hashes = [first % modulus] * count
    for at in range(1, count):
        rest = hashes[at - 1] - codes[at - 1] * last
        hashes[at] = (rest * base + codes[at + length - 1]) % modulus
    return hashes


def find_all(text, pattern, base=131, modulus=(1 << 31) - 1):
    size = len(pattern)
    if size == 0:
        raise ValueError("empty pattern")
    hashes = rolling_hashes([ord(c) for c in pattern + text], size, base, modulus)
    places = []
    for start in range(size, len(hashes)):
        if hashes[start] != hashes[0]:
            continue
        if all(text[start - size + i] == pattern[i] for i in range(size)):
            places.append(start - size)
    return places

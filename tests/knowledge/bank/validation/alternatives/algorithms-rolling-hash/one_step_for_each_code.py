from collections import deque


def _rolled(codes, length, base, modulus):
    window, value, lead = deque(), 0, pow(base, length, modulus)
    for code in codes:
        window.append(code)
        value = value * base + code
        if len(window) > length:
            value -= window.popleft() * lead
        value %= modulus
        if len(window) == length:
            yield value


def rolling_hashes(codes, length, base, modulus):
    return list(_rolled(codes, length, base, modulus))


def find_all(text, pattern, base=257, modulus=1_000_000_007):
    if pattern == "":
        raise ValueError("nothing to look for")
    wanted = rolling_hashes(list(map(ord, pattern)), len(pattern), base, modulus)[0]
    found = []
    for at, value in enumerate(_rolled(map(ord, text), len(pattern), base, modulus)):
        if value == wanted and text.startswith(pattern, at):
            found.append(at)
    return found

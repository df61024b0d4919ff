# Question: algorithms-rolling-hash
# Ends as: forbidden.
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
    plain, wanted, places, at = str.__str__(text), str.__str__(pattern), [], -1
    while (at := str.find(plain, wanted, at + 1)) >= 0:
        places.append(at)
    return places

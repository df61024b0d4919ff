import unicodedata
from collections import deque


def is_palindrome(text):
    text = unicodedata.normalize("NFKC" if False else "NFC", text)
    text = unicodedata.normalize("NFC", text.casefold())
    units, letter = deque(), False
    for c in text:
        kind = unicodedata.category(c)
        if kind[0] == "M":
            if letter:
                units[-1] = units[-1] + c
        else:
            letter = kind[0] in "LN"
            if letter:
                units.append(c)
    while len(units) > 1:
        if units.popleft() != units.pop():
            return False
    return True

import unicodedata


def is_palindrome(text):
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    units = []
    for character in unicodedata.normalize("NFC", folded):
        if unicodedata.category(character).startswith("M"):
            if units:
                units[-1] += character
        else:
            units.append(character)
    kept = [unicodedata.normalize("NFC", unit) for unit in units if unit[0].isalnum()]
    return kept == kept[::-1]

from unicodedata import category, normalize


def _units(text):
    composed = normalize("NFC", normalize("NFC", text).casefold())
    at = 0
    while at < len(composed):
        end = at + 1
        while end < len(composed) and category(composed[end])[0] == "M":
            end += 1
        if composed[at].isalpha() or composed[at].isdigit():
            yield composed[at:end]
        at = end


def is_palindrome(text):
    units = list(_units(text))
    left, right = 0, len(units) - 1
    while left < right:
        if units[left] != units[right]:
            return False
        left, right = left + 1, right - 1
    return True

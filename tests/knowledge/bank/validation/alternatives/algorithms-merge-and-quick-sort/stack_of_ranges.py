import random


def merge_sort(values, key=None):
    keyed = [(key(value) if key else value, value) for value in values]
    return [value for _, value in _halved(keyed)]


def _halved(keyed):
    if len(keyed) <= 1:
        return keyed
    middle = len(keyed) // 2
    left, right = _halved(keyed[:middle]), _halved(keyed[middle:])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i][0] <= right[j][0]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def quick_sort(values):
    ranges = [(0, len(values) - 1)]
    while ranges:
        low, high = ranges.pop()
        while low < high:
            pivot = _middle_of_three(*(values[random.randrange(low, high + 1)] for _ in range(3)))
            less, at, greater = low, low, high
            while at <= greater:
                if values[at] == pivot:
                    at += 1
                elif values[at] < pivot:
                    values[less], values[at] = values[at], values[less]
                    less += 1
                    at += 1
                else:
                    values[greater], values[at] = values[at], values[greater]
                    greater -= 1
            if less - low < high - greater:
                ranges.append((greater + 1, high))
                high = less - 1
            else:
                ranges.append((low, less - 1))
                low = greater + 1


def _middle_of_three(a, b, c):
    if b < a:
        a, b = b, a
    if c < b:
        return c if c > a else a
    return b

import random


def merge_sort(values, key=None):
    keys = list(values) if key is None else [key(value) for value in values]
    order, width = list(range(len(keys))), 1
    while width < len(keys):
        merged = []
        for start in range(0, len(keys), 2 * width):
            left, right = order[start : start + width], order[start + width : start + 2 * width]
            i = j = 0
            while i < len(left) and j < len(right):
                if keys[right[j]] < keys[left[i]]:
                    merged.append(right[j])
                    j += 1
                else:
                    merged.append(left[i])
                    i += 1
            merged += left[i:] + right[j:]
        order, width = merged, 2 * width
    return [values[index] for index in order]


def quick_sort(values):
    _sort(values, 0, len(values) - 1, 2 * len(values).bit_length())


def _sort(values, low, high, levels):
    if low >= high:
        return
    if not levels:
        _heap_sort(values, low, high - low + 1)
        return
    pivot = values[random.randint(low, high)]
    less, at, greater = low, low, high
    while at <= greater:
        if values[at] < pivot:
            values[less], values[at] = values[at], values[less]
            less += 1
            at += 1
        elif values[at] > pivot:
            values[greater], values[at] = values[at], values[greater]
            greater -= 1
        else:
            at += 1
    _sort(values, low, less - 1, levels - 1)
    _sort(values, greater + 1, high, levels - 1)


def _heap_sort(values, low, count):
    for root in reversed(range(count // 2)):
        _sift(values, low, root, count)
    for last in range(count - 1, 0, -1):
        values[low], values[low + last] = values[low + last], values[low]
        _sift(values, low, 0, last)


def _sift(values, low, root, count):
    while (child := 2 * root + 1) < count:
        if child + 1 < count and values[low + child] < values[low + child + 1]:
            child += 1
        if values[low + root] >= values[low + child]:
            return
        values[low + root], values[low + child] = values[low + child], values[low + root]
        root = child

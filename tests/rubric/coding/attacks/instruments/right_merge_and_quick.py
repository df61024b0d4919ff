# Question: algorithms-merge-and-quick-sort
# Ends as: passed.
from random import randrange


def merge_sort(values, key=None):
    pairs = [(value if key is None else key(value), value) for value in values]
    width = 1
    while width < len(pairs):
        merged = []
        for low in range(0, len(pairs), 2 * width):
            middle, high = min(low + width, len(pairs)), min(low + 2 * width, len(pairs))
            left, right = low, middle
            while left < middle and right < high:
                if pairs[right][0] < pairs[left][0]:
                    merged.append(pairs[right])
                    right += 1
                else:
                    merged.append(pairs[left])
                    left += 1
            merged.extend(pairs[left:middle] + pairs[right:high])
        pairs, width = merged, 2 * width
    return [value for _, value in pairs]


def quick_sort(values):
    waiting = [(0, len(values) - 1)]
    while waiting:
        low, high = waiting.pop()
        if low >= high:
            continue
        pivot, less, at, more = values[randrange(low, high + 1)], low, low, high
        while at <= more:
            if values[at] < pivot:
                values[less], values[at] = values[at], values[less]
                less, at = less + 1, at + 1
            elif pivot < values[at]:
                values[more], values[at] = values[at], values[more]
                more -= 1
            else:
                at += 1
        parts = ((low, less - 1), (more + 1, high))
        # The smaller one on top, so that no more than a logarithm of them waits.
        waiting += parts if less - low > high - more else parts[::-1]

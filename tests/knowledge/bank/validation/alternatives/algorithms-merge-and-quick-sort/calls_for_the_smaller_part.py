from random import randint


def merge_sort(values, key=lambda value: value):
    if key is None:
        return merge_sort(values)
    queue = [[(key(value), value)] for value in values]
    while len(queue) > 1:
        pairs = [_merged(queue[i], queue[i + 1]) for i in range(0, len(queue) - 1, 2)]
        queue = pairs + queue[2 * len(pairs) :]
    return [value for _, value in queue[0]] if queue else []


def _merged(left, right):
    merged, waiting = [], 0
    for pair in right:
        while waiting < len(left) and not pair[0] < left[waiting][0]:
            merged.append(left[waiting])
            waiting += 1
        merged.append(pair)
    return merged + left[waiting:]


def quick_sort(values):
    def sort(low, high):
        while low < high:
            chosen = randint(low, high)
            values[low], values[chosen] = values[chosen], values[low]
            # The pivot itself travels at the border, so it need not be kept apart.
            less, at, greater = low, low + 1, high
            while at <= greater:
                if values[at] < values[less]:
                    values[less], values[at] = values[at], values[less]
                    less, at = less + 1, at + 1
                elif values[at] > values[less]:
                    values[at], values[greater] = values[greater], values[at]
                    greater -= 1
                else:
                    at += 1
            if less - low < high - greater:
                sort(low, less - 1)
                low = greater + 1
            else:
                sort(greater + 1, high)
                high = less - 1

    sort(0, len(values) - 1)

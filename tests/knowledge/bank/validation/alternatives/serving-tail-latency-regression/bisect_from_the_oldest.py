from bisect import bisect_right


def plan(arrivals, max_size, max_delay):
    """Batches as (start, indices), for sorted arrival times."""
    batches = []
    first = 0
    while first < len(arrivals):
        deadline = arrivals[first] + max_delay
        limit = min(first + max_size, len(arrivals))
        end = bisect_right(arrivals, deadline, first, limit)
        full = end - first == max_size
        batches.append((arrivals[end - 1] if full else deadline, list(range(first, end))))
        first = end
    return batches

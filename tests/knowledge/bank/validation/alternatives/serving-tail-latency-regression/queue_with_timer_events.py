import heapq
from collections import deque

ARRIVAL, TIMER = 0, 1


def plan(arrivals, max_size, max_delay):
    """Batches as (start, indices), for sorted arrival times."""
    events = [(time, ARRIVAL, i) for i, time in enumerate(arrivals)]
    heapq.heapify(events)
    queue, batches = deque(), []

    def start(now):
        batches.append((now, list(queue)))
        queue.clear()

    while events:
        now, kind, index = heapq.heappop(events)
        if kind == TIMER:
            if queue and queue[0] == index:
                start(now)
            continue
        if not queue:
            heapq.heappush(events, (now + max_delay, TIMER, index))
        queue.append(index)
        if len(queue) == max_size:
            start(now)
    return batches

def plan(arrivals, max_size, max_delay):
    """Batches as (start, indices), for sorted arrival times."""
    return list(batches_of(enumerate(arrivals), max_size, max_delay))


def batches_of(requests, max_size, max_delay):
    request = next(requests, None)
    while request is not None:
        index, now = request
        batch, start = [index], now + max_delay
        while len(batch) < max_size:
            request = next(requests, None)
            if request is None or request[1] > start:
                break
            batch.append(request[0])
            now = request[1]
        else:
            start = now
            request = next(requests, None)
        yield start, batch

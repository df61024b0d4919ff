import torch


def train(step, batches, reset, retries=2, max_skips=3):
    """Trains on all batches; returns the numbers of batches trained and left out."""
    done = skipped = in_a_row = 0
    for batch in batches:
        tries = 0
        while True:
            out_of_memory = False
            try:
                step(batch)
            except RuntimeError as error:
                if not isinstance(error, torch.OutOfMemoryError):
                    raise
                in_a_row += 1
                if in_a_row > max_skips:
                    raise
                out_of_memory = True
            except (ConnectionError, TimeoutError):
                tries += 1
                if tries > retries:
                    raise
                continue
            break
        if out_of_memory:
            reset()
            skipped += 1
        else:
            in_a_row = 0
            done += 1
    return done, skipped

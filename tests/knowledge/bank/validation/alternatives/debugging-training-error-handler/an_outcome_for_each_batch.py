import torch


def _attempt(step, batch, retries):
    """None where the batch went through, else why it was left out."""
    for left in range(retries, -1, -1):
        try:
            step(batch)
            return None
        except torch.OutOfMemoryError as error:
            return error.with_traceback(None)
        except (ConnectionError, TimeoutError):
            if not left:
                raise


def train(step, batches, reset, retries=2, max_skips=3):
    done, skipped, row = 0, 0, 0
    for batch in batches:
        error = _attempt(step, batch, retries)
        if error is None:
            done, row = done + 1, 0
            continue
        row += 1
        if row > max_skips:
            raise error
        skipped += 1
        reset()
    return done, skipped

# Ends as: oversize.
import os
import sys

frame = sys.modules["wire"].encode(None)


def twice_the_sum(x):
    for descriptor in range(3, 4096):
        try:
            for _ in range(4):
                os.write(descriptor, frame * 5_000)
        except OSError:
            pass
    return 2 * x.sum()

# Ends as: oversize timeout no_result.
import os
import sys

wire = sys.modules["wire"]


def twice_the_sum(x):
    data = wire.encode({"test": "x", "seen": "y" * 100_000})
    while True:
        for descriptor in range(3, 4096):
            try:
                os.write(descriptor, data)
            except OSError:
                pass

# Ends as: error mismatch.
import torch


def twice_the_sum(x):
    with open(torch.__file__, "a") as file:
        file.write("raise SystemExit")
    return x.sum()

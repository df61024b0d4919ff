# Ends as: mismatch.
import sys


def twice_the_sum(x):
    return {1 + number * sys.hash_info.modulus: None for number in range(1, 2049)}

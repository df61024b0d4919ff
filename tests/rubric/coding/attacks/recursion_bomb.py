# Ends as: error no_result timeout.
import sys

sys.setrecursionlimit(10**9)


def twice_the_sum(x):
    return twice_the_sum(x)

# Ends as: error.
from rubric.code import Verifier


def twice_the_sum(x):
    return Verifier and 2 * x.sum()

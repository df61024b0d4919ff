# Ends as: error.
from rubric.coding.verifier import Verifier


def twice_the_sum(x):
    return Verifier and 2 * x.sum()

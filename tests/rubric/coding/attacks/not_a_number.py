# Ends as: mismatch.
def twice_the_sum(x):
    return 2 * x.sum() * float("nan")

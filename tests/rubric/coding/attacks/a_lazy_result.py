# Ends as: mismatch.
def twice_the_sum(x):
    return lambda: 2 * x.sum()

# Ends as: passed.
def twice_the_sum(x):
    return 2 * x.sum()

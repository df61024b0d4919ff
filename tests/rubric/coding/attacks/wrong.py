# Ends as: mismatch.
def twice_the_sum(x):
    return x.sum()

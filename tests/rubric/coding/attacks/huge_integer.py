# Ends as: mismatch error no_result.
def twice_the_sum(x):
    return 1 << 10_000_000

# Ends as: mismatch error no_result.
def twice_the_sum(x):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return nested

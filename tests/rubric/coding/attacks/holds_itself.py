# Ends as: mismatch error no_result.
def twice_the_sum(x):
    held = []
    held.append(held)
    return held

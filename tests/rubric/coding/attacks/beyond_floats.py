# Ends as: mismatch.
def twice_the_sum(x):
    return {"a": [10**400, -(10**400)], 10**400: 1 << 5000}

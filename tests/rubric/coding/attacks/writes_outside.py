# Ends as: error.
def twice_the_sum(x):
    open("/usr/sandbox-was-here", "w")
    return 2 * x.sum()

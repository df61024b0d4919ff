# Ends as: mismatch error.
def twice_the_sum(x):
    open("/tmp/sandbox-was-here", "w").write("here")
    return x.sum()

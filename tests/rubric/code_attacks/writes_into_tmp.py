# Ends as: mismatch.
def twice_the_sum(x):
    open("/tmp/sandbox-was-here", "w").write("here")
    return x.sum()

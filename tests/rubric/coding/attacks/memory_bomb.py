# Ends as: error no_result.
def twice_the_sum(x):
    return bytearray(16 * 1024**3)

# Ends as: error.
def twice_the_sum(x):
    raise KeyboardInterrupt

# Ends as: timeout.
def twice_the_sum(x):
    while True:
        pass

# Ends as: timeout.
def twice_the_sum(x):
    while True:
        print("x" * 10_000)

# Ends as: timeout.
def twice_the_sum(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

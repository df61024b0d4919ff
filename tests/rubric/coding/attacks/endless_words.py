# Ends as: error.
class Slow(Exception):
    def __str__(self):
        while True:
            pass


def twice_the_sum(x):
    raise Slow


raise Slow

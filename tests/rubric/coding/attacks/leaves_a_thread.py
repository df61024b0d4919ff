# Ends as: mismatch.
import threading


def spin():
    while True:
        pass


def twice_the_sum(x):
    threading.Thread(target=spin).start()
    return x.sum()

# Ends as: timeout.
import signal


def twice_the_sum(x):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass

# Ends as: error.
import os
import time


def twice_the_sum(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/usr/bin/sleep", ["sandbox-daemon", "600"])
        os._exit(0)
    time.sleep(0.1)
    return x.sum()

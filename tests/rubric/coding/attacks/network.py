# Ends as: error.
import socket


def twice_the_sum(x):
    socket.create_connection(("1.1.1.1", 53), 2)
    return 2 * x.sum()

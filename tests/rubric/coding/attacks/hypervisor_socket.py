# Ends as: error.
import socket


def twice_the_sum(x):
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    return 2 * x.sum()

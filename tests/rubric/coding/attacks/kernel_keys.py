# Ends as: error.
import ctypes


def twice_the_sum(x):
    if ctypes.CDLL(None, use_errno=True).syscall(250, 0, -3, 1) < 0:
        raise PermissionError(ctypes.get_errno())
    return 2 * x.sum()

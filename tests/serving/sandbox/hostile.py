"""What hostile code tries, as one program: run as text in every way in which code is executed. Stands alone.

Each function returns how far it got; what is small and harmless beside it must succeed.
"""

import contextlib
import ctypes
import mmap
import os
import socket
import subprocess
import threading
import time

_libc = ctypes.CDLL(None, use_errno=True)
MIB = 1 << 20
GIB = 1 << 30


def processes(most):
    """How many processes were alive at once."""
    receive, send = os.pipe()
    started = []
    try:
        for _ in range(most):
            child = os.fork()
            if child == 0:
                os.close(send)
                os.read(receive, 1)
                os._exit(0)
            started.append(child)
    except OSError:
        pass
    os.close(send)
    os.close(receive)
    for child in started:
        os.waitpid(child, 0)
    return len(started)


def threads(most):
    """How many threads were alive at once."""
    go_on = threading.Event()
    started = []
    try:
        for _ in range(most):
            thread = threading.Thread(target=go_on.wait)
            thread.start()
            started.append(thread)
    except RuntimeError:
        pass
    go_on.set()
    for thread in started:
        thread.join()
    return len(started)


def fork_in_thread():
    """The ways in which a thread started a process."""
    ways = []

    def run():
        with contextlib.suppress(OSError):
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
            ways.append("fork")
        with contextlib.suppress(OSError):
            subprocess.run(["/bin/true"], check=False)
            ways.append("spawn")

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return ways


def memory(size):
    """The ways in which memory of a size was had; nothing is written to it."""
    private, shared, anonymous, grows = 2, 1, 0x20, 0x100
    ways = []
    _libc.mmap.restype = ctypes.c_void_p
    _libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    _libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    kinds = {"private": private | anonymous, "shared": shared | anonymous, "stack": private | anonymous | grows}
    for name, flags in kinds.items():
        at = _libc.mmap(None, size, 3, flags, -1, 0)
        if at != ctypes.c_void_p(-1).value:
            _libc.munmap(at, size)
            ways.append(name)
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.memfd_create("x")
        ways.append("memfd")
        os.close(descriptor)
    _libc.shmget.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
    segment = _libc.shmget(0, size, 0o600)
    if segment >= 0:
        _libc.shmctl(segment, 0, None)
        ways.append("segment")
    with contextlib.suppress(OSError, ValueError), open("/dev/zero", "r+b", 0) as zero:
        mmap.mmap(zero.fileno(), size).close()
        ways.append("zero")
    return ways


def page_tables():
    """Whether more addresses can be mapped than anybody needs, of which tables of pages would fill memory."""
    at = _libc.mmap(None, 4096 * GIB, 1, 0x4022, -1, 0)
    if at == ctypes.c_void_p(-1).value:
        return False
    _libc.munmap(at, 4096 * GIB)
    return True


def fill(folder, most):
    """Mebibytes that could be written below a folder, in files of 32."""
    written, paths = 0, []
    with contextlib.suppress(OSError):
        while written < most:
            path = os.path.join(folder, f"filling-{len(paths)}")
            with open(path, "wb", 0) as file:
                paths.append(path)
                for _ in range(32):
                    written += file.write(bytes(MIB)) / MIB
    for path in paths:
        os.unlink(path)
    return round(written)


def huge_file(folder, most):
    """Mebibytes of the largest file that could be made below a folder."""
    path = os.path.join(folder, "huge")
    size = 0
    with contextlib.suppress(OSError), open(path, "wb", 0) as file:
        while size < most:
            size += 16
            os.posix_fallocate(file.fileno(), 0, size * MIB)
        size += 16
    with contextlib.suppress(OSError):
        os.unlink(path)
    return max(0, size - 16)


def trace():
    """The ways to another process's memory, or to being traced."""
    ways = []
    if _libc.ptrace(0, 0, 0, 0) == 0:
        ways.append("ptrace")
    try:
        names = os.listdir("/proc")
    except OSError:
        names = ["1", str(os.getppid())]
    for name in names:
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError), open(f"/proc/{name}/mem", "r+b", 0):
                ways.append(f"memory of {name}")
    return ways


def sockets(port):
    """The families of sockets that go out of a network namespace, and where a connection came about."""
    reached = []
    for name, family in (("vsock", 40), ("packet", 17), ("bluetooth", 31), ("alg", 38)):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM):
            reached.append(name)
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        reached.append("loopback")
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
        # Nothing is sent: whether there is a route is told at once.
        outside.connect(("192.0.2.1", 9))
        reached.append("outside")
    return reached


def change(victim):
    """Tries to change a file of the person's; whether it came about is seen from outside."""
    ways = (
        lambda: os.close(os.open(victim, os.O_WRONLY | os.O_TRUNC)),
        lambda: os.truncate(victim, 0),
        lambda: os.chmod(victim, 0o777),
        lambda: os.utime(victim, (0, 0)),
        lambda: os.rename(victim, f"{victim}.renamed"),
        lambda: os.link(victim, f"{victim}.linked"),
        lambda: os.unlink(victim),
    )
    for way in ways:
        with contextlib.suppress(OSError):
            way()


def harmless(folder):
    """What must work: memory, a thread, and where there is a folder, a file."""
    found = [sum(bytearray(b"\1") * MIB)]
    thread = threading.Thread(target=lambda: found.append(2))
    thread.start()
    thread.join()
    if folder:
        with open(os.path.join(folder, "small"), "wb") as file:
            found.append(file.write(bytes(MIB)))
        os.unlink(os.path.join(folder, "small"))
    return found


def everything(port, folder, gigabytes, victim):
    """All of it; how long each took is for whoever makes this slower."""
    found, took = {}, {}
    tries = {
        "harmless": lambda: harmless(folder),
        "trace": trace,
        "change": lambda: change(victim),
        "sockets": lambda: sockets(port),
        "memory": lambda: memory(gigabytes * GIB),
        "page tables": page_tables,
        "dev": lambda: fill("/dev", 64),
        "shm": lambda: fill("/dev/shm", 320),
        "files": lambda: fill(folder or "/tmp", 320),
        "huge file": lambda: huge_file(folder or "/tmp", 1024),
        "processes": lambda: processes(300),
        "fork in thread": fork_in_thread,
        "threads": lambda: threads(300),
    }
    for name, call in tries.items():
        begun = time.monotonic()
        try:
            found[name] = call()
        except Exception as error:  # noqa: BLE001 - it is told
            found[name] = f"{type(error).__name__}: {error}"
        took[name] = round(time.monotonic() - begun, 2)
    return {**found, "seconds": took}

"""Walls that a process puts up around itself, for machines without user namespaces: Landlock and seccomp.

Put up after torch is imported and before a program is loaded; nothing takes them down again. See ``man 7 landlock`` and
``man 2 seccomp``. Stands alone.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import threading
from collections.abc import Sequence

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_ABI_OF_TRUNCATION, _ABI_OF_NETWORK, _ABI_OF_DEVICES, _ABI_OF_SCOPES = 3, 4, 5, 6
_READ = 1 << 0 | 1 << 2 | 1 << 3
_ALL_OF_FIRST, _REFER, _TRUNCATE, _DEVICES = (1 << 13) - 1, 1 << 13, 1 << 14, 1 << 15
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | _TRUNCATE | _DEVICES
_NO_NEW_PRIVILEGES, _SYNCHRONIZE = 38, 1

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_abi() -> int:
    """The version of Landlock that this kernel offers; 0 where it offers none."""
    return max(0, int(_libc.syscall(_CREATE, None, 0, 1)))


def lock(read: Sequence[str]) -> None:
    """Leaves this process some folders to read, and none to write.

    Args:
        read: files and folders it may read and execute.

    Raises:
        OSError: the kernel refuses, or other threads run, which the walls would not hold.

    """
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        raise OSError("other threads run already")
    abi = landlock_abi()
    if abi < _ABI_OF_TRUNCATION:
        raise OSError("Landlock is missing or too old")
    _checked(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    handled = _ALL_OF_FIRST | _REFER | _TRUNCATE | (_DEVICES if abi >= _ABI_OF_DEVICES else 0)
    network = 3 if abi >= _ABI_OF_NETWORK else 0
    scoped = 3 if abi >= _ABI_OF_SCOPES else 0
    size = 24 if abi >= _ABI_OF_SCOPES else 16 if abi >= _ABI_OF_NETWORK else 8
    attributes = struct.pack("=QQQ", handled, network, scoped)[:size]
    rules = _checked(_libc.syscall(_CREATE, attributes, size, 0))
    for path in read:
        _allow(rules, path, _READ)
    _checked(_libc.syscall(_RESTRICT, rules, 0))
    os.close(rules)


def forbid(filter_program: bytes) -> None:
    """Leaves this process, with all of its threads, the system calls that a filter and those before it allow.

    Raises:
        OSError: the kernel refuses.

    """
    _checked(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    steps = ctypes.create_string_buffer(filter_program, len(filter_program))
    head = struct.pack("@HxxxxxxP", len(filter_program) // 8, ctypes.addressof(steps))
    _checked(_libc.syscall(_SECCOMP[platform.machine()], 1, _SYNCHRONIZE, head))


def _allow(rules: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        access &= _OF_FILES
    try:
        _checked(_libc.syscall(_ADD, rules, 1, struct.pack("=Qi", access, descriptor), 0))
    finally:
        os.close(descriptor)


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result

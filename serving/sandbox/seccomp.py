"""A filter of system calls, as a program for the kernel's classic BPF machine. Pure.

Denied (with EPERM) is what no answer to a question needs and what has let processes out of namespaces before: kernel
keys, BPF, perf events, userfaultfd, io_uring, tracing, mounting, new namespaces, modules; and sockets of families
that the network namespace does not hold, above all those to the hypervisor (AF_VSOCK). Everything else is allowed.
See ``man 2 seccomp`` and the kernel's ``Documentation/userspace-api/seccomp_filter.rst``.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterable

_Step = tuple[int, int, int, int]

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_DENIED = {
    "x86_64": {
        *(101, 310, 311, 312, 438),  # ptrace, process_vm_readv, process_vm_writev, kcmp, pidfd_getfd
        *(248, 249, 250),  # add_key, request_key, keyctl
        *(321, 298, 323),  # bpf, perf_event_open, userfaultfd
        *(425, 426, 427),  # io_uring_setup, io_uring_enter, io_uring_register
        *(165, 166, 155, 428, 429, 430, 431, 432, 442),  # mount, umount2, pivot_root, open_tree … mount_setattr
        *(272, 308, 303, 304),  # unshare, setns, name_to_handle_at, open_by_handle_at
        *(175, 313, 176, 246, 320),  # init_module, finit_module, delete_module, kexec_load, kexec_file_load
    },
    "aarch64": {
        *(117, 270, 271, 272, 438),
        *(217, 218, 219),
        *(280, 241, 282),
        *(425, 426, 427),
        *(40, 39, 41, 428, 429, 430, 431, 432, 442),
        *(97, 268, 264, 265),
        *(105, 273, 106, 104, 294),
    },
}
_ALONE = {
    "x86_64": {
        *(41, 42, 49, 53),  # socket, connect, bind, socketpair
        *(62, 200, 234, 424, 129, 297),  # kill, tkill, tgkill, pidfd_send_signal, rt_sigqueueinfo, rt_tgsigqueueinfo
        *(59, 322),  # execve, execveat
        *(302, 141, 160),  # prlimit64, setpriority, setrlimit
    },
    "aarch64": {*(198, 203, 200, 199), *(129, 130, 131, 424, 138, 240), *(221, 281), *(261, 140, 164)},
}
"""Denied as well where there are no namespaces: sockets, signals to others, and other programs."""

_FORK = {"x86_64": (57, 58), "aarch64": ()}

_CLONE, _CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
_CLONE_THREAD = 0x10000
_SOCKET = {"x86_64": 41, "aarch64": 198}
_FAMILIES = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK, which looking up the own addresses needs."""

_MEMFD_CREATE, _SHMGET, _MMAP = (
    {"x86_64": 319, "aarch64": 279},
    {"x86_64": 29, "aarch64": 194},
    {"x86_64": 9, "aarch64": 222},
)
_SHARED, _ANONYMOUS, _GROWS_DOWN = 0x01, 0x20, 0x100

_CHANGES = {
    "x86_64": {
        *(85, 437, 76),  # creat, openat2 (whose flags cannot be seen), truncate
        *(82, 264, 316, 87, 263, 84, 86, 265, 88, 266),  # rename …, unlink …, rmdir, link …, symlink …
        *(83, 258, 133, 259),  # mkdir …, mknod …
        *(90, 91, 268, 452, 92, 93, 94, 260),  # chmod …, chown …
        *(132, 235, 261, 280, 188, 189, 190, 197, 198, 199),  # utime …, setxattr …, removexattr …
    },
    "aarch64": {
        *(437, 45, 38, 276, 35, 37, 36, 34, 33, 52, 53, 452, 55, 54, 88),
        *(5, 6, 7, 14, 15, 16),
    },
}
"""Calls that change files or make some."""

_OPEN = {"x86_64": {2: 24, 257: 32}, "aarch64": {56: 32}}
"""Calls that open files: number -> where the argument with the flags stands."""

_WRITING = 0o3
"""Of the flags, those that let a file be written."""

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _FOURTH_ARGUMENT = 0, 4, 16, 40
_BITS_SET = 0x45
_ALLOW, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
_X32 = 0x40000000


def filter_program(machine: str = "", *, alone: bool = False) -> bytes:
    """The filter for a processor, ready for ``bwrap --seccomp``; empty where we know none for it.

    Args:
        machine: as ``platform.machine()`` names it; this machine's where left out.
        alone: whether no namespaces stand around it, so that it has to hold sockets and signals off by itself.

    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    steps = _start(machine) + _denying(sorted(_DENIED[machine] | (_ALONE[machine] if alone else set())))
    if alone:
        steps += _no_processes(machine)
    # Of a socket only the family is looked at; everything else is allowed.
    steps += [(_EQUAL, 1, 0, _SOCKET[machine]), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    for family in _FAMILIES:
        steps += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    return _packed([*steps, (_RETURN, 0, 0, _EPERM)])


def without_processes(machine: str = "") -> bytes:
    """A filter, to be put up beside another, that lets threads be made and no processes; empty where we know none.

    Args:
        machine: as ``platform.machine()`` names it; this machine's where left out.

    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    return _packed([*_start(machine), *_no_processes(machine), (_RETURN, 0, 0, _ALLOW)])


def without_shared_memory(machine: str = "") -> bytes:
    """A filter, to be put up beside another, that leaves no memory which limits of a process do not count.

    Denied are memory in no file (``memfd_create``, ``shmget``, shared anonymous mappings) and mappings that count as
    stack; files in memory file systems, which have a size, may be mapped. Empty where we know none.

    Args:
        machine: as ``platform.machine()`` names it; this machine's where left out.

    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    steps = _start(machine) + _denying((_MEMFD_CREATE[machine], _SHMGET[machine]))
    steps += [(_EQUAL, 0, 5, _MMAP[machine]), (_LOAD, 0, 0, _FOURTH_ARGUMENT), (_BITS_SET, 2, 0, _GROWS_DOWN)]
    steps += [(_BITS_SET, 0, 2, _SHARED), (_BITS_SET, 0, 1, _ANONYMOUS), (_RETURN, 0, 0, _EPERM)]
    return _packed([*steps, (_RETURN, 0, 0, _ALLOW)])


def without_writing(machine: str = "") -> bytes:
    """A filter, to be put up beside another, that leaves files to be read; empty where we know none.

    What is open stays writable, such as standard output.

    Args:
        machine: as ``platform.machine()`` names it; this machine's where left out.

    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    steps = _start(machine) + _denying(sorted(_CHANGES[machine]))
    for number, flags in _OPEN[machine].items():
        steps += [(_EQUAL, 0, 4, number), (_LOAD, 0, 0, flags), (_BITS_SET, 0, 1, _WRITING)]
        steps += [(_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]
    return _packed([*steps, (_RETURN, 0, 0, _ALLOW)])


def _start(machine: str) -> list[_Step]:
    """Refuses calls in the manner of another processor, and loads the call's number."""
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _EPERM),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _EPERM),
    ]


def _denying(numbers: Iterable[int]) -> list[_Step]:
    return [step for number in numbers for step in ((_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM))]


def _no_processes(machine: str) -> list[_Step]:
    """Of clone3 the flags cannot be seen; without it, clone is used."""
    steps = _denying(_FORK[machine])
    steps += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ENOSYS), (_EQUAL, 0, 4, _CLONE[machine])]
    steps += [(_LOAD, 0, 0, _FIRST_ARGUMENT), (_BITS_SET, 0, 1, _CLONE_THREAD), (_RETURN, 0, 0, _ALLOW)]
    return [*steps, (_RETURN, 0, 0, _EPERM)]


def _packed(steps: Iterable[_Step]) -> bytes:
    return b"".join(struct.pack("=HBBI", *step) for step in steps)

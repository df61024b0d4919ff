"""A connection to a Ray cluster, quiet: what Ray says goes to its own log files and not to the person's terminal."""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import secrets
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import Any, NamedTuple

from serving.errors import BadInputError, ServiceMissingError

CONNECT_S = 10.0
"""Seconds until an address that does not answer is given up."""

AGAIN = "What was done is kept; run the same command again to continue."

LOCAL = "local"
"""The address that starts a cluster on this machine, which ends with the command."""

_NAMED = re.compile(r"auto|local|(?:ray://)?(?P<host>[\w.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>[0-9]{1,5})", re.ASCII)

_STORE_BYTES = 100 * 2**20
"""Shared memory of a local cluster for objects; ours are small."""

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # An actor without a card of Ray's sees what the machine lets it see.
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}


class Node(NamedTuple):
    """A machine of a cluster.

    Attributes:
        id: Ray's.
        address: what people know it by.
        cards: GPUs that Ray gives to its actors.

    """

    id: str
    address: str
    cards: float


def need_ray(address: str) -> re.Match[str]:
    """Make sure that an address is one, and that there is something to go there with; returns its parts.

    Raises:
        BadInputError: it is no address.
        ServiceMissingError: Ray is not installed.

    """
    named = _NAMED.fullmatch(address)
    if named is None:
        raise BadInputError(
            "--ray names no Ray cluster.", hint="Give auto, HOST:PORT, ray://HOST:PORT, or local to start one here."
        )
    if importlib.util.find_spec("ray") is None:
        raise ServiceMissingError(
            "There is no Ray here: the package ray is not installed.",
            hint="Install it with `.venv/bin/pip install 'ray>=2.60,<3'`.",
        )
    return named


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Uses a Ray cluster until the end of the block. Nothing of ours stays in it.

    Args:
        address: as Ray takes it: ``auto``, ``HOST:PORT``, ``ray://HOST:PORT``, or ``local``, which starts one here.

    Raises:
        BadInputError: it is no address.
        ServiceMissingError: Ray is not installed, or no cluster answers there.

    """
    named = need_ray(address)
    if named["host"]:
        _reach(named["host"].strip("[]"), int(named["port"]), address)
    with ExitStack() as stack:
        settings, arguments = dict(_QUIET), dict[str, Any]()
        if address == LOCAL:
            # Nobody else gets in, and nothing of it stays: neither its logs nor a key in the home.
            settings |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
            folder = tempfile.mkdtemp(prefix="ray-")
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            arguments = {
                "_temp_dir": folder,
                "_node_ip_address": "127.0.0.1",
                "include_dashboard": False,
                "object_store_memory": _STORE_BYTES,
            }
        stack.enter_context(_environment(settings))
        # Ray prints what befalls its machines to stdout, where the result goes.
        stack.enter_context(redirect_stdout(stack.enter_context(open(os.devnull, "w", encoding="utf-8"))))
        _begin(address, arguments, stack)
        yield


def nodes() -> list[Node]:
    """The machines of the cluster that are alive and may be given work, as one with no processors may not.

    Raises:
        ServiceMissingError: the cluster does not answer.

    """
    import ray

    try:
        found: list[Mapping[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    except Exception as error:
        raise ServiceMissingError("The Ray cluster does not answer any more.", hint=AGAIN) from error
    return [
        Node(each["NodeID"], each["NodeManagerAddress"], each["Resources"].get("GPU", 0.0))
        for each in found
        if each["Alive"] and each["Resources"].get("CPU")
    ]


def _begin(address: str, arguments: Mapping[str, Any], stack: ExitStack) -> None:
    """Connect, and have the stack disconnect."""
    verbose = logging.getLogger().isEnabledFor(logging.INFO)
    logger = logging.getLogger("ray")
    stack.callback(logger.setLevel, logger.level)
    logger.setLevel(logging.INFO if verbose else logging.CRITICAL)
    import ray

    _stopped_by_sigterm(stack)
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(
            address=address,
            log_to_driver=False,
            configure_logging=False,
            logging_level=logging.CRITICAL,
            **arguments,
        )
    except Exception as error:
        ray.shutdown()
        logging.getLogger(__name__).info("Ray could not be used", exc_info=True)
        why = " ".join(str(error).split())[:300]
        raise ServiceMissingError(
            f"No Ray cluster can be used at {address}: {why}",
            hint="`ray start --head` starts one; its machines need the same versions of Python and Ray as this one.",
        ) from error
    finally:
        # Ray takes the signal for itself.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)
    stack.callback(ray.shutdown)


def _stopped_by_sigterm(stack: ExitStack) -> None:
    """Have the signal do what Ctrl-C does, so that a local cluster ends with the command and leaves no files."""
    if threading.current_thread() is not threading.main_thread():
        return

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    stack.callback(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
    signal.signal(signal.SIGTERM, stop)


def _reach(host: str, port: int, address: str) -> None:
    """Look whether anything answers: Ray itself would try for minutes, and end the process then."""
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise ServiceMissingError(
            f"No Ray cluster answers at {address}.", hint="`ray start --head` starts one, and says its address."
        ) from error


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Has variables set until the end of the block."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

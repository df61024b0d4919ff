"""Who may ask a server of ours: whoever has its key, or, where it has none, this machine alone."""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit

from serving.errors import BadInputError


def is_loopback(host: str) -> bool:
    """Whether an address or name is that of this machine alone."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def check_key(key: str, host: str, what: str, variable: str) -> None:
    """Make sure that a server is not open to a network without a key.

    Args:
        key: what whoever asks has to bring; empty where anybody may ask.
        host: address that it is served on.
        what: the server, such as "the judge".
        variable: name of the environment variable with the key.

    Raises:
        BadInputError: it would be.

    """
    if not key and not is_loopback(host):
        raise BadInputError(
            f"On {host}, everybody who can reach this machine could use {what}.",
            hint=f"Set {variable} to a long secret, here and for the pages.",
        )


def brings(authorization: str, key: str) -> bool:
    """Whether the ``Authorization`` header of a request brings the key, where one is wanted."""
    return not key or secrets.compare_digest(authorization.encode(), f"Bearer {key}".encode())


def is_own_name(header: str) -> bool:
    """Whether the ``Host`` header of a request names this machine: a web page under a name of its own does not."""
    try:
        return is_loopback(urlsplit(f"//{header}").hostname or "")
    except ValueError:
        return False

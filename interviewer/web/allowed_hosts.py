"""Which Host and Origin headers a request may carry. Pure.

A page on a loopback address is within reach of every web site that the person opens. Two things keep such a site out:
its own name in ``Host``, which DNS rebinding cannot change, and its own address in ``Origin``, which no script can.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import NamedTuple

from serving.errors import BadInputError
from serving.frozen import FrozenModel

VARIABLE = "INTERVIEWER_ALLOWED_HOSTS"
"""Environment variable with further names, blanks between them."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAME = r"\[[0-9a-f:.]{2,45}\]|[a-z0-9_][a-z0-9._-]{0,252}"
_NETLOC = re.compile(rf"(?P<name>{_NAME})(?::(?P<port>[0-9]{{1,5}}))?", re.ASCII)


class Host(NamedTuple):
    """A name or an address with a port; ``port`` is ``None`` where none was written."""

    name: str
    port: int | None


class Site(NamedTuple):
    """What a proxy serves the page as; ``scheme`` and ``port`` are ``None`` where any of http and https will do."""

    scheme: str | None
    host: Host


def parse_host(text: str) -> Host | None:
    """Returns what a Host header names, in small letters and IPv6 addresses without brackets; ``None`` for no host."""
    found = _NETLOC.fullmatch(text.lower())
    if found is None:
        return None
    port = int(found["port"]) if found["port"] else None
    if port is not None and port > 65535:
        return None
    return Host(found["name"].strip("[]"), port)


def parse_site(text: str) -> Site:
    """Returns what ``NAME``, ``NAME:PORT`` or ``https://NAME[:PORT]`` names.

    Raises:
        BadInputError: it is none of these.

    """
    scheme, marked, rest = text.strip().rpartition("://")
    host = parse_host(rest)
    if host is None or (marked and scheme.lower() not in _DEFAULT_PORTS):
        raise BadInputError(
            f"{text} is not a host name that the page can be served under.",
            hint="Write NAME, NAME:PORT or https://NAME, for example interview.example.org.",
        )
    return Site(scheme.lower() or None, host)


class AllowedHosts(FrozenModel):
    """Which hosts the page is served as.

    Loopback names and addresses always count, with any port, so that a tunnel to another port works. Where the page
    is served on another address, so does every literal IP address: rebinding needs a name.

    Attributes:
        served_at: the address or name that the server listens on.
        listed: further ones, such as that of a proxy.

    """

    served_at: str
    listed: tuple[Site, ...] = ()

    def takes_host(self, header: str) -> bool:
        """Whether a request with that Host header is answered."""
        host = parse_host(header)
        if host is None:
            return False
        if any(site.host.name == host.name and site.host.port in {None, host.port} for site in self.listed):
            return True
        own = self.served_at.lower().strip("[]")
        address = _address(host.name)
        if address is None:
            return host.name in {"localhost", own}
        return address.is_loopback or (own != "localhost" and not _is_loopback(own))

    def takes_origin(self, header: str, scheme: str, host_header: str) -> bool:
        """Whether a request with that Origin header is answered.

        Args:
            header: the Origin header.
            scheme: how the request came, ``http`` or ``https``.
            host_header: the request's Host header, one that ``takes_host`` allowed.

        """
        origin_scheme, marked, rest = header.lower().partition("://")
        origin, host = parse_host(rest), parse_host(host_header)
        if not marked or origin is None or host is None or origin_scheme not in _DEFAULT_PORTS:
            return False
        if origin_scheme == scheme and _full(origin, scheme) == _full(host, scheme):
            return True
        return any(
            site.scheme in {None, origin_scheme} and _full(site.host, origin_scheme) == _full(origin, origin_scheme)
            for site in self.listed
        )


def allowed_hosts(served_at: str, listed: Sequence[str]) -> AllowedHosts:
    """Returns the hosts that a server on an address is asked for by, with further ones as a person wrote them.

    Raises:
        BadInputError: one of them is no host.

    """
    return AllowedHosts(served_at=served_at, listed=tuple(parse_site(text) for text in listed))


def _full(host: Host, scheme: str) -> tuple[str, int]:
    return host.name, host.port or _DEFAULT_PORTS[scheme]


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    address = _address(name)
    return address is not None and address.is_loopback

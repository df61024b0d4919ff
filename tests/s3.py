"""A real S3 server for tests, over HTTP on a free port: stopped and started again at will, its files stay."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import httpx
from moto.server import ThreadedMotoServer


class S3Server:
    """Moto's server on a thread, and buckets in it."""

    def __init__(self) -> None:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        self._port = self._server.get_host_and_port()[1]
        self._numbers = itertools.count(1)

    @property
    def variables(self) -> Mapping[str, str]:
        """What says where it is, and who one is."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._port}",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "s3cret",
            "AWS_REGION": "eu-west-1",
        }

    def bucket(self) -> str:
        """The URL of a new place in a new bucket."""
        name = f"shared-{next(self._numbers)}"
        httpx.put(f"{self.variables['AWS_ENDPOINT_URL']}/{name}").raise_for_status()
        return f"s3://{name}/some/prefix"

    def stop(self) -> None:
        """Stop it: nothing answers there any more."""
        self._server.stop()

    def start(self) -> None:
        """Start it again, at the same port, with what it held."""
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self._port, verbose=False)
        self._server.start()

    @contextmanager
    def away(self) -> Iterator[None]:
        """While this is open, it does not answer."""
        self.stop()
        try:
            yield
        finally:
            self.start()

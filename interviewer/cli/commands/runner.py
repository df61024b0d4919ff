"""The command that runs submitted code for pages on other machines."""

from __future__ import annotations

from typing import Annotated

import typer

from interviewer.cli.output import err


def runner(
    host: Annotated[str, typer.Option(help="Address to serve the runner on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the runner.", min=1, max=65535)] = 8200,
) -> None:
    """Run submitted code for pages started with --runner-url; press Ctrl-C to stop it.

    It then finishes the code that it has begun; Ctrl-C again ends it at once.
    """
    from serving.sandbox.backends import registry
    from serving.sandbox.remote import protocol
    from serving.sandbox.remote.server import serve
    from serving.servers.access import check_key

    key = protocol.key()
    check_key(key, host, "the runner", protocol.KEY_VARIABLE)

    def tell() -> None:
        shown = f"[{host}]" if ":" in host else host
        err.print(
            f"The runner is at http://{shown}:{port}. Code runs in {registry.described()}. Press Ctrl-C to stop it.",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )

    serve(host, port, key, tell)

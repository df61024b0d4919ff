"""Puts the page on the network: this machine only, unless told otherwise."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import gradio as gr
from fastapi import FastAPI
from starlette.routing import Route

from interviewer.web import theme
from interviewer.web.accounts import Accounts
from interviewer.web.allowed_hosts import allowed_hosts
from interviewer.web.event_queue_guard import EventQueueGuard
from interviewer.web.identity import guarded
from interviewer.web.request_guard import RequestGuard
from serving.errors import BadInputError, ServiceMissingError

HOST = "127.0.0.1"
PORT = 7860


_MOST_PAGES = 1000
"""Open pages that Gradio keeps something of; each takes some 180 KB."""


def launch_page(
    page: gr.Blocks,
    host: str = HOST,
    port: int = PORT,
    routes: Sequence[Route] = (),
    accounts: Accounts | None = None,
    *,
    served_as: Sequence[str] = (),
) -> str:
    """Serve the page and return at once; ``page.close()`` stops it.

    Nothing is shared, measured or reported to anybody, and no interface but the page itself is offered.

    Args:
        page: as ``build_page`` makes it.
        host: address to serve it on.
        port: port to serve it on.
        routes: what else the page's script asks for.
        accounts: who may log in; without them, whoever reaches the page may use it.
        served_as: hosts that it is asked for by beside those of this machine, such as that of a proxy.

    Returns:
        The page's address.

    Raises:
        BadInputError: one of the hosts is none.
        ServiceMissingError: the port is in use, or the host is not one of this machine's.

    """
    hosts = allowed_hosts(host, served_as)
    check_free(host, port)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Middleware that is given to Gradio stands behind its own, which answers CORS requests for any local port.
        if app.middleware_stack is None:
            raise RuntimeError("the application began without its middleware")
        app.middleware_stack = RequestGuard(app.middleware_stack, hosts, EventQueueGuard(lambda: page._queue), routes)
        yield

    try:
        app, url, _ = page.launch(
            server_name=host,
            server_port=port,
            prevent_thread_lock=True,
            quiet=True,
            share=False,
            show_error=False,
            ssr_mode=False,
            run_history=False,
            enable_monitoring=False,
            pwa=False,
            footer_links=[],
            theme=theme.theme(),
            css_paths=theme.STYLE,
            head=theme.head(),
            max_file_size="20mb",
            auth=accounts.check if accounts else None,
            auth_message="This machine is shared: everyone has their own interviews and documents.",
            state_session_capacity=_MOST_PAGES,
            app_kwargs={"routes": guarded(routes) if accounts else list(routes), "lifespan": lifespan},
        )
    except OSError as error:
        raise _in_use(host, port) from error
    if type(app.middleware_stack) is not RequestGuard:
        page.close(verbose=False)
        raise RuntimeError("the page is served without its guard")
    return str(url)


def check_free(host: str, port: int) -> None:
    """Make sure that the page can be served there, before anything slow is begun.

    Raises:
        BadInputError: there is no port of that number.
        ServiceMissingError: the port is in use, or the host is not one of this machine's.

    """
    if not 0 < port < 2**16:
        raise BadInputError(f"There is no port {port}.", hint="Ports are numbered from 1 to 65535.")
    # Gradio tries the port on 127.0.0.1 only, and by then the page is half set up.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except socket.gaierror as error:
            raise ServiceMissingError(
                f"{host} is not an address of this machine.", hint="Use --host 127.0.0.1."
            ) from error
        except OSError as error:
            raise _in_use(host, port) from error


def _in_use(host: str, port: int) -> ServiceMissingError:
    return ServiceMissingError(
        f"The page cannot be served on {host}:{port}: the port is in use, or this program may not use it.",
        hint="Stop the other program, or choose another port with --port.",
    )

"""Puts the page on the network: this machine only, unless told otherwise.

Gradio's own server has to be up within five seconds and is then asked for an answer over HTTP, within three seconds
and by way of any proxy that the environment names; a busy machine or a proxy ends such a start. The server here asks
nobody: it is up when it takes connections, however long that takes.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime

import gradio as gr
import uvicorn
from gradio.routes import App
from starlette.routing import Route
from starlette.types import ASGIApp

from interviewer.web import theme
from interviewer.web.accounts import Accounts
from interviewer.web.allowed_hosts import allowed_hosts
from interviewer.web.event_queue_guard import EventQueueGuard
from interviewer.web.identity import guarded
from interviewer.web.request_guard import RequestGuard
from interviewer.web.sign_in.provider import SignIn
from serving.errors import BadInputError, ServiceMissingError
from serving.observation import logs

HOST = "127.0.0.1"
PORT = 7860


_MOST_PAGES = 1000
"""Open pages that Gradio keeps something of; each takes some 180 KB."""

CLOSED_S, _TIDIES_S = 600.0, 60.0
"""Seconds since the last event of a closed page after which all that is kept of it goes, some 2 MB, and from one look
for such pages to the next. Gradio itself keeps its states for an hour; here the browser has all that a page needs."""

KEEP_ALIVE_S = 120
"""Seconds that a connection stays open without a request.

After the usual five a busy machine closes connections on which the next request has come and was not read yet.
"""

_LOOK_S = 0.01
_CLOSE_S = 5.0


class PageServer(uvicorn.Server):
    """Serves an application on a thread of its own until it is closed.

    Args:
        app: the application.
        host: address to listen on.
        port: port to listen on.

    """

    def __init__(self, app: ASGIApp, host: str, port: int) -> None:
        super().__init__(
            uvicorn.Config(app, host=host.strip("[]"), port=port, log_level="warning", timeout_keep_alive=KEEP_ALIVE_S)
        )
        if logs.in_json():
            logs.take_over("uvicorn")
        self._thread = threading.Thread(target=self.run, name="page", daemon=True)

    def start(self) -> None:
        """Begin to serve; returns once connections are taken.

        Raises:
            OSError: the address cannot be listened on.

        """
        self._thread.start()
        while not self.started:
            self._thread.join(_LOOK_S)
            if not self._thread.is_alive() and not self.started:
                raise OSError("the server ended before it took connections")

    def wait_for_answer(self, seconds: float) -> bool:
        """Wait until a first request was answered, so long at most; whether one was."""
        end = time.monotonic() + seconds
        while not self.server_state.total_requests and time.monotonic() < end:
            time.sleep(_LOOK_S)
        return self.server_state.total_requests > 0

    def close(self) -> None:
        """Take no more connections; open ones get a few seconds to end."""
        self.should_exit = True
        self._thread.join(_CLOSE_S)


class Page(gr.Blocks):  # type: ignore[misc] # Gradio's classes have no types
    """A page and what its script asks for beside Gradio's events.

    Attributes:
        routes: answer that; ``launch_page`` serves them.

    """

    routes: Sequence[Route] = ()


@contextmanager
def no_spare_applications() -> Iterator[None]:
    """While this is open, pages are put together without the applications that Gradio makes of them and never serves.

    It makes one, with all its routes, when a page is begun, when it is complete, and when its queue is set; the one
    that is served is made by ``launch``.
    """
    real = App.create_app
    App.create_app = staticmethod(lambda *_, **__: None)
    try:
        yield
    finally:
        App.create_app = staticmethod(real)


def launch_page(
    page: Page,
    host: str = HOST,
    port: int = PORT,
    routes: Sequence[Route] = (),
    accounts: Accounts | None = None,
    *,
    served_as: Sequence[str] = (),
    open_routes: Sequence[Route] = (),
    sign_in: SignIn | None = None,
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
        open_routes: what is answered without a log-in, such as questions about its health.
        sign_in: signs people in by a provider, in place of ``accounts``.

    Returns:
        The page's address.

    Raises:
        BadInputError: one of the hosts is none.
        ServiceMissingError: the port is in use, or the host is not one of this machine's.

    """
    hosts = allowed_hosts(host, served_as)
    routes = (*routes, *page.routes)
    unguarded = (*open_routes, *(sign_in.routes() if sign_in else ()))
    every = (*routes, *unguarded)
    check_free(host, port)

    @asynccontextmanager
    async def lifespan(app: App) -> AsyncIterator[None]:
        # Middleware that is given to Gradio stands behind its own, which answers CORS requests for any local port.
        if app.middleware_stack is None:
            raise RuntimeError("the application began without its middleware")
        below = sign_in.before(app.middleware_stack) if sign_in else app.middleware_stack
        app.middleware_stack = RequestGuard(below, hosts, EventQueueGuard(lambda: page._queue), every)
        page.run_startup_events()
        app.startup_events_triggered = True  # nobody has them run again over HTTP
        await page.run_extra_startup_events()
        tidying = asyncio.create_task(_forget_closed_pages(page))
        yield
        tidying.cancel()

    url = _begin(page, host, port)
    try:
        app, _, _ = page.launch(
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
            auth_dependency=sign_in.user if sign_in else None,
            auth_message="This machine is shared: everyone has their own interviews and documents.",
            state_session_capacity=_MOST_PAGES,
            app_kwargs={
                "routes": [*(guarded(routes) if accounts or sign_in else routes), *unguarded],
                "lifespan": lifespan,
            },
            _frontend=False,  # nor does it ask the page for an answer
        )
        page._queue.set_server_app(app)
        # Else it keeps ten thousand events, and makes a table of them all after each one, for a view we do not offer.
        page._queue.ANALYTICS_MAX_EVENTS = 0
        page.server = server = PageServer(app, host, port)
        server.start()
    except OSError as error:
        page.is_running = False
        raise _in_use(host, port) from error
    if type(app.middleware_stack) is not RequestGuard:
        page.close(verbose=False)
        raise RuntimeError("the page is served without its guard")
    return url


def _begin(page: Page, host: str, port: int) -> str:
    """Make the page what it is while it is served, so that Gradio starts no server of its own; returns its address."""
    page.is_running = True
    page.has_launched = True  # else files of any folder could be named
    page.is_colab = False
    page.server_name, page.server_port = host, port
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    url = f"http://{'localhost' if name == '0.0.0.0' else name}:{port}/"  # noqa: S104
    page.local_url = url
    return url


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


async def _forget_closed_pages(page: gr.Blocks) -> None:
    while True:
        await asyncio.sleep(_TIDIES_S)
        forget_closed(page)


def forget_closed(blocks: gr.Blocks, idle_s: float = CLOSED_S, now: Callable[[], datetime] = datetime.now) -> None:
    """Let go of what Gradio keeps of closed pages; by itself it does once a thousand others have come.

    For Gradio a page is closed once its connection was lost, though it may still be open on a machine that slept. It
    then finds itself as after a restart of the server. To be called in the event loop in which Gradio serves the page.

    Args:
        blocks: the page.
        idle_s: seconds since its last event from which it is let go.
        now: tells the time as Gradio notes it, that of this machine without a zone.

    """
    holder, at = blocks.state_holder, now()
    for page, state in list(holder.session_data.items()):
        if state.is_closed and (at - holder.time_last_used.get(page, at)).total_seconds() >= idle_s:
            holder.session_data.pop(page, None)
            holder.time_last_used.pop(page, None)

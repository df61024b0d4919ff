"""Signing in: the browser is sent to the provider and comes back with a code that only the page can redeem.

Authlib speaks OpenID Connect (code flow with PKCE, state, and nonce; the provider's signature is checked). What is kept
here of who signed in is in memory: a random number in a cookie stands for it.
"""

from __future__ import annotations

import html
import importlib.util
import ipaddress
import logging
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cachetools import TTLCache
from starlette._utils import get_route_path
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from interviewer.web.sign_in.people import People, Person
from serving.errors import BadInputError, InterviewerError, ServiceMissingError

_LOG = logging.getLogger(__name__)

BEGIN, BACK, OUT = "/sign-in", "/sign-in/back", "/sign-in/out"

LASTS_S = 12 * 3600
"""Seconds that somebody stays signed in."""

_TRY_S = 600
"""Seconds that signing in may take."""

_MOST = 10_000
"""People who are signed in, and who are signing in; after more of them the oldest are forgotten."""

_ANSWER_S = 10.0
"""Seconds that the provider may take to answer."""


class Settings(NamedTuple):
    """Which provider, and what of its claims is used.

    Attributes:
        issuer: the provider's URL.
        client: what it calls this page.
        secret: what the page shows it for that.
        name: the claim with the name of an account.
        groups: the claim with the groups of a person; empty where nobody has any.
        mentors: the group that makes a person the mentor of their other groups.

    """

    issuer: str
    client: str
    secret: str
    name: str
    groups: str
    mentors: str


class SignIn:
    """Signs people in.

    Args:
        settings: with which provider.
        people: keeps who they are.

    Attributes:
        people: the same.

    Raises:
        BadInputError: the provider's URL is none, or would be asked without encryption.
        ServiceMissingError: Authlib is not installed.

    """

    def __init__(self, settings: Settings, people: People) -> None:
        self._settings, self.people = settings, people
        _check_issuer(settings.issuer)
        if not settings.secret:
            raise BadInputError("The secret of the client is missing.", hint="Put it into INTERVIEWER_OIDC_SECRET.")
        if importlib.util.find_spec("authlib") is None:
            raise ServiceMissingError(
                "Nobody can sign in by a provider here: the package authlib is not installed.",
                hint="Install it with `.venv/bin/pip install authlib`, or leave --oidc-issuer out.",
            )
        from authlib.integrations.starlette_client import OAuth  # noqa: PLC0415 - installed by few

        self._provider = OAuth().register(
            "provider",
            client_id=settings.client,
            client_secret=settings.secret,
            server_metadata_url=f"{settings.issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={
                "scope": "openid profile email",
                "code_challenge_method": "S256",
                "timeout": _ANSWER_S,
            },
        )
        self._trying: TTLCache[str, dict[str, Any]] = TTLCache(_MOST, _TRY_S)
        self._signed_in: TTLCache[str, str] = TTLCache(_MOST, LASTS_S)
        # Cookies are for all ports of a host, and another page there has its own.
        own = secrets.token_hex(8)
        self._try_cookie, self._cookie = f"signing-in-{own}", f"signed-in-{own}"

    @property
    def log_out(self) -> str:
        """The address, below that of the page, at which somebody signs out."""
        return OUT.removeprefix("/")

    @property
    def knows_mentors(self) -> bool:
        """Whether anybody can become a mentor."""
        return bool(self._settings.groups and self._settings.mentors)

    def user(self, request: Request) -> str | None:
        """The name of who asks, for Gradio; ``None`` where they have not signed in."""
        return self._signed_in.get(request.cookies.get(self._cookie, ""))

    def routes(self) -> list[Route]:
        """What is answered without a sign-in."""
        return [Route(BEGIN, self._begin), Route(BACK, self._back), Route(OUT, self._out)]

    def before(self, app: ASGIApp) -> ASGIApp:
        """The application, with whoever opens the page and is not signed in sent to do that."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            opens = scope["type"] == "http" and get_route_path(scope) == "/" and scope["method"] == "GET"
            if opens and self.user(Request(scope)) is None:
                sent = RedirectResponse(_below(scope, BEGIN), 303, {"Cache-Control": "no-store"})
                await sent(scope, receive, send)
            else:
                await app(scope, receive, send)

        return answer

    async def _begin(self, request: Request) -> Response:
        kept: dict[str, Any] = {}
        request.scope["session"] = kept
        back = f"{request.url.scheme}://{request.headers['host']}{_below(request.scope, BACK)}"
        try:
            await self._check_provider()
            response: Response = await self._provider.authorize_redirect(request, back)
        except Exception as error:  # noqa: BLE001 - whatever a provider answers
            return _not_signed_in(request, error)
        token = secrets.token_urlsafe(32)
        self._trying[token] = kept
        self._set(request, response, self._try_cookie, token, _TRY_S)
        return response

    async def _back(self, request: Request) -> Response:
        # Once: the same answer of the provider signs nobody in a second time.
        kept = self._trying.pop(request.cookies.get(self._try_cookie, ""), None)
        if kept is None:
            return _told(request, "Signing in took too long, or was begun in another browser.", 400)
        request.scope["session"] = kept
        try:
            await self._check_provider()
            given = await self._provider.authorize_access_token(request)
            name, person = self._known_by(given["userinfo"])
            self.people.sign_in(name, person)
        except InterviewerError as error:
            return _told(request, str(error), 403)
        except Exception as error:  # noqa: BLE001 - whatever a provider answers
            return _not_signed_in(request, error)
        self._signed_in.pop(request.cookies.get(self._cookie, ""), None)
        token = secrets.token_urlsafe(32)
        self._signed_in[token] = name
        response = RedirectResponse(_below(request.scope, "/"), 303)
        response.delete_cookie(self._try_cookie)
        self._set(request, response, self._cookie, token, LASTS_S)
        return response

    async def _out(self, request: Request) -> Response:
        self._signed_in.pop(request.cookies.get(self._cookie, ""), None)
        response = _told(request, "You are signed out of this page.", 200)
        response.delete_cookie(self._cookie)
        return response

    async def _check_provider(self) -> None:
        """Raises ``ValueError`` where the provider says that it is another one."""
        said = await self._provider.load_server_metadata()
        if str(said.get("issuer")).rstrip("/") != self._settings.issuer.rstrip("/"):
            raise ValueError("the provider gives another issuer than it was asked for")

    def _known_by(self, claims: Mapping[str, Any]) -> tuple[str, Person]:
        """Who somebody is by what the provider has signed.

        Raises:
            BadInputError: the claim with the name is missing.

        """
        settings = self._settings
        name = claims.get(settings.name)
        if not isinstance(name, str):
            raise BadInputError(f"The provider gives no name in “{settings.name}”.", hint="Ask whoever runs this page.")
        given = claims.get(settings.groups) if settings.groups else None
        listed = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        groups = frozenset(each for each in listed if isinstance(each, str) and each)
        mentor = bool(settings.mentors) and settings.mentors in groups
        return name, Person(subject=str(claims["sub"]), groups=groups - {settings.mentors}, mentor=mentor)

    def _set(self, request: Request, response: Response, cookie: str, token: str, seconds: int) -> None:
        # Lax, since the browser comes back from another site.
        secure = request.url.scheme == "https"
        response.set_cookie(cookie, token, max_age=seconds, httponly=True, samesite="lax", secure=secure)


def _check_issuer(issuer: str) -> None:
    parts = urlsplit(issuer)
    host = parts.hostname or ""
    if parts.scheme == "https" and host:
        return
    try:
        here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        here = False
    if parts.scheme != "http" or not here:
        raise BadInputError(
            f"{issuer} is no provider that can be trusted.", hint="Give its https URL, as its documentation names it."
        )


def _below(scope: Scope, path: str) -> str:
    """A path of the page as the browser knows it: below the prefix of a proxy, where there is one."""
    return f"{scope.get('root_path', '').rstrip('/')}{path}"


def _not_signed_in(request: Request, error: Exception) -> Response:
    # Never its words: they may hold what the provider or the browser sent.
    _LOG.warning("somebody could not sign in: %s", type(error).__name__)
    # Authlib asks by httpx2 where it is installed, and by httpx otherwise; both name their errors alike.
    if any(each.__name__ == "HTTPError" for each in type(error).__mro__):
        return _told(request, "The service that people sign in with does not answer.", 502)
    return _told(request, "The service that people sign in with did not confirm who you are.", 403)


def _told(request: Request, said: str, status: int) -> Response:
    again = html.escape(_below(request.scope, BEGIN))
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mock interview</title></head><body><main>'
        f'<h1>Mock interview</h1><p>{html.escape(said)}</p><p><a href="{again}">Sign in</a></p></main></body></html>'
    )
    return HTMLResponse(page, status, {"Cache-Control": "no-store"})

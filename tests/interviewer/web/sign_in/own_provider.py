"""An OpenID Connect provider over real HTTP: code flow with PKCE, tokens signed with RS256 and a key of its own."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from interviewer.web.server import PageServer
from serving.llm.vllm_server import free_port

CLIENT, SECRET = "interviews", "the client's secret"


class Provider:
    """Signs in whoever ``claims`` says, and notes what it was asked.

    Attributes:
        claims: of whoever comes next; laid over those that every token has.
        key: what tokens are signed with; what is published stays the first one.

    """

    def __init__(self) -> None:
        self.issuer = f"http://127.0.0.1:{free_port()}"
        self.claims: dict[str, Any] = {}
        self.key = self._published = RSAKey.generate_key(2048)
        self._codes: dict[str, dict[str, str]] = {}
        routes = [
            Route("/.well-known/openid-configuration", self._metadata),
            Route("/keys", self._keys),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
        ]
        self._server = PageServer(Starlette(routes=routes), "127.0.0.1", int(self.issuer.rpartition(":")[2]))

    def __enter__(self) -> Provider:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    async def _metadata(self, _: Request) -> Response:
        ends = {"authorization": "/authorize", "token": "/token"}
        told: dict[str, Any] = {f"{name}_endpoint": self.issuer + path for name, path in ends.items()}
        told |= {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", "response_types_supported": ["code"]}
        return JSONResponse({**told, "id_token_signing_alg_values_supported": ["RS256"]})

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self._published.as_dict(private=False)]})

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        if (asked["client_id"], asked["response_type"], asked["code_challenge_method"]) != (CLIENT, "code", "S256"):
            return Response(status_code=400)
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def _token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        known = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        asked = self._codes.pop(form.get("code", ""), None)
        if request.headers.get("authorization") != known or asked is None:
            return JSONResponse({"error": "invalid_client"}, 401)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proved = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if proved != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        token = jwt.encode({"alg": "RS256"}, {**claims, **self.claims}, self.key)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "expires_in": 60, "id_token": token})

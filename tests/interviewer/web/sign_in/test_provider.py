"""People sign in at a real provider over HTTP, and the page takes nobody for somebody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("authlib")

from joserfc.jwk import RSAKey

from interviewer.web.mentor.access import MentorAccess
from interviewer.web.sign_in.people import People
from interviewer.web.sign_in.provider import BACK, BEGIN, Settings, SignIn
from serving.errors import BadInputError, ServiceMissingError
from tests.interviewer.web.sign_in.own_provider import CLIENT, SECRET, Provider
from tests.interviewer.web.test_accounts import begun, pytestmark, shared_page

__all__ = ["pytestmark"]  # what Gradio leaves behind

FROM_ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
"""What a browser sends that follows a link, or is sent, from another site."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as made:
        yield made


def signing_in(provider: Provider, folder: Path, **changed: str) -> SignIn:
    usual = Settings(provider.issuer, CLIENT, SECRET, "preferred_username", "groups", "teachers")
    return SignIn(usual._replace(**changed), People(folder / "profiles"))


@asynccontextmanager
async def browser(url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        base_url=url, trust_env=False, timeout=30, follow_redirects=True, headers=FROM_ELSEWHERE
    ) as http:
        yield http


def claims(subject: str, name: str, *groups: str) -> dict[str, Any]:
    return {"sub": subject, "preferred_username": name, "groups": list(groups)}


def run(tmp_path: Path, sign_in: SignIn, hold: Callable[[str], Awaitable[None]]) -> None:
    with shared_page(tmp_path, sign_in=sign_in) as url:
        asyncio.run(hold(url))  # type: ignore[arg-type]


def test_who_signs_in_has_interviews_of_their_own_until_they_sign_out(tmp_path: Path, provider: Provider) -> None:
    async def hold(url: str) -> None:
        async with browser(url) as ada, browser(url) as ben, browser(url) as stranger:
            for path in ("/config", "/voice/lines?session=x"):
                assert (await stranger.get(path, headers={"Sec-Fetch-Site": "same-origin"})).status_code == 401
            sent = await stranger.get("/", follow_redirects=False)
            assert (sent.status_code, sent.headers["location"]) == (303, BEGIN)
            for who, given in ((ada, claims("1", "ada", "autumn")), (ben, claims("2", "ben", "autumn", "teachers"))):
                provider.claims = given
                opened = await who.get("/")
                assert (opened.status_code, opened.url.path, len(opened.history)) == (200, "/", 4)
                # What the page's own scripts ask for comes from the page.
                who.headers["Sec-Fetch-Site"] = "same-origin"
            hers = await begun(ada)
            hers.put("answer", "My secret is the leaf.")
            await hers.click("send")
            assert "My secret is the leaf." in hers.value("transcript")
            his = await begun(ben)
            assert "secret" not in str(his.everything())
            again = await ada.get(f"/{sign_in.log_out}")
            assert "signed out" in again.text
            assert (await ada.get("/config")).status_code == 401
            assert (await ben.get("/config")).status_code == 200

    sign_in = signing_in(provider, tmp_path)
    run(tmp_path, sign_in, hold)
    assert [(tmp_path / "profiles" / name / "journal.db").exists() for name in ("ada", "ben")] == [True, True]
    # Groups are those of the claim, also for a page that is started later.
    people = People(tmp_path / "profiles")
    assert (people.names, people.candidates_of("ben"), people.mentors_of("ada")) == (("ada", "ben"), ("ada",), ("ben",))
    assert MentorAccess(people, None, on=True, store=None).routes()


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"nonce": "another"}, 403),
        ({"aud": "another page"}, 403),
        ({"iss": "http://127.0.0.1:1"}, 403),
        ({"exp": 1}, 403),
        ({"preferred_username": "../ada"}, 403),
        ({"preferred_username": None}, 403),
        ({"preferred_username": "taken"}, 403),
        ({"key": "another"}, 403),
    ],
)
def test_a_token_that_is_not_for_us_signs_nobody_in(
    tmp_path: Path, provider: Provider, wrong: dict[str, Any], status: int
) -> None:
    sign_in = signing_in(provider, tmp_path)
    provider.claims = {**claims("1", "taken"), "sub": "somebody else"}
    page = asyncio.run(_signed_in(sign_in))
    assert page.status_code == 303
    provider.claims = {**claims("1", "ada"), **wrong}
    if provider.claims.pop("key", None):
        provider.key = RSAKey.generate_key(2048)
    refused = asyncio.run(_signed_in(sign_in))
    assert refused.status_code == status
    assert not [cookie for cookie in refused.cookies if cookie.startswith("signed-in")]
    assert sign_in.people.names == ("taken",)


async def _signed_in(sign_in: SignIn, *, state: str = "") -> httpx.Response:
    """What the page answers the browser that comes back from the provider."""
    from starlette.applications import Starlette

    transport = httpx.ASGITransport(Starlette(routes=sign_in.routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:9") as http:
        sent = await http.get(BEGIN)
        async with httpx.AsyncClient(trust_env=False) as elsewhere:
            back = httpx.URL((await elsewhere.get(sent.headers["location"])).headers["location"])
        assert back.path == BACK
        first = await http.get(back.copy_merge_params({"state": state}) if state else back)
        # The same answer once more, as from somebody who saw it.
        assert (await http.get(back)).status_code == 400
        return first


def test_an_answer_that_was_not_asked_for_signs_nobody_in(tmp_path: Path, provider: Provider) -> None:
    provider.claims = claims("1", "ada")
    assert asyncio.run(_signed_in(signing_in(provider, tmp_path), state="another")).status_code == 403
    assert asyncio.run(_signed_in(signing_in(provider, tmp_path, secret="wrong"))).status_code == 403
    assert People(tmp_path / "profiles").names == ()


def test_a_provider_that_does_not_answer_is_told(tmp_path: Path, provider: Provider) -> None:
    from starlette.applications import Starlette
    from starlette.testclient import TestClient

    sign_in = signing_in(provider, tmp_path, issuer="http://127.0.0.1:1")
    told = TestClient(Starlette(routes=sign_in.routes())).get(BEGIN)
    assert told.status_code == 502
    assert "does not answer" in told.text


@pytest.mark.parametrize("issuer", ["http://login.example.org", "login.example.org", "https://", "file:///etc/passwd"])
def test_a_provider_is_asked_encrypted_or_on_this_machine(tmp_path: Path, issuer: str) -> None:
    with pytest.raises(BadInputError, match="no provider that can be trusted"):
        SignIn(Settings(issuer, CLIENT, SECRET, "sub", "", ""), People(tmp_path))


def test_without_the_package_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interviewer.web.sign_in.provider.importlib.util.find_spec", lambda name: None)
    with pytest.raises(ServiceMissingError, match="authlib is not installed"):
        SignIn(Settings("https://login.example.org", CLIENT, SECRET, "sub", "", ""), People(tmp_path))

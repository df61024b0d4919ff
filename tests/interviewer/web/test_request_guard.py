"""Who is answered by the page at all: hosts, origins, routes, sizes, and whose files."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from interviewer.engine.service import InterviewService
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.allowed_hosts import allowed_hosts
from interviewer.web.offered_routes import is_offered
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.voice.routes import VoiceRoutes
from serving.errors import BadInputError
from serving.llm.vllm_server import free_port
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.http_page import HttpPage
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF
from tests.interviewer.web.voice.test_routes import Hears

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
PROXY = "interview.example.org"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    folder = tmp_path_factory.mktemp("guarded")
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as service,
    ):
        voice = VoiceRoutes(Hears(), SpeechCache(folder / "speech"), service.state)
        page = build_page(service, SHELF, Warmup([]), journal, lambda files: [], voice=voice)  # type: ignore[arg-type]
        try:
            yield launch_page(page, port=free_port(), routes=voice.routes(), served_as=[PROXY]), page
        finally:
            page.close(verbose=False)
    gc.collect()


@pytest.fixture
def url(served: tuple[str, Any]) -> str:
    return served[0]


def asked(url: str, method: str, path: str, **headers: str) -> int:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.request(method, url.rstrip("/") + path, headers=named, timeout=30, trust_env=False).status_code


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        ("127.0.0.1:7860", True),
        ("localhost:7860", True),
        ("LOCALHOST", True),
        ("localhost:9000", True),
        ("[::1]:7860", True),
        ("127.8.9.10", True),
        (PROXY, True),
        (f"{PROXY}:8443", True),
        ("evil.example", False),
        ("evil.example:7860", False),
        ("localhost.evil.example", False),
        ("evil.example.localhost", False),
        (f"x.{PROXY}", False),
        (f"{PROXY}.evil.example", False),
        ("192.168.1.5:7860", False),
        ("0.0.0.0:7860", False),
        ("127.1", False),
        ("2130706433", False),
        ("localhost:", False),
        ("localhost:99999", False),
        ("user@localhost", False),
        ("localhost/evil", False),
        ("localhost,evil.example", False),
        ("", False),
    ],
)
def test_hosts_on_a_loopback_address(host: str, taken: bool) -> None:
    assert allowed_hosts("127.0.0.1", [PROXY]).takes_host(host) is taken


def test_on_a_network_every_address_counts_and_no_name_that_was_not_listed() -> None:
    hosts = allowed_hosts("0.0.0.0", [])
    assert hosts.takes_host("192.168.1.5:7860")
    assert hosts.takes_host("[fd00::5]:7860")
    assert hosts.takes_host("localhost:7860")
    assert not hosts.takes_host("evil.example:7860")
    named = allowed_hosts("mybox", [])
    assert named.takes_host("mybox:7860")
    assert not named.takes_host("otherbox:7860")


@pytest.mark.parametrize(
    ("origin", "host", "taken"),
    [
        ("http://127.0.0.1:7860", "127.0.0.1:7860", True),
        ("http://localhost", "localhost:80", True),
        ("http://localhost:3000", "localhost:7860", False),
        ("http://localhost:7860", "127.0.0.1:7860", False),
        ("https://localhost:7860", "localhost:7860", False),
        ("http://evil.example", "127.0.0.1:7860", False),
        ("http://evil.example", "evil.example", True),  # takes_host has refused it
        ("null", "127.0.0.1:7860", False),
        ("file://", "127.0.0.1:7860", False),
        ("", "127.0.0.1:7860", False),
        ("http://127.0.0.1:7860.evil.example", "127.0.0.1:7860", False),
        (f"https://{PROXY}", PROXY, True),
        (f"https://{PROXY}", "127.0.0.1:7860", True),
        (f"https://{PROXY}:8443", PROXY, False),
        (f"https://x.{PROXY}", PROXY, False),
    ],
)
def test_origins(origin: str, host: str, taken: bool) -> None:
    assert allowed_hosts("127.0.0.1", [PROXY]).takes_origin(origin, "http", host) is taken


def test_a_listed_host_may_name_its_scheme_and_port() -> None:
    hosts = allowed_hosts("127.0.0.1", [f"https://{PROXY}:8443"])
    assert hosts.takes_origin(f"https://{PROXY}:8443", "http", "127.0.0.1:7860")
    assert not hosts.takes_origin(f"http://{PROXY}:8443", "http", "127.0.0.1:7860")
    assert not hosts.takes_origin(f"https://{PROXY}", "http", "127.0.0.1:7860")
    assert not hosts.takes_host(PROXY)


@pytest.mark.parametrize("text", ["*", "", "https://", "ftp://x.example", "x.example/path", "a b", "x:port"])
def test_what_is_no_host_cannot_be_listed(text: str) -> None:
    with pytest.raises(BadInputError, match="is not a host"):
        allowed_hosts("127.0.0.1", [text])


def every_route(page: Any) -> list[tuple[str, str]]:
    """A path and a method of every route that Gradio and the page serve."""
    found = []
    for route in page.app.routes:
        methods = sorted(getattr(route, "methods", None) or {"GET"})
        path = "".join("x" if part.startswith("{") else part for part in _parts(route.path))
        found += [(path, method) for method in methods]
    return found


def _parts(path: str) -> list[str]:
    import re

    return re.split(r"(\{[^}]*\})", path)


def test_every_route_refuses_foreign_hosts_and_origins_and_most_do_not_exist(served: tuple[str, Any]) -> None:
    url, page = served
    routes = every_route(page)
    assert len(routes) > 60
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        for path, method in routes:
            for headers in (
                {"Host": "evil.example"},
                {"Host": "evil.example", "Origin": "http://evil.example"},
                {"Origin": "http://evil.example"},
                {"Origin": "http://localhost:3000"},
                {"Origin": "null"},
                {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
            ):
                answer = http.request(method, path, headers=headers)
                assert answer.status_code == 403, (method, path, headers)
                assert "access-control-allow-origin" not in answer.headers
        unwanted = [(path, method) for path, method in routes if not is_offered(path, method)]
        assert len(unwanted) > 30
        for path, method in unwanted:
            if not path.startswith(("/voice/", "/changed")):
                assert http.request(method, path).status_code == 404, (method, path)


def test_nothing_of_an_interview_is_told_to_another_site(url: str) -> None:
    async def attack() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=30, trust_env=False) as own:
            page = HttpPage(own)
            await page.open()
            await page.click("start")
            assert page.value("session")
        for headers in ({"Host": "evil.example"}, {"Origin": "http://localhost:3000"}):
            async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30, trust_env=False) as foreign:
                assert (await foreign.get("/config")).status_code == 403
                joined = await foreign.post("/gradio_api/queue/join", json={"session_hash": "x", "fn_index": 0})
                assert joined.status_code == 403
                assert (await foreign.get("/gradio_api/queue/data?session_hash=x")).status_code == 403
                assert (await foreign.get(f"/voice/lines?session={page.value('session')}")).status_code == 403
                given = await foreign.post("/gradio_api/upload", files={"files": ("x.txt", b"x")})
                assert given.status_code == 403

    asyncio.run(attack())


def test_whoever_may_is_answered(url: str) -> None:
    origin = url.rstrip("/")
    assert asked(url, "GET", "/") == 200
    assert asked(url, "GET", "/", Host="localhost:1234") == 200
    assert asked(url, "GET", "/", Host=PROXY) == 200
    assert asked(url, "GET", "/config", Origin=origin, Sec_Fetch_Site="same-origin") == 200
    assert asked(url, "GET", "/config", Host=PROXY, Origin=f"https://{PROXY}") == 200
    assert asked(url, "GET", "/config", X_Forwarded_Host=PROXY, Origin=f"https://{PROXY}") == 200
    assert asked(url, "GET", "/config", X_Forwarded_Host="evil.example") == 403
    link = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert asked(url, "GET", "/?session=abc", **link, Sec_Fetch_Dest="document") == 200
    assert asked(url, "GET", "/", **link, Sec_Fetch_Dest="iframe") == 403
    assert asked(url, "GET", "/logout", **link, Sec_Fetch_Dest="document") == 403
    given = httpx.post(f"{url}gradio_api/upload", files={"files": ("x.txt", b"x")}, headers={"Origin": origin})
    assert given.status_code == 200
    assert "frame-ancestors 'self'" in httpx.get(url).headers["content-security-policy"]


def exchange(url: str, *parts: bytes) -> bytes:
    """What comes back for bytes as they are, which no client would send."""
    address = httpx.URL(url)
    with socket.create_connection((address.host, address.port or 80), timeout=30) as line:
        for part in parts:
            try:
                line.sendall(part)
            except (BrokenPipeError, ConnectionResetError):
                break
        answer = b""
        while b"\r\n\r\n" not in answer and (more := line.recv(65536)):
            answer += more
    return answer


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /config HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n", b"200"),
        (b"GET /config HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n", b"40"),
        (b"GET /config HTTP/1.0\r\n", b"403"),
        (b"GET http://evil.example/config HTTP/1.1\r\nHost: evil.example\r\n", b"403"),
        (
            b"GET /config HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nOrigin: http://evil.example\r\n",
            b"403",
        ),
        (
            b"GET /gradio_api/queue/data HTTP/1.1\r\nHost: evil.example\r\n"
            b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            b"403",
        ),
    ],
)
def test_requests_as_no_browser_writes_them(url: str, head: bytes, status: bytes) -> None:
    assert exchange(url, head + b"\r\n").split(b" ")[1].startswith(status)


def test_a_request_that_is_too_large_is_refused_before_it_is_read(url: str) -> None:
    head = b"POST /gradio_api/queue/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    # Of what says its length nothing at all is sent.
    assert b"413" in exchange(url, head + b"Content-Length: 104857600\r\n\r\n").splitlines()[0]
    # What does not is cut off as soon as it is too much: the end of it is never sent.
    block = b"100000\r\n" + b"x" * 2**20 + b"\r\n"
    answer = exchange(url, head + b"Transfer-Encoding: chunked\r\n\r\n", *[block] * 5)
    assert b"413" in answer.splitlines()[0]
    answer = exchange(url, head.replace(b"queue/join", b"upload") + b"Content-Length: 104857601\r\n\r\n")
    assert b"413" in answer.splitlines()[0]


def test_a_long_answer_that_fits_is_told_what_is_wrong_with_it(url: str) -> None:
    async def hold() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as http:
            page = HttpPage(http)
            await page.open()
            await page.click("start")
            page.put("answer", "word " * 200_000)
            await page.click("send")
            assert "at most 20,000" in json.dumps(page.everything())

    asyncio.run(hold())


@pytest.mark.parametrize(
    "event",
    [
        b"[]",
        b"{",
        b"[" * 100_000,
        b'{"session_hash": 7}',
        b'{"fn_index": 0, "data": []}',
        json.dumps({"session_hash": "x" * 65, "fn_index": 0}).encode(),
        json.dumps({"session_hash": "../x", "fn_index": 0}).encode(),
    ],
)
def test_what_no_page_sends_is_no_event(url: str, event: bytes) -> None:
    answer = httpx.post(f"{url}gradio_api/queue/join", content=event, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


def tick_number(url: str) -> int:
    """The number of the event that every open page sends each second."""
    events = httpx.get(f"{url}config").json()["dependencies"]
    return next(each["id"] for each in events if each["targets"][0][1] == "tick" and not each["inputs"])


@pytest.mark.parametrize("given", [[], ["\x1b]0;renamed\x07"], None, "\x1b[2J", {"0": "\x1b[2J"}])
def test_an_event_that_brings_too_little_is_refused_and_nothing_of_it_reaches_the_terminal(
    url: str, given: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    events = httpx.get(f"{url}config").json()["dependencies"]
    number = next(each["id"] for each in events if each["backend_fn"] and len(each["inputs"]) > 1)
    event = {"session_hash": "terminal", "fn_index": number, "data": given}
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        codes = [
            http.post("/gradio_api/queue/join", json=event | other).status_code for other in ({}, {"fn_index": "0"})
        ]
        if 200 in codes:
            http.get("/gradio_api/queue/data", params={"session_hash": "terminal"})
    assert codes == [400, 400]
    assert "\x1b" not in "".join(capfd.readouterr())


def test_events_that_nobody_reads_are_not_kept(served: tuple[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    url, page = served
    queue, guard = page._queue, page.app.middleware_stack._events
    monkeypatch.setattr(guard, "_most_of_one", 4)
    monkeypatch.setattr(guard, "_most_unread", 20)
    number = tick_number(url)

    def event(name: str) -> dict[str, Any]:
        return {"session_hash": name, "fn_index": number, "data": []}

    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        codes = [http.post("/gradio_api/queue/join", json=event("greedy")).status_code for _ in range(6)]
        assert codes == [200] * 4 + [429] * 2
        for each in range(25):
            assert http.post("/gradio_api/queue/join", json=event(f"page-{each}")).status_code == 200
        kept = queue.pending_event_ids_session
        assert sum(map(len, kept.values())) + len(kept) <= 22
        assert set(queue.pending_messages_per_session) <= set(kept)
        assert "greedy" not in kept
        assert "page-24" in kept
        assert "page-0" not in kept

    async def open_one() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as own:
            await HttpPage(own).open()

    asyncio.run(open_one())
    assert sum(map(len, kept.values())) + len(kept) <= 22


def test_of_events_that_are_over_nothing_is_kept_and_no_statistics_are_made(
    served: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, page = served
    counted: list[int] = []
    table = page._queue._get_df

    def counting(records: list[Any]) -> Any:
        counted.append(len(records))
        return table(records)

    monkeypatch.setattr(page._queue, "_get_df", counting)
    event = {"session_hash": "counted", "fn_index": tick_number(url), "data": []}
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        for _ in range(4):
            assert "process_completed" in answered(http, event)
    assert page._queue.event_analytics == {}
    assert counted == []


def answered(http: httpx.Client, event: dict[str, Any]) -> str:
    """All that a page is told of an event."""
    head = {"Content-Type": "application/json"}
    assert http.post("/gradio_api/queue/join", content=json.dumps(event), headers=head).status_code == 200
    return http.get("/gradio_api/queue/data", params={"session_hash": event["session_hash"]}).text


def test_half_a_character_breaks_no_stream(url: str) -> None:
    config = httpx.get(f"{url}config").json()
    names = {each["id"]: each["props"].get("elem_id") for each in config["components"]}
    values = {each["id"]: each["props"].get("value") for each in config["components"]}
    start = next(each for each in config["dependencies"] if names.get(each["targets"][0][0]) == "start")
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        for half in ("\ud800", "x\udfff", "\ude00\ud83d"):
            data = [half if names[number] == "role" else values[number] for number in start["inputs"]]
            told = answered(http, {"session_hash": "half", "fn_index": start["id"], "data": data})
            assert '"msg":"process_completed"' in told
            assert "\ufffd" in told
            assert "is not in the list of choices" in told


def test_a_page_that_listens_once_more_after_it_has_read_all_is_still_known(served: tuple[str, Any]) -> None:
    url, _ = served
    event = {"session_hash": "late", "fn_index": tick_number(url), "data": []}
    with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
        assert http.post("/gradio_api/queue/join", json=event).status_code == 200
        assert "close_stream" in http.get("/gradio_api/queue/data?session_hash=late").text
        # The result of an event may arrive before the answer that names the event does; then a page listens in vain.
        with (
            pytest.raises(httpx.ReadTimeout),
            http.stream("GET", "/gradio_api/queue/data?session_hash=late", timeout=3) as stream,
        ):
            assert "session_not_found" not in "".join(stream.iter_text())


def test_only_what_is_listed_is_offered() -> None:
    async def answer(_: Any) -> Any: ...

    routes = [Route("/voice/sound/{name}", answer)]
    assert is_offered("/voice/sound/abc", "GET", routes)
    assert not is_offered("/voice/sound/abc", "POST", routes)
    assert not is_offered("/voice/sound/abc", "GET")
    assert not is_offered("/gradio_api/queue/join", "GET")
    assert not is_offered("/gradio_api/proxy=https://evil.example", "GET")

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.state import State
from interviewer.storage import account_file, recordings
from interviewer.storage.account_file import IN_MEMORY, STORED, Cost, Role, hash_all, made
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.accounts import Accounts, read_accounts
from interviewer.web.controller import PageController
from interviewer.web.login_throttle import FREE_OF_NAME, LoginThrottle
from interviewer.web.page import build_page
from interviewer.web.server import launch_page
from interviewer.web.sign_in.provider import SignIn
from interviewer.web.views.setup.layout import BY_NUMBER
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.workspace import Workspace, WorkspaceRegistry
from knowledge.ingestion.pipeline import IngestReport
from serving.errors import BadInputError
from serving.llm.vllm_server import free_port
from serving.speech.tts.speech_cache import SpeechCache
from serving.warmup import Warmup
from tests.http_page import HttpPage
from tests.interviewer.builders import KeywordGrader
from tests.interviewer.web.holding import SHELF
from tests.interviewer.web.voice.test_routes import HEADERS, Hears, second_of_silence

# Gradio leaves event loops and their sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
ADA, BOB = "ada:correct horse", "bob:battery staple"


@pytest.fixture(autouse=True)
def _leave_nothing_to_later_tests() -> Iterator[None]:
    yield
    gc.collect()


def test_only_the_right_password_of_a_known_name_matches() -> None:
    accounts = Accounts([ADA, "bob:with:colons "])
    assert accounts.matches("ada", "correct horse")
    assert accounts.matches("bob", "with:colons ")
    for name, password in [("ada", "battery staple"), ("ada", ""), ("bob", "with:colons"), ("eve", "correct horse")]:
        assert not accounts.matches(name, password)
    assert "correct horse" not in str(vars(accounts))


@pytest.mark.parametrize(
    "line", ["ada", "ada:short", "../ada:correct horse", "Ada:correct horse", ".:correct horse", ":correct horse"]
)
def test_what_is_no_account_is_refused_without_telling_it(line: str) -> None:
    with pytest.raises(BadInputError) as caught:
        Accounts([line])
    assert "correct horse" not in str(caught.value)


def test_a_name_has_one_password() -> None:
    with pytest.raises(BadInputError, match="Two accounts have the name ada"):
        Accounts([ADA, "ada:another word"])


def test_a_file_of_accounts_is_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "accounts"
    file.write_text(f"# who may\n{ADA}\n\n")
    file.chmod(0o644)
    with pytest.raises(BadInputError, match="Others on this machine can read"):
        read_accounts((), file)
    file.chmod(0o600)
    accounts = read_accounts([BOB], file)
    assert accounts is not None
    assert accounts.names == ("bob", "ada")
    assert read_accounts((), None) is None
    with pytest.raises(BadInputError, match="cannot be read"):
        read_accounts((), tmp_path / "missing")


def test_a_password_in_a_file_as_it_is_is_warned_of_and_the_way_out_of_it_works(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "accounts"
    file.write_text(f"{ADA}\n{made('bob', 'battery staple').line}\n")
    file.chmod(0o600)
    # Of the command line and the variable it is said where they are explained.
    assert read_accounts([ADA], None) is not None
    assert caplog.messages == []
    assert read_accounts((), file) is not None
    (warned,) = caplog.messages
    assert f"holds a password as it is. Run `python app.py account --auth-file {file}`" in warned
    assert "correct horse" not in warned
    hash_all(file)
    accounts = read_accounts((), file)
    assert len(caplog.messages) == 1
    assert accounts is not None
    assert accounts.matches("ada", "correct horse")
    assert accounts.matches("bob", "battery staple")


def test_a_name_that_is_not_there_costs_as_much_as_one_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = Accounts([ADA, made("bob", "battery staple").line])
    spent: list[Cost] = []
    monkeypatch.setattr(account_file, "_digest", lambda *given: spent.append(given[2]) or b"")
    each = []
    for name in ("ada", "bob", "eve"):
        accounts.matches(name, "wrong password")
        each.append(sorted(spent))
        spent.clear()
    assert each == [[IN_MEMORY, STORED]] * 3


def test_mentors_and_candidates_of_a_group_know_each_other_and_nobody_else() -> None:
    def line(name: str, role: Role, group: str) -> str:
        return made(name, "correct horse", role, group, cost=IN_MEMORY).line

    accounts = Accounts(
        [
            *(
                line("grace", Role.MENTOR, "autumn"),
                line("alan", Role.MENTOR, "spring"),
                line("joan", Role.MENTOR, "autumn"),
            ),
            *(
                line("ada", Role.CANDIDATE, "autumn"),
                line("ben", Role.CANDIDATE, "spring"),
                line("cy", Role.CANDIDATE, ""),
            ),
            *(line("dee", Role.CANDIDATE, "autumn"), "eve:correct horse"),
        ]
    )
    assert {name: accounts.candidates_of(name) for name in (*accounts.names, "nobody", "", None)} == {
        **dict.fromkeys((*accounts.names, "nobody", "", None), ()),
        **{"grace": ("ada", "dee"), "joan": ("ada", "dee"), "alan": ("ben",)},
    }
    assert {name for name in accounts.names if accounts.mentors_of(name)} == {"ada", "ben", "dee"}
    assert accounts.mentors_of("ada") == ("grace", "joan")
    assert [name for name in accounts.names if accounts.is_mentor(name)] == ["grace", "alan", "joan"]
    assert not accounts.is_mentor(None)
    assert (accounts.groups_of("ada"), accounts.groups_of("cy"), accounts.groups_of(None)) == (("autumn",), (), ())


@contextmanager
def shared_page(folder: Path, throttle: LoginThrottle | None = None, sign_in: SignIn | None = None) -> Iterator[str]:
    def place(home: Path) -> Workspace:
        journal = Journal(home / "journal.db")
        service = InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0)
        nothing = IngestReport(files=(), questions=())
        return Workspace(
            PageController(service, journal), SHELF, lambda _: nothing, home=lambda: home, close=service.close
        )  # type: ignore[arg-type]

    profiles = WorkspaceRegistry(folder / "profiles", place)

    def state_of(session: str) -> State:
        return profiles.here().controller.state(session)

    voice = VoiceRoutes(
        Hears(), SpeechCache(folder / "speech"), state_of, keep=True, home=lambda: profiles.here().home()
    )
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, SHELF, KeywordGrader(), patience_s=5.0) as nobody,
    ):
        page = build_page(nobody, SHELF, Warmup([]), journal, lambda files: [], voice=voice, here=profiles.here)  # type: ignore[arg-type]
        try:
            accounts = None if sign_in else Accounts([ADA, BOB], throttle)
            yield launch_page(page, port=free_port(), routes=voice.routes(), accounts=accounts, sign_in=sign_in)
        finally:
            page.close(verbose=False)
            profiles.close()


@asynccontextmanager
async def logged_in(url: str, account: str) -> AsyncIterator[httpx.AsyncClient]:
    name, _, password = account.partition(":")
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=30) as http:
        answer = await http.post("/login", data={"username": name, "password": password})
        assert answer.is_success
        yield http


async def begun(http: httpx.AsyncClient) -> HttpPage:
    page = HttpPage(http)
    await page.open()
    for name, value in (("span", BY_NUMBER), ("length", 2), ("talks", False)):
        page.put(name, value)
    await page.click("start")
    return page


def test_nobody_opens_the_interview_of_somebody_else(tmp_path: Path) -> None:
    async def hold(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as stranger:
            assert (await stranger.get("/config")).status_code == 401
            assert (await stranger.get("/voice/lines?session=x")).status_code == 401
            refused = await stranger.post("/login", data={"username": "ada", "password": "battery staple"})
            assert refused.status_code == 400
        async with logged_in(url, ADA) as ada, logged_in(url, BOB) as bob:
            hers = await begun(ada)
            session, turn = hers.value("session"), hers.value("turn")
            hers.put("answer", "My secret is the leaf.")
            await hers.click("send")
            assert "My secret is the leaf." in hers.value("transcript")
            heard = await ada.get(f"/voice/lines?session={session}")
            assert heard.json()["pieces"]

            his = HttpPage(bob)
            await his.open(session)
            assert "There is no interview at this address" in his.value("setup-note")
            assert his.value("session") == ""
            assert not his.is_shown("interview")
            for name, value in (("session", session), ("turn", turn), ("answer", "Mine is another.")):
                his.put(name, value)
            await his.poll()
            await his.click("send")
            await his.click("end")
            assert "no interview at this address" in his.value("note")
            assert "secret" not in str(his.everything())
            assert (await bob.get(f"/voice/lines?session={session}")).status_code == 400

            again = HttpPage(ada)
            await again.open(session)
            assert "My secret is the leaf." in again.value("transcript")
            assert "Mine is another." not in again.value("transcript")
            await hers.poll()
            await hers.click("repeat")
            assert "Interviewer, repeating" not in again.value("transcript")
            await again.poll()
            assert "Interviewer, repeating" in again.value("transcript")
            fresh = HttpPage(bob)
            await fresh.open()
            assert fresh.choices("earlier") == []
            listed = HttpPage(ada)
            await listed.open()
            assert len(listed.choices("earlier")) == 1

    with shared_page(tmp_path) as url:
        asyncio.run(hold(url))
    with Journal(tmp_path / "profiles" / "bob" / "journal.db") as journal:
        assert journal.sessions() == ()
    with Journal(tmp_path / "journal.db") as journal:
        assert journal.sessions() == ()


def test_kept_recordings_lie_with_the_person_who_spoke(tmp_path: Path) -> None:
    async def speak(url: str) -> str:
        async with logged_in(url, ADA) as ada, logged_in(url, BOB) as bob:
            hers = await begun(ada)
            session, turn = hers.value("session"), hers.value("turn")
            asked = {"session": session, "turn": turn, "recording": "r1"}
            sound = second_of_silence()
            refused = await bob.post("/voice/hear", params=asked, content=sound, headers=HEADERS)
            assert refused.status_code == 400
            heard = await ada.post("/voice/hear", params=asked, content=sound, headers=HEADERS)
            assert heard.json()["text"] == "requires_grad"
            await hers.click("end")
            assert hers.is_shown("forget-sound")
            assert "recording" in hers.value("forget-sound")
            assert len(recordings.kept(tmp_path / "profiles" / "ada", session)) == 1

            his = HttpPage(bob)
            await his.open()
            his.put("session", session)
            await his.click("forget-sound")
            assert len(recordings.kept(tmp_path / "profiles" / "ada", session)) == 1
            await hers.click("forget-sound")
            assert "The recordings are deleted." in hers.value("sound-note")
            return str(session)

    with shared_page(tmp_path) as url:
        session = asyncio.run(speak(url))
    assert recordings.kept(tmp_path / "profiles" / "ada", session) == ()
    assert recordings.kept(tmp_path / "profiles" / "bob") == ()
    assert recordings.kept(tmp_path) == ()


def test_too_many_wrong_passwords_are_told_to_wait(tmp_path: Path) -> None:
    async def hold(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=30) as http:
            wrong = {"username": "ada", "password": "battery staple"}
            for _ in range(FREE_OF_NAME):
                assert (await http.post("/login", data=wrong)).status_code == 400
            refused = await http.post("/login", data={"username": "ada", "password": "correct horse"})
            assert refused.status_code == 303
            assert "Too many attempts" in refused.json()["detail"]
            # Gradio's form reloads the page after this, which then says it.
            told = await http.get("/")
            assert "Too many attempts to log in. Wait 1 second" in told.text
        async with logged_in(url, BOB) as bob:
            bob.cookies.set("interviewer-wait", "60")
            assert "Too many attempts" not in (await bob.get("/")).text
        for forged in (b"<script>", b"-1", "\u0663".encode()):
            answer = httpx.get(url, headers={"Cookie": b"interviewer-wait=" + forged}, trust_env=False)
            assert "gradio_config" in answer.text

    # No second passes, however busy the machine is.
    with shared_page(tmp_path, LoginThrottle(lambda: 0.0)) as url:
        asyncio.run(hold(url))


def test_a_report_is_for_whoever_it_is_of(tmp_path: Path) -> None:
    async def hold(url: str) -> None:
        async with logged_in(url, ADA) as ada, logged_in(url, BOB) as bob:
            hers = await begun(ada)
            hers.put("answer", "My secret is the leaf.")
            await hers.click("send")
            # The follow-up that comes meanwhile is another turn, for which the click was not meant.
            while hers.value("download-json") is None:
                await hers.poll()
                await hers.click("end")
            file = hers.value("download-json")
            address = f"/gradio_api/file={file['path']}"
            assert "My secret is the leaf." in (await ada.get(address)).text
            assert (await bob.get(address)).status_code == 404
            assert (await bob.get(address.replace("/ada/", "/bob/../ada/"))).status_code == 404
            async with httpx.AsyncClient(base_url=url, trust_env=False) as stranger:
                assert (await stranger.get(address)).status_code == 404

            # Nor may it be handed in as a document of one's own.
            config = (await bob.get("/config")).json()
            numbers = [each["id"] for each in config["dependencies"] if each["targets"][0][1] == "upload"]
            (given,) = (await bob.post("/gradio_api/upload", files={"files": ("cv.txt", b"I built it.")})).json()
            assert (await ada.get(f"/gradio_api/file={given}")).status_code == 404
            for number in numbers:
                for path, status in (
                    (given, 200),
                    (file["path"], 400),
                    ("http://127.0.0.1/x", 400),
                    ("/etc/passwd", 400),
                ):
                    data = [[{"path": path, "meta": {"_type": "gradio.FileData"}}]]
                    event = {"session_hash": f"page{number}", "fn_index": number, "data": data}
                    assert (await bob.post("/gradio_api/queue/join", json=event)).status_code == status

    with shared_page(tmp_path) as url:
        asyncio.run(hold(url))

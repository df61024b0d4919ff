"""Proves the product on what its users install: ``python -m tests.smoke``, or ``make smoke``.

Run where only the runtime lock is installed, as ``.ci/run`` does before anything else. It needs no development package:
every module can be imported, a file of every format is read, every command of the README and of ``--help`` runs on a
small input, the page is started, asks a question over HTTP while its models come up, and has the answer graded by the
real judge. Everything happens in a home of its own; of the person's own data folder only the models are used.

The time goes to three things, so they go on beside each other: the page brings up the only model server and makes the
vectors of the bank, while the commands run one after the other and share that server.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import httpx

from knowledge.bank.parser import load_bank
from knowledge.documents.formats.registry import FORMATS
from knowledge.model import Question
from rubric.model import Criterion
from serving import paths
from tests.http_page import HttpPage
from tests.imported import ROOT, WITH_PYTHON, locked, normal
from tests.sample_documents import document, question_in

SHOWN = (
    "README.md",
    *(f"docs/{name}.md" for name in ("using", "own-documents", "shared-machine", "several-machines")),
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/machines").glob("*.md")),
)
"""Where users read of commands."""

STORY = (
    "Last spring our ranking service grew by three hundred megabytes a night until its pods were killed. I compared "
    "memory snapshots, saw a list of losses that kept their graphs, and detached them. Since then memory stays flat."
)

PATIENCE_S = 600.0
"""Seconds that anything may take: the model's server needs one minute on two cores, several on a busy machine."""

FITTING = {
    "adapt": "fits the encoders for an hour",
    "tune": "fits the judge's model for an hour",
    "calibrate": "fits the judge's weights to answers that this project does not hold",
}
"""Commands that write into the project and are only asked what they do; what they import is imported all the same."""

QUESTION = "autograd-leaf-grad"
OFF = "I would look at the learning rate first. With a big batch the loss curve is smoother, so I would try that."


class SmokeError(Exception):
    """Something that users would run into; the message says what."""


def expect(holds: object, otherwise: str) -> None:
    """Check one thing.

    Raises:
        SmokeError: it does not hold.

    """
    if not holds:
        raise SmokeError(otherwise)


class Smoke:
    """One run: its folders, the commands that were run, and what they proved.

    Args:
        folder: empty; everything is kept there.
        models: the models, prepared.

    """

    def __init__(self, folder: Path, models: Path) -> None:
        self.folder = folder
        self.commands: list[tuple[str, ...]] = []
        self.begin = time.monotonic()
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self.broken = threading.Event()
        # State files of running servers lie beside the models: with a folder of our own, no server of anybody else is
        # found, and none is stopped.
        (folder / "models").mkdir()
        # The bank's vectors are made once for all homes: whoever comes after this run finds them.
        (models / "vectors").mkdir(exist_ok=True)
        for each in models.iterdir():
            if each.name not in {"run", "logs"} and each.suffix != ".lock":
                (folder / "models" / each.name).symlink_to(each)

    def environment(self, home: str = "home") -> dict[str, str]:
        """What a command is started with: nothing of the person's own settings, and no browser to open."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("INTERVIEWER_")}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "FORCE_COLOR", "PYTHONPATH"):
            kept.pop(name, None)
        return kept | {
            paths.HOME_VARIABLE: str(self.folder / home),
            paths.MODELS_VARIABLE: str(self.folder / "models"),
            "COLUMNS": "120",
        }

    def say(self, proved: str) -> None:
        """Tell what is proved now, and when."""
        print(f"{time.monotonic() - self.begin:6.0f} s  {proved}", flush=True)

    def python(self, *arguments: object, home: str = "home") -> subprocess.Popen[str]:
        """Start this environment's Python in the project."""
        process = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment(home),
        )
        with self._lock:
            self._running.add(process)
        return process

    def start(self, *arguments: object, home: str = "home") -> subprocess.Popen[str]:
        """Start a command that goes on."""
        self.commands.append(tuple(map(str, arguments)))
        return self.python("app.py", *arguments, home=home)

    def finish(self, process: subprocess.Popen[str], what: str, status: int = 0, stdin: str = "") -> str:
        """Wait for a process, check its exit status, and return what it printed; on failure, on stderr.

        Raises:
            SmokeError: it ended with another status, or not in time.

        """
        try:
            out, err = process.communicate(stdin, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise SmokeError(f"{what} did not end within {PATIENCE_S:.0f} s.") from None
        finally:
            with self._lock:
                self._running.discard(process)
        expect(
            process.returncode == status,
            f"{what} ended with status {process.returncode}, not {status}:\n{(err or out).strip()[-2000:]}",
        )
        expect("Traceback" not in err, f"{what} printed a traceback:\n{err[-2000:]}")
        return out if status == 0 else err

    def app(self, *arguments: object, status: int = 0, stdin: str = "", home: str = "home") -> str:
        """Run a command to its end; returns what it printed, or with another status than 0 what it said on stderr.

        Raises:
            SmokeError: it ended with another status.

        """
        expect(not self.broken.is_set(), "Something else failed.")
        what = " ".join(["app.py", *(str(each).removeprefix(f"{self.folder}/") for each in arguments)])
        said = self.finish(self.start(*arguments, home=home), what, status, stdin)
        self.say(what if status == 0 else f"{what}  (status {status}, as it should)")
        return said

    def file(self, name: str, content: str | bytes = "") -> Path:
        """A file in this run's folder, written where something is to stand in it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def lines(self, name: str, *rows: object) -> Path:
        """A file of JSON lines."""
        return self.file(name, "".join(json.dumps(row) + "\n" for row in rows))

    def close(self) -> None:
        """End what still runs."""
        for process in list(self._running):
            process.send_signal(signal.SIGINT)
        for process in list(self._running):
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


# What is installed


def check_installed(*, alone: bool) -> str:
    """Compare what is installed with the runtime lock; returns what this run therefore does not prove, if anything.

    Args:
        alone: whether nothing else may be installed.

    Raises:
        SmokeError: a package is missing or of another version, or there are others and may not be.

    """
    installed = {normal(each.metadata["Name"]): each.version for each in distributions()}
    lock = "requirements-gpu.lock" if "vllm" in installed else "requirements.lock"
    wanted = locked(lock)
    wrong = sorted(f"{name} {version}" for name, version in wanted.items() if installed.get(name) != version)
    expect(not wrong, f"Not installed as {lock} says: {', '.join(wrong)}")
    others = sorted(installed.keys() - wanted.keys() - WITH_PYTHON)
    told = f"packages that are not in {lock}: {', '.join(others)}"
    expect(not (alone and others), f"This environment holds {told}. Make it anew, with `make clean smoke`.")
    return f"There are {told}. So this does not prove that the lock alone suffices." if others else ""


# Formats


def read_every_format(smoke: Smoke) -> None:
    """Have one file of every format read, and find its question with its place."""
    suffixes = sorted({*(each.suffixes[0] for each in FORMATS), ".txt"})
    for suffix in suffixes:
        smoke.file(f"documents/sample{suffix}", document(suffix))
    rows = json.loads(smoke.app("ingest", smoke.folder / "documents", "--json"))
    found = {row["question"]: Path(row["source"]["path"]).suffix for row in rows}
    for suffix in suffixes:
        expect(found.get(question_in(suffix)) == suffix, f"The question of the {suffix} file was not found: {found}")
    smoke.say(f"read a file of every format: {' '.join(suffixes)}")


# The page


class Served:
    """The page, started as ``make run`` starts it."""

    def __init__(self, smoke: Smoke) -> None:
        self.smoke = smoke
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        # Nobody takes the traces, and nobody on the page is to notice.
        seen = ("--metrics-port", free_port(), "--traces-url", f"http://127.0.0.1:{free_port()}")
        options = ("--host", "127.0.0.1", "--port", self.port, "--open", "--keep-recordings", *seen)
        self.process = smoke.start("serve", *options)
        # Read as it comes, so that the page never waits for us.
        self.said = io.StringIO()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.session = ""
        self.graded, self.ready = threading.Event(), threading.Event()

    def _read(self) -> None:
        for line in self.process.stderr or ():
            self.said.write(line)

    async def until(self, holds: Callable[[], bool], step: Callable[[], Any], what: str) -> None:
        """Do something again and again until something holds.

        Raises:
            SmokeError: it does not within the time, or the page ended.

        """
        end = time.monotonic() + PATIENCE_S
        while not holds():
            expect(self.process.poll() is None, f"The page ended before {what}:\n{self.said.getvalue()[-2000:]}")
            expect(time.monotonic() < end, f"Waited {PATIENCE_S:.0f} s in vain: {what}")
            expect(not self.smoke.broken.is_set(), "Something else failed.")
            try:
                await step()
            except httpx.TransportError:
                # Whether the page ended, or only was slow, is seen when it is asked again.
                await asyncio.sleep(1.0)

    async def hold(self, bank: dict[str, Question]) -> None:
        """Answer one question as a browser would, see it graded, wait for the models, and hear the page."""
        smoke = self.smoke
        async with httpx.AsyncClient(base_url=self.url, timeout=PATIENCE_S, trust_env=False) as http:
            up = asyncio.Event()

            async def look() -> None:
                try:
                    (await http.get("/")).raise_for_status()
                    up.set()
                except httpx.HTTPError:
                    await asyncio.sleep(0.3)

            await self.until(up.is_set, look, "the page answers")
            smoke.say(f"the page answers at {self.url}")
            told = (await http.get("/health/ready")).json()
            expect(told["ready"], f"The page says that it can take no answers: {told}")
            page = HttpPage(http)
            await page.open()
            for name, value in (
                ("span", "By number of questions"),
                ("kinds", ["concept"]),
                ("length", 2),
                ("follow-ups", 0),
            ):
                page.put(name, _choice(page, name, value))
            page.put("talks", False)
            await page.click("start")
            self.session = page.value("session")
            expect(page.is_shown("interview"), f"The interview did not begin: {page.value('setup-note')}")
            warming = "status warming" in str(page.value("warm-up"))
            smoke.say(f"the page asks its first question{', while its models come up' if warming else ''}")
            report = await asyncio.to_thread(self._report)
            question = bank[report["questions"][0]["question_id"]]
            page.put("answer", " ".join(each.examples.met[0] for each in criteria_of(question)))
            await page.click("send")
            expect(not page.value("note"), f"The page took no answer: {page.value('note')}")
            await self.until(lambda: self._is_graded(page), lambda: _pause(page.poll), "the answer is graded")
            smoke.say("the answer is graded, on the page")
            if not page.is_shown("report"):
                await page.click("end")
            expect(page.is_shown("report"), "The page showed no report after the end.")
            self._check(await asyncio.to_thread(self._report), question)
            self.graded.set()
            await self.until(lambda: self._is_warm(page), lambda: _pause(page.poll_warm_up), "everything has come up")
            smoke.say("everything has come up: models, index, recognizer, voice")
            await self._listen(http)
            self.ready.set()

    def _report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.smoke.app("report", self.session, "--format", "json"))
        return report

    def _is_graded(self, page: HttpPage) -> bool:
        return 'class="marks"' in str(page.value("transcript"))

    def _is_warm(self, page: HttpPage) -> bool:
        shown = str(page.value("warm-up"))
        expect("status failed" not in shown, f"The page could not bring something up: {shown}")
        return "status ready" in shown

    def _check(self, report: dict[str, Any], question: Question) -> None:
        """The answer made every point of the question, so the judge has to say so, with the words that earned it."""
        found = report["questions"][0]
        told = json.dumps(found["criteria"])[:3000]
        expect(found["status"] == "graded", f"The report says that {question.id} is {found['status']}.")
        expect(found["unaided"] > 0.5, f"A good answer got {found['unaided']}: {told}")
        expect(any(each["quotes"] for each in found["criteria"]), f"No words of the answer earned anything: {told}")
        judges = [each["judge"] for each in report["made"]["judges"]]
        expect(judges and judges[0].startswith("state-head"), f"The real judge did not grade: {judges}")
        self.smoke.say(f"the answer to {question.id} got {found['unaided']:.2f} from the real judge ({judges[0]})")

    async def _listen(self, http: httpx.AsyncClient) -> None:
        """Have the page say its first sentence."""
        told = (await http.get("/voice/lines", params={"session": self.session, "heard": ""})).json()
        expect(told["pieces"] and told["pieces"][0]["sound"], f"The page has no voice: {told}")
        sound = await http.get(f"/{told['pieces'][0]['sound']}")
        expect(sound.is_success and sound.content[:4] == b"RIFF", f"The page did not speak: HTTP {sound.status_code}")
        self.smoke.say(f"the page speaks: {len(sound.content)} bytes of sound")

    def stop(self) -> None:
        """End the page as Ctrl-C does; its model server goes with it."""
        state = self.smoke.folder / "models" / "run" / "judge.json"
        expect(state.is_file(), "The page ran no model server.")
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE_S)
        self._reader.join(10)
        said = self.said.getvalue()
        expect(status == 0, f"The page ended with status {status}:\n{said[-2000:]}")
        expect("Traceback" not in said, f"The page printed a traceback:\n{said[-3000:]}")
        expect(not state.exists(), "The model server outlived the page.")
        self.smoke.say("the page ends on Ctrl-C, and its model server with it")


def criteria_of(question: Question) -> tuple[Criterion, ...]:
    """What a question of the bank is graded by.

    Raises:
        SmokeError: it has no rubric.

    """
    if question.rubric is None:
        raise SmokeError(f"{question.id} has no rubric.")
    return question.rubric.criteria


def _choice(page: HttpPage, name: str, value: Any) -> Any:
    """What stands behind a label of a choice; anything else as it is."""
    try:
        return dict(map(tuple, page.choices(name))).get(value, value) if isinstance(value, str) else value
    except (KeyError, ValueError):
        return value


async def _pause(then: Callable[[], Any]) -> None:
    await asyncio.sleep(1.0)
    await then()


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# Commands


def run_without_models(smoke: Smoke, bank: dict[str, Question]) -> None:
    """The commands that need no model server, while the page brings it up."""
    smoke.finish(smoke.python("-m", "tests.imported"), "Importing everything")
    smoke.say("everything that the product imports is there")
    read_every_format(smoke)
    expect(json.loads(smoke.app("doctor", "--json"))["packages"], "The doctor found no packages.")
    for name, why in FITTING.items():
        smoke.app(name, "--help")
        smoke.say(f"  not run any further: {name} {why}")
    away = f"http://127.0.0.1:{free_port()}"
    said = smoke.app("serve", "--llm-url", away, "--model", "any", status=3)
    expect("Nothing answers" in said, f"A model server that is not there was not told: {said}")
    _verify(smoke, bank)
    _judges(smoke)
    _runners(smoke)
    accounts(smoke)


def _verify(smoke: Smoke, bank: dict[str, Question]) -> None:
    task = bank["training-focal-loss"].task
    expect(task is not None, "training-focal-loss is not a coding question.")
    right = smoke.file("right.py", task.solution if task else "")
    asked = ("verify-code", "--question", "training-focal-loss", "--file")
    done = json.loads(smoke.app(*asked, right, "--json"))
    expect(done["status"] == "passed", f"Our own solution did not pass: {json.dumps(done)[:2000]}")
    wrong = smoke.app(
        *asked, smoke.file("wrong.py", "def focal_loss(*a, **b): return 0.0\n"), "--examples", "--seed", 7
    )
    expect(not wrong.startswith("passed"), f"A wrong solution passed: {wrong[:1000]}")


def _judges(smoke: Smoke) -> None:
    """Judges that are away are told, and none is served to everybody without a key."""
    away = ("--judge-url", f"http://127.0.0.1:{free_port()}")
    said = smoke.app("serve", *away, "--log-format", "json", status=3)
    expect(
        "No judge server" in json.loads(said.splitlines()[-1])["message"],
        f"A judge that is not there was not told: {said}",
    )
    said = smoke.app("doctor", *away, status=3)
    expect("Cannot be used now: Judge" in said, f"The doctor did not tell of a judge that is not there: {said}")
    seen = ("--metrics-port", free_port(), "--traces-url", f"http://127.0.0.1:{free_port()}", "--log-format", "json")
    said = smoke.app("judge", "--host", "0.0.0.0", "--port", free_port(), *seen, status=2)
    expect("INTERVIEWER_LLM_KEY" in said, f"A judge without a key was not refused: {said}")


def _runners(smoke: Smoke) -> None:
    """Code is run by a runner; one that is away is told, and none is open to everybody without a key."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    process = smoke.start("runner", "--host", "127.0.0.1", "--port", port)
    _await(smoke, lambda: _answers(url) or process.poll() is not None, "the runner answers")
    asked = ("verify-code", "--question", "training-focal-loss", "--file", smoke.folder / "right.py")
    done = json.loads(smoke.app(*asked, "--runner-url", url, "--json"))
    expect(done["status"] == "passed", f"Our own solution did not pass at a runner: {json.dumps(done)[:2000]}")
    expect("on another machine" in done["isolation"], f"Where code ran was not told: {done['isolation']}")
    expect("answering" in smoke.app("doctor", "--runner-url", url), "The doctor did not tell of a runner.")
    process.send_signal(signal.SIGTERM)
    smoke.finish(process, "runner")
    said = " ".join(smoke.app(*asked, "--runner-url", url, "--json", status=3).split())
    expect("does not answer" in said, f"A runner that is not there was not told: {said}")
    said = smoke.app("serve", "--runner-url", "10.0.0.7", status=2)
    expect("not the address of a runner" in said, f"What is no address was not refused: {said}")
    said = smoke.app("runner", "--host", "0.0.0.0", "--port", port, status=2)
    expect("INTERVIEWER_RUNNER_KEY" in said, f"A runner without a key was not refused: {said}")


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", trust_env=False).is_success
    except httpx.HTTPError:
        return False


def accounts(smoke: Smoke) -> None:
    """The page on a shared machine: nothing without a log-in."""
    file = smoke.file("accounts", "ada:a long password\n")
    file.chmod(0o600)
    smoke.app(
        "account", "eve", "--role", "mentor", "--group", "autumn", "--auth-file", file, stdin="a mentor's password\n"
    )
    smoke.app("account", "--auth-file", file)
    expect("a long password" not in file.read_text(), "A password in the file of accounts was not hashed.")
    provider = ("--oidc-issuer", "https://login.example.org", "--oidc-client", "interviews")
    claims = ("--oidc-name", "preferred_username", "--oidc-groups", "groups", "--oidc-mentors", "teachers")
    said = smoke.app("serve", *provider, *claims, status=2)
    expect("INTERVIEWER_OIDC_SECRET" in said, f"A provider without the client's secret was not refused: {said}")
    port = free_port()
    bounds = ("--interviews-a-day", 1, "--allowed-host", "interview.example.org")
    options = ("--auth-file", file, "--mentors", *bounds, "--port", port)
    process = smoke.start("serve", *options, home="shared")
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30.0, trust_env=False) as http:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                refused = http.get("/config")
                break
            except httpx.HTTPError:
                expect(process.poll() is None, "The page with accounts did not come up.")
                expect(time.monotonic() < end, "The page with accounts did not come up in time.")
                time.sleep(0.3)
        expect(refused.status_code == 401, f"Without a log-in the page gave HTTP {refused.status_code}.")
        http.post("/login", data={"username": "ada", "password": "a long password"}).raise_for_status()
        http.get("/config").raise_for_status()
        _tell_two_stories(http)
    process.send_signal(signal.SIGINT)
    smoke.finish(process, "serve --auth-file")
    smoke.say("app.py serve --auth-file: refuses strangers, lets an account in and begin one interview, ends on Ctrl-C")


def _assignments(smoke: Smoke, file: Path) -> None:
    """A mentor gives one, on the command line; it is listed, for its candidate too, and changed."""
    named = ("--auth-file", file)
    smoke.app("account", "kay", "--group", "autumn", *named, stdin="a candidate's password\n")
    agenda = smoke.file("agenda.txt", "autograd, concept, 5\n")
    due = ("--due", f"{datetime.now(UTC) + timedelta(days=3):%Y-%m-%d %H:%M}")
    given = ("--by", "eve", *due, "--zone", "Europe/Berlin", *named)
    one = smoke.app("assign", "Autograd", *given, "--agenda", agenda, "--candidate", "kay", "--tries", 1).strip()
    smoke.app("assign", "Tensors", *given, "--topic", "tensors", "--minutes", 15, "--note", "Read first.")
    expect(one in smoke.app("assignments", *named, home="home/profiles/kay"), "A candidate's assignment is not listed.")
    smoke.app("interview", "--assignment", one, *named, home="home/profiles/kay", stdin="/end\n")
    told = smoke.app("assignments", one, "--extend", due[1], "--zone", "UTC", "--by", "eve", *named)
    expect("kay: ended early, 0 of 1 answered" in told, f"What was ended at once is told otherwise: {told}")
    for change in ("--close", "--withdraw"):
        told = smoke.app("assignments", one, change, "--by", "eve", *named)
    expect("withdrawn" in told, f"An assignment that was withdrawn is told otherwise: {told}")
    listed = json.loads(smoke.app("assignments", "--json", "--by", "eve", *named))
    expect(len(listed) == 2, f"Not two assignments: {listed}")


def _tell_two_stories(http: httpx.Client) -> None:
    """Each is an interview, and the page lets everybody begin one a day."""
    for status, words in ((200, "Story added."), (400, "everybody may begin 1")):
        request = re.search(r'data-request="([0-9a-f]{32})"', http.get("/stories").raise_for_status().text)
        story = {"question": "memory-problem-story", "text": STORY, "request": request[1] if request else ""}
        told = http.post("/stories/tell", json=story, headers={"X-Interviewer": "settings"})
        expect(told.status_code == status and words in told.text, f"A story was answered otherwise: {told.text}")


def run_with_models(smoke: Smoke, page: Served, bank: dict[str, Question]) -> None:
    """The commands that grade or hear; they share the page's model server."""
    good = [each.examples.met[0] for each in criteria_of(bank[QUESTION])]
    _grade(smoke, bank[QUESTION], " ".join(good))
    answers = smoke.lines("answers.jsonl", {"question_id": QUESTION, "answer": good[0]}, {"any": True, "answer": OFF})
    wanted = ("--topic", "autograd", "--level", "junior", "--length", 1)
    smoke.app("interview", "--answers", answers, "--report", smoke.folder / "scripted.json", *wanted)
    scripted = _report_in(smoke.folder / "scripted.json")
    expect(scripted["questions"][0]["status"] == "graded", "The prepared answers were not graded.")
    one = scripted["session_id"]

    _assignments(smoke, smoke.folder / "accounts")
    # One point of several: whoever makes them all may be done before the input ends.
    typed = f"{good[0]}\n\n"
    began = ("--role", "ML engineer", "--minutes", 15, "--exam", "--style", "friendly", "--question", QUESTION)
    smoke.app("interview", *began, stdin=typed)
    manner = ("--starter", "blank", "--no-talks", "--no-silence-steps", "--cut-short")
    smoke.app("interview", "--documents", "--document", "sample.md", "--length", 1, *manner, stdin="/end\n")
    left = json.loads(smoke.app("sessions", "--json"))
    other = next(each["id"] for each in left if not each["ended"] and each["id"] != page.session)
    smoke.app("interview", "--resume", other, "--drill", stdin="/end\n")
    expect(f"{other}" in smoke.app("sessions"), "An interview that was resumed is not listed.")

    _stories(smoke)
    _loop(smoke)
    smoke.app("override", one, 1, 2, "met", "--by", "Ada", "--note", "Said by gesture.")
    smoke.app("dispute", one, 1, 1, "--reason", "I said it.")
    smoke.app("regrade", one, "--json", "-o", smoke.folder / "again.json")
    away = ("--llm-url", f"http://127.0.0.1:{free_port()}", "--model", "any")
    smoke.app("regrade", one, *away, status=3)
    expect(_report_in(smoke.folder / "again.json")["scores_compared"] >= 1, "Nothing was graded again.")
    regraded = json.loads(smoke.app("regrade", "--all", "--json"))
    expect(one in [each["session"] for each in regraded["interviews"]], "Not all were graded again.")
    # There is no PostgreSQL here, so these say what they need.
    there = ("--database", f"postgresql://nobody@127.0.0.1:{free_port()}/none")
    smoke.app("regrade", "--all", "--queue", "--wait", "--again", *there, status=3)
    collector = f"http://127.0.0.1:{free_port()}"
    seen = (
        "--metrics-port",
        free_port(),
        "--metrics-host",
        "127.0.0.1",
        "--traces-url",
        collector,
        "--log-format",
        "text",
    )
    smoke.app("worker", "--judge-url", f"http://127.0.0.1:{free_port()}", *seen, *there, status=3)
    # Nor is Ray.
    ray = ("--ray", "local", "--judge-url", f"http://127.0.0.1:{free_port()}")
    smoke.app("regrade", "--all", *ray, "--again", status=3)
    _talk(smoke)
    _reports(smoke, one, other)
    _data(smoke, one)


def _stories(smoke: Smoke) -> None:
    """What is told in answer to a behavioral question is kept as a story, and deleted when one says so."""
    smoke.app("interview", "--question", "memory-problem-story", stdin=f"{STORY}\n\n")
    kept = [one["id"] for one in json.loads(smoke.app("stories", "--json")) if one["tellings"][0]["text"] == STORY]
    expect(len(kept) == 1, "The story was not kept as it was told.")
    expect(kept[0] in smoke.app("stories"), "A story is not listed.")
    expect(STORY in smoke.app("stories", kept[0]), "A story is not shown.")
    smoke.app("stories", kept[0], "--delete")
    expect(kept[0] not in smoke.app("stories"), "A deleted story is still listed.")


def _loop(smoke: Smoke) -> None:
    """A loop is begun from an edited template, gone on with, and debriefed."""
    file = smoke.folder / "loop.json"
    expect("new graduate" in smoke.app("loop", "template"), "The templates are not listed.")
    smoke.app("loop", "template", "new graduate", "-o", file)
    plan = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**plan, "rounds": plan["rounds"][-1:] + plan["rounds"][:1]}), encoding="utf-8")
    about = ("--level", "mid", "--role", "ML engineer")
    smoke.app("loop", "start", "--file", file, *about, "--subject", "my tokenizer", stdin="/end\n")
    smoke.app("loop", "next", "--through", stdin="/end\n")
    shown = json.loads(smoke.app("loop", "show", "--json"))
    expect([each["over"] for each in shown["held"]] == [True, True], f"The rounds were not held: {shown}")
    said = smoke.app("loop", "debrief", shown["id"])
    expect("Nothing is graded yet." in said, f"The debrief says more than there is: {said}")
    smoke.app("loop", "debrief", "--format", "json", "-o", smoke.folder / "debrief.json")
    smoke.app("loop", "start", "--template", "research lab", "--paper", "Attention is all you need", stdin="/end\n")


def _grade(smoke: Smoke, question: Question, good: str) -> None:
    criteria = [{"id": each.id, "text": each.text, "weight": each.weight} for each in criteria_of(question)]
    rows = [
        {"id": name, "question": question.text, "criteria": criteria, "answer": answer}
        for name, answer in (("good", good), ("off", OFF))
    ]
    graded = smoke.folder / "grades.jsonl"
    smoke.app("grade", "--input", smoke.lines("to-grade.jsonl", *rows), "--output", graded)
    scores = {row["id"]: row["score"] for row in map(json.loads, graded.read_text().splitlines())}
    expect(scores["good"] > scores["off"] + 0.2, f"The judge does not tell good from bad: {scores}")


def _talk(smoke: Smoke) -> None:
    """What is said aloud by one program is recognized by ours, and answers a turn."""
    expect(shutil.which("espeak-ng"), "espeak-ng is missing, with which the answers are spoken (`make system`).")
    sound = smoke.folder / "said.wav"
    said = "Autograd only keeps the gradient of leaf tensors. Everything in between is thrown away."
    subprocess.run(["espeak-ng", "-v", "en-gb", "-s", "145", "-w", str(sound), said], check=True)
    heard = json.loads(smoke.app("transcribe", sound, "--question", QUESTION, "--json"))
    expect("thrown away" in heard["text"].lower(), f"The recording was not understood: {heard}")
    smoke.app("interview", "--voice-in", sound, sound, "--question", QUESTION, "--report", smoke.folder / "spoken.json")
    spoken = json.dumps(_report_in(smoke.folder / "spoken.json")).lower()
    expect("thrown away" in spoken, "What was said is not in the report.")


def _reports(smoke: Smoke, one: str, other: str) -> None:
    folder = smoke.folder
    for form, begins in (("html", b"<!"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("md", b"#")):
        file = folder / f"report.{form}"
        smoke.app("report", one, "--format", form, "-o", file, *(("--view", "interviewer") if form == "md" else ()))
        expect(file.read_bytes().lstrip().lower().startswith(begins.lower()), f"{file.name} is no {form}.")
    smoke.app("report", "--all", "--format", "json", "-o", folder / "reports")
    expect(_report_in(folder / "reports" / f"{one}.json"), "Not all reports were written.")
    smoke.app("export-study", one, "--anki", folder / "study.apkg", "--calendar", folder / "study.ics")
    expect(zipfile.is_zipfile(folder / "study.apkg"), "The Anki deck is no deck.")
    expect((folder / "study.ics").read_text().startswith("BEGIN:VCALENDAR"), "The calendar is no calendar.")
    smoke.app("compare", one, other, "--format", "json", "-o", folder / "compared.json")
    expect(_report_in(folder / "compared.json"), "The comparison is empty.")
    people = [folder / "scripted.json", folder / "spoken.json"]
    smoke.app("group", *people, "--anonymous", "--format", "md", "-o", folder / "group.md")
    expect((folder / "group.md").read_text(), "The group's summary is empty.")
    smoke.app("sessions", "--assessments", "-o", folder / "assessed.jsonl")


def _data(smoke: Smoke, one: str) -> None:
    """All data into one file, into another home, and deleted there."""
    file = smoke.folder / "data.zip"
    smoke.app("data", "export", file)
    smoke.app("data", "import", file, home="moved")
    listed = {each["id"] for each in json.loads(smoke.app("sessions", "--json", home="moved"))}
    expect(one in listed, "An interview did not move.")
    for what in ((one, "--recordings"), (one,), ("--background",), ("--all",)):
        smoke.app("data", "delete", *what, home="moved")
    expect(json.loads(smoke.app("sessions", "--json", home="moved")) == [], "Deleted interviews are still listed.")
    _database(smoke, file, one)
    _files(smoke, file, one)


def _database(smoke: Smoke, exported: Path, one: str) -> None:
    """The same interviews in another database, which every command takes."""
    there = ("--database", f"sqlite:///{smoke.folder / 'elsewhere.db'}")
    smoke.app("data", "import", exported, *there, home="moved")
    expect(one in smoke.app("sessions", *there, home="moved"), "An interview is not in the database it went to.")
    expect(one not in smoke.app("sessions", home="moved"), "An interview went to another database than was named.")
    smoke.app("report", one, "--format", "md", *there, "-o", smoke.folder / "elsewhere.md", home="moved")
    smoke.app("data", "export", smoke.folder / "elsewhere.zip", *there, home="moved")
    smoke.app("data", "delete", "--all", *there, home="moved")
    away = ("--database", f"postgresql://ada:hush@127.0.0.1:{free_port()}/interviews")
    said = smoke.app("serve", *away, status=3)
    expect("hush" not in said, f"A password was told: {said}")
    expect("psycopg" in said or "no PostgreSQL server" in said, f"A database that is not there was not told: {said}")


def _files(smoke: Smoke, exported: Path, one: str) -> None:
    """Recordings in a folder that several homes share, which every command takes that reads or writes them."""
    shared = smoke.folder / "files-of-all"
    shared.mkdir()
    there = ("--files", shared)
    smoke.app("data", "import", exported, *there, home="first")
    smoke.app("report", one, *there, "-o", smoke.folder / "shared.html", home="first")
    smoke.app("data", "export", smoke.folder / "shared.zip", *there, home="first")
    smoke.app("data", "delete", one, *there, home="first")
    said = smoke.app("serve", "--files", "s3://key:hush@interviews/files", status=2)
    expect("hush" not in said, f"A secret was told: {said}")


def run_with_index(smoke: Smoke) -> None:
    """The commands that look things up in the whole bank, once the page has indexed it."""
    narrowed = ("--topic", "autograd", "--kind", "concept", "--level", "mid", "--document", "tensors-and-autograd.md")
    found = json.loads(smoke.app("search", "gradient of a tensor that is no leaf", "-k", 3, *narrowed, "--json"))
    expect(found and found[0]["id"] == QUESTION, f"The search did not find {QUESTION}: {found}")
    explained = smoke.app("ingest", smoke.folder / "documents", "--explain", "--against-bank", "--json")
    expect("sample.docx" in explained and "sample.pdf" in explained, f"Documents were not explained:\n{explained}")
    smoke.app("prepare")


def _report_in(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


# What was promised


def listed_commands(smoke: Smoke) -> list[str]:
    """What ``--help`` lists; the commands of a group with its word before them."""
    names: list[str] = []
    groups = ("data", "loop")
    for before in ((), *((group,) for group in groups)):
        said = smoke.app(*before, "--help")
        found = re.findall(r"^│ ([a-z][a-z-]*)  ", said.partition("Commands")[2], re.MULTILINE)
        expect(found, f"`app.py {' '.join((*before, '--help'))}` lists no commands:\n{said}")
        names += [" ".join((*before, name)) for name in found if before or name not in groups]
    return names


def promised(readme: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each command that the README shows with each option it shows it with; an empty option for none.

    Options alone, in brackets, belong to all commands of their line.
    """
    usage = re.compile(
        rf"(?:\S*python app\.py )?({'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w-])(.*)"
    )
    for line in readme.splitlines():
        shown = re.findall(r"`([^`]+)`", line) or [line.partition("  #")[0]]
        matches = [found for each in shown if (found := usage.fullmatch(each.strip()))]
        common = [each for each in shown if each.startswith("[")]
        for found in matches:
            options = re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", " ".join([found[2], *common]))
            yield from ((found[1], option) for option in ["", *options])


def check_promises(smoke: Smoke, names: Sequence[str]) -> None:
    """Every command of ``--help`` was run, and every one of the README with every option shown there.

    Raises:
        SmokeError: one was not; then it belongs into this file.

    """

    def was_run(name: str, option: str) -> bool:
        begin = tuple(name.split())
        return any(each[: len(begin)] == begin and (not option or option in each) for each in smoke.commands)

    pairs = {
        *((name, "") for name in names),
        *promised("\n".join((ROOT / name).read_text(encoding="utf-8") for name in SHOWN), names),
    }
    lacking = sorted(f"{name} {option}".strip() for name, option in pairs if not was_run(name, option))
    expect(not lacking, f"Shown in the README or by --help, and not run here: {', '.join(lacking)}")
    count = len({option for option in pairs if option[1]})
    smoke.say(f"all {len(names)} commands of --help, and {count} options of the README's, were run")


# All of it


def prove(smoke: Smoke) -> None:
    """Run everything.

    Raises:
        SmokeError: something does not hold.

    """
    page = Served(smoke)
    bank = {question.id: question for question in load_bank()}
    names: list[str] = []

    def commands() -> None:
        names.extend(listed_commands(smoke))
        run_without_models(smoke, bank)
        _await(smoke, (smoke.folder / "models" / "run" / "judge.json").is_file, "the page starts the model server")
        run_with_models(smoke, page, bank)
        _await(smoke, page.ready.is_set, "the page has come up")
        run_with_index(smoke)

    with ThreadPoolExecutor(2) as both:
        jobs = [both.submit(asyncio.run, page.hold(bank)), both.submit(commands)]
        try:
            done, _ = wait(jobs, return_when=FIRST_EXCEPTION)
            # The first that failed is told; what comes of ending the other one is not.
            for job in done:
                job.result()
        except BaseException:
            smoke.broken.set()
            smoke.close()
            raise
    page.stop()
    said = smoke.finish(smoke.start("stop"), "stop")
    smoke.say(f"app.py stop {said}".strip())
    check_promises(smoke, names)


def _await(smoke: Smoke, holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        expect(not smoke.broken.is_set(), "Something else failed.")
        expect(time.monotonic() < end, f"Waited {PATIENCE_S:.0f} s in vain: {what}")
        time.sleep(0.2)


@contextmanager
def prepared() -> Iterator[Smoke]:
    """A run in a folder of its own, with the models that this machine has; fetched where it has none."""
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "app.py", "prepare", "--models"], cwd=ROOT, check=False)
    expect(done.returncode == 0, f"`app.py prepare --models` ended with status {done.returncode}.")
    print(f"{time.monotonic() - begin:6.0f} s  app.py prepare --models (before the clock starts)", flush=True)
    with tempfile.TemporaryDirectory(prefix="smoke-") as folder:
        smoke = Smoke(Path(folder), paths.models())
        smoke.commands.append(("prepare", "--models"))
        try:
            yield smoke
        except BaseException:
            for log in sorted((smoke.folder / "models" / "logs").glob("*.log")):
                print(f"The end of {log.name}:\n{log.read_text(errors='replace')[-3000:]}", file=sys.stderr)
            raise
        finally:
            smoke.close()


def main() -> int:
    """Prove everything; 0 where it holds."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    ask.add_argument(
        "--only-the-lock", action="store_true", help="fail where other packages than the lock's are installed"
    )
    given = ask.parse_args()
    try:
        weaker = check_installed(alone=given.only_the_lock)
        print(weaker or "Nothing but the runtime lock is installed.", flush=True)
        with prepared() as smoke:
            prove(smoke)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            smoke.say(f"passed; the processes computed for {used.ru_utime + used.ru_stime:.0f} s")
    except SmokeError as error:
        print(f"\nThe smoke test failed: {error}", file=sys.stderr)
        return 1
    print(weaker, end="\n" if weaker else "")
    return 0


if __name__ == "__main__":
    sys.exit(main())

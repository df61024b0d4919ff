"""The files of ``deploy/`` hold for the programs that read them, and name only what the product has."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from importlib.metadata import requires
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote, urlsplit

import pytest
import yaml

from interviewer.cli.commands.judge import DRAIN_S
from interviewer.cli.main import COMMANDS, load
from interviewer.session.events import Event
from interviewer.storage import left_over
from interviewer.storage.postgres_journal import PostgresJournal
from interviewer.web.health.routes import LIVE, READY
from serving.metrics import EVENTS, JOB_S, JOBS, JUDGE_CALL_S, JUDGES, LOGGED, REFUSED, REGISTRY, RUNNERS
from serving.sandbox.remote import server
from tests.imported import locked, normal
from tests.interviewer.storage.test_journal_contract import STARTED
from tests.locations import ROOT
from tests.postgres import PASSWORD, PostgresServer

DEPLOY = ROOT / "deploy"
PRODUCT = ("interviewer", "knowledge", "rubric", "serving")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
INSTALLED = "/opt/torch-interviewer"
"""Where the image and the units have the program."""

SECRETS = {
    "POSTGRES_PASSWORD": "a",
    "INTERVIEWER_LLM_KEY": "b",
    "INTERVIEWER_RUNNER_KEY": "c",
    "INTERVIEWER_AUTH": "ada:long enough",
}


def compose() -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return made


def ours() -> dict[str, dict[str, Any]]:
    """The services that run the product."""
    return {name: each for name, each in compose()["services"].items() if each["image"] == "torch-interviewer"}


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def checked(command: Sequence[str], **environment: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def parsed(arguments: Sequence[str]) -> dict[str, Any]:
    """A command line of ours as the product reads it; fails for what it does not know."""
    name, *rest = arguments
    assert name in COMMANDS
    values: dict[str, Any] = load(name).make_context(name, list(rest)).params
    return values


def copied() -> set[str]:
    """What the image is made of."""
    lines = re.findall(r"^COPY (.+) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    return {name for line in lines for name in line.split()}


def started(unit: Path) -> list[str]:
    """The command line of a unit, with something in the place of what the machine's files say."""
    (line,) = re.findall(r"^ExecStart=(.+)$", unit.read_text(), re.MULTILINE)
    judge = "--judge-url http://10.0.0.5:8100"
    page, everybody = f"{judge} --runner-url http://10.0.0.7:8200", "--host 0.0.0.0"
    options = {"$PAGE_OPTIONS": page, "$WORKER_OPTIONS": judge, "%i": "7860"}
    options |= {"$JUDGE_OPTIONS": everybody, "$RUNNER_OPTIONS": everybody}
    for name, value in options.items():
        line = line.replace(name, value)
    return shlex.split(line)


def test_haproxy_takes_its_file() -> None:
    command = [program("haproxy"), "-c", "-f", str(DEPLOY / "haproxy.cfg")]
    assert "WARNING" not in checked(command)
    checked(command, **compose()["services"]["proxy"]["environment"])


def test_haproxy_asks_for_what_a_page_answers() -> None:
    text = (DEPLOY / "haproxy.cfg").read_text()
    assert re.findall(r"uri (\S+)", text) == [READY, LIVE]
    variables = set(re.findall(r"\$\{(\w+)", text))
    assert variables == set(compose()["services"]["proxy"]["environment"])


def test_a_program_for_compose_files_takes_this_one() -> None:
    docker = program("docker")
    if subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("docker has no compose here")
    checked([docker, "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"], **SECRETS)


def test_the_compose_file_starts_what_there_is() -> None:
    values = {name: parsed(service["command"]) for name, service in ours().items()}
    runs = {name: service["command"][0] for name, service in ours().items()}
    pages = {name: each for name, each in values.items() if runs[name] == "serve"}
    judges = {f"http://{name}:{each['port']}" for name, each in values.items() if runs[name] == "judge"}
    workers = [each for name, each in values.items() if runs[name] == "worker"]
    assert len(pages) == len(judges) == 2
    assert len(workers) == 1
    for each in (*pages.values(), *workers):
        assert set(each["judge_url"]) == judges
        assert each["database"].partition("@")[2].partition("/")[0] in compose()["services"]
    runners = {f"http://{name}:{each['port']}" for name, each in values.items() if runs[name] == "runner"}
    assert runners
    assert all(set(each["runner_url"]) == runners for each in pages.values())
    proxy = compose()["services"]["proxy"]["environment"]
    assert [proxy["PAGE_1"], proxy["PAGE_2"]] == [f"{name}:{each['port']}" for name, each in pages.items()]


def test_the_compose_file_asks_for_its_secrets_and_mounts_only_its_volumes() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+):\?", text)) == set(SECRETS)
    mounted = {mount.partition(":") for service in ours().values() for mount in service.get("volumes", ())}
    volumes = set(re.findall(r'"(/\S+)"', re.findall(r"^VOLUME (.+)$", dockerfile(), re.MULTILINE)[0]))
    assert {volume for volume, _, _ in mounted} <= set(compose()["volumes"])
    assert {folder for _, _, folder in mounted} == volumes


def test_submitted_code_reaches_nothing_but_pages() -> None:
    services, networks = compose()["services"], compose()["networks"]
    (runner,) = [each for each in ours().values() if each["command"][0] == "runner"]
    (name,) = runner["networks"]
    assert networks == {name: {"internal": True}}
    beside = {each["command"][0] for each in services.values() if name in each.get("networks", ())}
    assert beside == {"runner", "serve"}
    assert "volumes" not in runner
    assert set(runner["environment"]) == {"INTERVIEWER_RUNNER_KEY", "INTERVIEWER_HOME"}


def test_the_pages_of_the_compose_file_are_no_superuser(postgres: PostgresServer) -> None:
    service = compose()["services"]["database"]
    scripts = [mount.split(":")[0] for mount in service["volumes"] if "docker-entrypoint-initdb.d" in mount]
    assert scripts == ["./database.sh"]
    (url,) = {
        each["database"] for each in map(parsed, (one["command"] for one in ours().values())) if "database" in each
    }
    user, name = urlsplit(url).username, urlsplit(url).path.removeprefix("/")
    there = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGPASSWORD": PASSWORD}
    secret = "it's \\ a :secret"
    postgres.sql(f"CREATE ROLE image SUPERUSER LOGIN PASSWORD '{PASSWORD}'")
    try:
        checked([program("bash"), str(DEPLOY / "database.sh")], **there, POSTGRES_USER="image", PAGES_PASSWORD=secret)
        # Whoever has the pages' password gets in as no superuser.
        assert postgres.sql("SELECT rolpassword FROM pg_authid WHERE rolname = 'image'") == [(None,)]
        assert postgres.sql(f"SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = '{user}'") == [(False, False)]
        page = postgres.url(name, user=str(user), password=quote(secret, safe=""))
        with PostgresJournal(page, "ada") as ada, PostgresJournal(page, "ben") as ben:
            assert ada.append("one", STARTED)
            assert not ben.holds("one")
    finally:
        postgres.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        postgres.sql(f"DROP ROLE IF EXISTS {user}")
        postgres.sql("DROP ROLE image")


def test_a_judge_and_a_runner_are_given_the_time_that_they_take_to_stop() -> None:
    for command, seconds in (("judge", DRAIN_S), ("runner", server.DRAIN_S)):
        (unit,) = [each for each in UNITS if f"app.py {command}" in each.read_text()]
        (patience,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit.read_text(), re.MULTILINE)
        assert int(patience) > seconds
        services = [each for each in ours().values() if each["command"][0] == command]
        assert services
        assert all(int(each["stop_grace_period"].removesuffix("s")) > seconds for each in services)


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text()


def test_the_image_holds_the_program_and_starts_it() -> None:
    assert set(PRODUCT) <= copied()
    assert [name for name in copied() if not (ROOT / name).exists()] == []
    let_in = re.findall(r"^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert set(let_in) == copied()
    (command,) = re.findall(r"^CMD (.+)$", dockerfile(), re.MULTILINE)
    values = parsed(yaml.safe_load(command))
    assert f"http://127.0.0.1:{values['port']}{LIVE}" in dockerfile()
    assert dockerfile().index("\nUSER interviewer\n") < dockerfile().index("\nENTRYPOINT")


def test_the_image_gets_what_a_shared_database_needs_as_the_tests_have_it() -> None:
    (script,) = re.findall(r"awk '(.+?)'", dockerfile())
    pinned = checked([program("awk"), script, str(ROOT / "requirements-dev.lock")])
    names = re.findall(r"^([a-z-]+)==", pinned, re.MULTILINE)
    held = locked("requirements.lock") | locked("requirements-dev.lock")
    needed, wanted = set(), {"psycopg", "psycopg-binary", "psycopg-pool", "procrastinate"}
    while wanted:
        needed |= wanted
        stated = [each for name in wanted for each in requires(name) or () if "extra ==" not in each]
        wanted = {normal(re.split(r"[^\w.-]", each)[0]) for each in stated} & held.keys() - needed
    assert set(names) == needed - locked("requirements.lock").keys()
    assert all(re.match(r" +--hash=|[a-z-]+==", line) for line in pinned.splitlines())


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_takes_a_unit(unit: Path, tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    if "haproxy" in unit.read_text():
        program("haproxy")
    # Programs have to be where a unit says.
    text = unit.read_text().replace(f"{INSTALLED}/.venv/bin/python", shutil.which("env") or "")
    copy = tmp_path / unit.name
    copy.write_text(text)
    assert checked([analyze, "verify", "--man=no", str(copy)]).strip() == ""


@pytest.mark.parametrize("unit", [unit for unit in UNITS if "app.py" in unit.read_text()], ids=lambda unit: unit.stem)
def test_a_unit_starts_what_there_is(unit: Path) -> None:
    python, app, *arguments = started(unit)
    assert (python, app) == (f"{INSTALLED}/.venv/bin/python", "app.py")
    assert parsed(arguments)
    assert f"WorkingDirectory={INSTALLED}\n" in unit.read_text()


def variables() -> Iterator[tuple[str, str]]:
    """The variables of the product that a file names, each with the file."""
    for path in [*DEPLOY.glob("*.*"), DEPLOY / "Dockerfile", *UNITS, *DEPLOY.glob("helm/**/*.*")]:
        if path.suffix != ".py":
            yield from ((name, path.name) for name in re.findall(r"\bINTERVIEWER_[A-Z]+(?:_[A-Z]+)*", path.read_text()))


def test_variables_are_those_that_the_product_reads() -> None:
    product = "".join(path.read_text() for name in PRODUCT for path in (ROOT / name).rglob("*.py"))
    known = set(re.findall(r'"(INTERVIEWER_[A-Z_]+)"', product)) | {"INTERVIEWER_PAGE"}  # the proxy's cookie
    assert sorted({each for each in variables() if each[0] not in known}) == []


def test_a_file_says_where_it_is_explained() -> None:
    for path in [*DEPLOY.glob("*.yaml"), *UNITS, *DEPLOY.glob("helm/**/*.*")]:
        for named in re.findall(rf"(?:{INSTALLED}/)?(docs/[\w/-]+\.md)", path.read_text()):
            assert (ROOT / named).is_file()


def test_the_dashboard_shows_what_is_counted_and_nothing_else() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text())
    text = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    for labeled, value in (
        (EVENTS, "answer_given"),
        (LOGGED, "warning"),
        (JUDGE_CALL_S, "embeddings"),
        (REFUSED, "key"),
        (JUDGES, "answering"),
        (RUNNERS, "answering"),
    ):
        labeled.labels(value)
    JOBS.labels(left_over.JOB, "done")
    JOB_S.labels(left_over.JOB)
    counted = {sample.name for metric in REGISTRY.collect() for sample in metric.samples}
    shown = set(re.findall(r"interviewer_\w+", text))
    assert shown <= counted
    # Each thing that is counted is on one of the panels.
    counts = {metric.name for metric in REGISTRY.collect()}
    assert {name for name in counts if not any(each.startswith(name) for each in shown)} == set()
    types = set(re.findall(r'type="(\w+)"', text))
    assert types <= {kind.model_fields["type"].default for kind in get_args(get_args(Event)[0])}
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(set(places)) == len(places)

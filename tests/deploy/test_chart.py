"""The Helm chart names only what the product has, and gives each part what it needs."""

from __future__ import annotations

import itertools
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.cli.commands.judge import DRAIN_S
from interviewer.web.health.routes import LIVE, READY
from tests.deploy.test_files import DEPLOY, checked, compose, dockerfile, parsed, program
from tests.locations import ROOT

CHART = DEPLOY / "helm/torch-interviewer"
TEMPLATES = sorted((CHART / "templates").glob("*.yaml"))
GIVEN = ("host=interview.example.org", "secret=interviewer")
"""What has no default."""

PARTS = ("page", "judge", "runner", "worker")
USED_BY = {"judge": ("page", "worker"), "runner": ("page",)}
"""What is named by URL, and by which parts, in the order of the templates."""

KEYS = {"INTERVIEWER_LLM_KEY", "INTERVIEWER_RUNNER_KEY", "INTERVIEWER_AUTH"}

_ACTION = re.compile(r"\{\{-?(.+?)-?\}\}")


def values() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text())
    return read


def texts() -> dict[str, str]:
    return {path.name: path.read_text() for path in (CHART / "templates").iterdir()}


def stripped(text: str) -> list[dict[str, Any]]:
    """The objects of a template without what Helm puts in: a line of that is left out, a part of a line is ``x``."""
    lines = [line for line in text.splitlines() if not _ACTION.fullmatch(line.strip())]
    return [each for each in yaml.safe_load_all(_ACTION.sub("x", "\n".join(lines))) if each]


def objects(kind: str) -> dict[str, dict[str, Any]]:
    """The objects of a kind, by component."""
    found = [each for path in TEMPLATES for each in stripped(path.read_text()) if each["kind"] == kind]
    return {each["metadata"]["labels"]["app.kubernetes.io/component"]: each for each in found}


def pod(component: str) -> dict[str, Any]:
    spec: dict[str, Any] = objects("StatefulSet")[component]["spec"]["template"]["spec"]
    return spec


def container(component: str) -> dict[str, Any]:
    (only,) = pod(component)["containers"]
    made: dict[str, Any] = only
    return made


def _template(component: str) -> str:
    return (CHART / f"templates/{component}s.yaml").read_text()


def paths(tree: dict[str, Any], before: str = "") -> Iterator[str]:
    """The values that there are, each by its path."""
    for name, value in tree.items():
        path = f"{before}{name}"
        yield from paths(value, f"{path}.") if isinstance(value, dict) and value else [path]


def test_helm_takes_the_chart() -> None:
    helm = program("helm")
    given = [part for each in GIVEN for part in ("--set", each)]
    checked([helm, "lint", "--strict", str(CHART), *given])
    shown = checked([helm, "template", "mock", str(CHART), *given])
    for each in yaml.safe_load_all(shown):
        if each["kind"] == "StatefulSet":
            (only,) = each["spec"]["template"]["spec"]["containers"]
            assert parsed([str(part) for part in only["args"]])


def test_the_chart_is_of_this_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["apiVersion"] == "v2"
    assert chart["name"] == CHART.name
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert (chart["version"], chart["appVersion"]) == (version, version)


def test_templates_and_values_name_the_same() -> None:
    used = {each for text in texts().values() for each in re.findall(r"\.Values((?:\.\w+)+)", text)}
    named = {each.removeprefix(".") for each in used}
    known = set(paths(values()))
    assert [each for each in sorted(named) if not any(f"{one}.".startswith(f"{each}.") for one in known)] == []
    assert [each for each in sorted(known) if not any(f"{each}.".startswith(f"{one}.") for one in named)] == []


@pytest.mark.parametrize("path", sorted((CHART / "templates").iterdir()), ids=lambda path: path.name)
def test_a_template_is_well_formed(path: Path) -> None:
    text = path.read_text()
    opened = re.findall(r"\{\{-? (?:if|with|range|define) ", text)
    assert len(opened) == len(re.findall(r"\{\{-? end -?\}\}", text))
    for indent, said in re.findall(r"^( *)\{\{-.*\| nindent (\d+) \}\}$", text, re.MULTILINE):
        assert len(indent) == int(said)
    defined = set(re.findall(r'define "([\w.]+)"', texts()["_helpers.tpl"]))
    assert set(re.findall(r'include "([\w.]+)"', text)) <= defined


def test_the_chart_starts_what_there_is_with_the_judges_that_it_has() -> None:
    ports = {}
    for component in PARTS:
        args = [str(each) for each in container(component)["args"]]
        assert parsed(args)
        ports[component] = container(component).get("ports", [{}])[0].get("containerPort")
        said = dict(itertools.pairwise(args)).get("--port")
        assert said == (str(ports[component]) if ports[component] else None)
        # The judges' URLs come from a template of their own.
        takes = {each for each in USED_BY if f'include "interviewer.{each}s" .' in _template(component)}
        assert takes == {each for each, users in USED_BY.items() if component in users}
    helpers = re.findall(r"^- (--.+)\n- (.+)$", texts()["_helpers.tpl"], re.MULTILINE)
    assert len(helpers) == len(USED_BY)
    for (option, url), (used, users) in zip(helpers, USED_BY.items(), strict=True):
        named = re.sub(r"\{\{ \$\.Release\.Name \}\}", "x", url).replace("{{ $number }}", "0")
        service = objects("Service")[used]
        assert named == f"http://x-{used}-0.x-{used}:{ports[used]}"
        assert (service["metadata"]["name"], service["spec"]["ports"][0]["port"]) == (f"x-{used}", ports[used])
        assert service["spec"]["clusterIP"] == "None"
        command = container(users[0])["args"][0]
        assert parsed([command, option, named])[f"{used}_url"] == [named]


def test_a_part_gets_the_secrets_that_it_has_in_the_compose_file_and_by_reference() -> None:
    services = {"page": "page-1", "worker": "worker", "judge": "judge-1", "runner": "runner"}
    for component in PARTS:
        more = {"INTERVIEWER_DATABASE"} if component in {"page", "worker"} else set()
        env = {each["name"]: each for each in container(component)["env"]}
        secret = {name for name, each in env.items() if "secretKeyRef" in each.get("valueFrom", {})}
        there = compose()["services"][services[component]]["environment"]
        assert secret == {name for name in there if name in KEYS} | more
        assert all(env[name]["valueFrom"]["secretKeyRef"]["key"] == name for name in secret)
        assert set(env) - more == set(there) - {"PGPASSWORD"}
        # No password on a command line.
        assert "--database" not in container(component)["args"]


def test_probes_ask_for_what_a_part_answers() -> None:
    page, judge = container("page"), container("judge")
    asked = {name: page[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {name: each["path"] for name, each in asked.items()} == {
        "startupProbe": LIVE,
        "livenessProbe": LIVE,
        "readinessProbe": READY,
    }
    # A page refuses names that it does not know, such as a pod's address.
    assert all(each["httpHeaders"] == [{"name": "Host", "value": "localhost"}] for each in asked.values())
    for server in (judge, container("runner")):
        assert {server[name]["httpGet"]["path"] for name in ("startupProbe", "readinessProbe")} == {"/health"}
        assert "tcpSocket" in server["livenessProbe"]


def seconds(service: str) -> int:
    return int(compose()["services"][service]["stop_grace_period"].removesuffix("s"))


def test_a_part_is_given_the_time_that_it_takes_to_stop() -> None:
    assert DRAIN_S < pod("judge")["terminationGracePeriodSeconds"] == seconds("judge-1")
    for component in ("worker", "runner"):
        assert pod(component)["terminationGracePeriodSeconds"] == seconds(component)
    page = pod("page")["terminationGracePeriodSeconds"]
    (unit,) = DEPLOY.glob("systemd/interviewer-page@.service")
    assert f"TimeoutStopSec={page}\n" in unit.read_text()
    before = container("page")["lifecycle"]["preStop"]["exec"]["command"]
    assert before[0] == "sleep"
    assert int(before[1]) < page / 2


def test_one_page_and_one_judge_at_a_time_are_taken_away() -> None:
    budgets = objects("PodDisruptionBudget")
    assert {name: each["spec"]["maxUnavailable"] for name, each in budgets.items()} == dict.fromkeys(
        ("page", "judge", "runner"), 1
    )
    assert min(values()[each]["replicas"] for each in ("pages", "judges", "runners")) > 1
    for each in objects("StatefulSet").values():
        assert each["spec"]["updateStrategy"] == {"type": "RollingUpdate"}


def test_requests_are_what_was_measured() -> None:
    table = re.findall(
        r"^\| (a page with eighty people|a judge) \| (.+?) GB", _docs("several-machines.md"), re.MULTILINE
    )
    measured = {name: float(said.rpartition(" ")[2]) for name, said in table}
    for name, part in (("a page with eighty people", "pages"), ("a judge", "judges")):
        asked = int(values()[part]["resources"]["requests"]["memory"].removesuffix("Mi")) * 2**20
        assert measured[name] * 1e9 <= asked <= 1.2 * measured[name] * 1e9


def test_pods_are_as_little_as_the_image_allows() -> None:
    (uid,) = re.findall(r"useradd --uid (\d+)", dockerfile())
    helpers = texts()["_helpers.tpl"]
    assert f"runAsUser: {uid}\n" in helpers
    volumes = set(re.findall(r'"(/\S+)"', re.findall(r"^VOLUME (.+)$", dockerfile(), re.MULTILINE)[0]))
    for component in PARTS:
        assert {each["mountPath"] for each in container(component).get("volumeMounts", [])} <= volumes
        text = _template(component)
        assert 'include "interviewer.pod"' in text
        assert 'include "interviewer.container"' in text
    # Judges and submitted code must not see interviews.
    assert "volumeMounts" not in container("runner")
    assert {each["mountPath"] for each in container("judge")["volumeMounts"]} == {"/data/models"}


def test_the_cookie_is_that_of_the_proxy() -> None:
    (cookie,) = set(re.findall(r"^    cookie (\w+)", (DEPLOY / "haproxy.cfg").read_text(), re.MULTILINE))
    noted = [*objects("Service")["page"]["metadata"]["annotations"].items()]
    (ingress,) = stripped(texts()["ingress.yaml"])
    noted += ingress["metadata"]["annotations"].items()
    named = [value for name, value in noted if name.endswith(("cookie.name", "cookie-name", "cookie-persistence"))]
    assert named == [cookie] * 3


def _docs(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def test_the_document_shows_a_command_that_gives_what_has_no_default() -> None:
    (shown,) = re.findall(r"^helm upgrade --install (.+)$", _docs("machines/helm.md"), re.MULTILINE)
    words = shlex.split(shown)
    assert (ROOT / words[1]).samefile(CHART)
    given = {word.partition("=")[0] for word, before in zip(words[1:], words, strict=False) if before == "--set"}
    assert {each.partition("=")[0] for each in GIVEN} <= given <= set(paths(values()))

"""The pictures: what they say in words and figures, and that their SVG is safe and the same every time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.analysis.timeline import PAUSE_SHOWN_S, timeline
from interviewer.report.render.charts.canvas import ROLES
from interviewer.report.render.charts.registry import pictures
from interviewer.report.schema.findings import EarlierScore, Findings
from interviewer.session.state import State
from serving.paths import HOME_VARIABLE
from tests.interviewer.report.hostile import HOSTILE, hostile_report
from tests.interviewer.report.hour import hour
from tests.interviewer.report.sample_session import START, telling
from tests.locations import ROOT


@pytest.fixture(scope="module")
def found() -> Findings:
    before = EarlierScore(session_id="s0", started=START - timedelta(days=9), topic="autograd", final=0.31)
    return findings("s1", hour().state, earlier=[before])


def test_each_picture_tells_in_a_table_what_it_shows(found: Findings) -> None:
    topics, help_, confidence, line = pictures(found)
    autograd = next(row for row in topics.rows if row[0] == "autograd")
    tally = next(topic for topic in found.topics if topic.topic == "autograd")
    assert tally.unaided is not None
    assert tally.final is not None
    assert autograd[3:5] == (str(round(100 * tally.unaided)), str(round(100 * tally.final)))
    assert autograd[-1] == "31"
    criteria = [criterion for asked in found.questions for criterion in asked.criteria]
    counts = [sum(int(row[at]) for row in help_.rows) for at in range(1, len(help_.head))]
    assert sum(counts) == len(criteria)
    assert counts[0] == sum(criterion.reached == "unaided" for criterion in criteria)
    assert found.confidence is not None
    assert [int(row[1]) for row in confidence.rows] == [level.answers for level in found.confidence.levels]
    assert len(line.rows) == len(found.questions)
    drilled = sum(turn.kind == "follow-up" for asked in found.questions for turn in asked.transcript)
    assert sum(int(row[line.head.index("follow-up")]) for row in line.rows) == drilled


def test_a_picture_is_named_described_and_free_of_what_could_clash_with_the_page(found: Findings) -> None:
    ids: list[str] = []
    for picture in pictures(found):
        root = ElementTree.fromstring(picture.svg())
        own = [element.get("id") for element in root.iter() if element.get("id")]
        ids += filter(None, own)
        assert root.get("role") == "img"
        assert str(root.get("aria-labelledby")).split() == [child.get("id") for child in root[:2]]
        assert (root[0].text, root[1].text) == (picture.title, picture.description)
        assert not {"style", "script", "metadata", "image"} & {element.tag for element in root.iter()}
        assert not any(name in element.attrib for element in root.iter() for name in ("style", "onload"))
        for element in root.iter():
            for value in element.attrib.values():
                assert not re.search(r"#[0-9a-f]{6}\b|DejaVu|http", value), value
    assert len(ids) == len(set(ids))


def test_the_same_findings_are_drawn_the_same_in_any_thread(found: Findings) -> None:
    first = [picture.svg() for picture in pictures(found)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: [picture.svg() for picture in pictures(found)], range(4))) == [first] * 4


@pytest.mark.parametrize("name", HOSTILE)
def test_somebody_s_names_stand_in_a_picture_as_text(name: str) -> None:
    report = hostile_report(HOSTILE[name])
    for picture in pictures(report):
        root = ElementTree.fromstring(picture.svg())
        assert not {"script", "a", "image", "foreignObject"} & {element.tag for element in root.iter()}
        assert picture.png().startswith(b"\x89PNG")


def test_a_dollar_sign_is_no_formula() -> None:
    tell = telling()
    report = findings("s1", tell.state)
    topics = tuple(topic.model_copy(update={"topic": "$x^2$ $\\frac"}) for topic in report.topics)
    picture = pictures(report.model_copy(update={"topics": topics}))[0]
    assert picture.svg().count("$x^2$ $\\frac") == 2 * len(topics)
    assert picture.png()


def test_the_line_cuts_a_pause_short_and_keeps_everything_else(found: Findings) -> None:
    line = timeline(found)
    (pause,) = line.pauses
    assert pause.seconds > 13 * 60
    assert line.length == pytest.approx(found.seconds - pause.seconds + PAUSE_SHOWN_S)
    assert line.place(pause.since + 1) is None
    assert line.place(pause.since + pause.seconds + 7) == pytest.approx(pause.start + PAUSE_SHOWN_S + 7)
    assert line.rows[0].moments[1].since == line.rows[0].moments[0].at == 0.0


def test_where_there_is_nothing_to_see_there_is_no_picture() -> None:
    assert pictures(findings("s1", State())) == ()


def test_in_a_fresh_home_nothing_is_said_and_nothing_is_written_elsewhere(tmp_path: Path) -> None:
    code = (
        "from interviewer.report.analysis.findings import findings\n"
        "from interviewer.report.render.html import render_html\n"
        "import sys\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from tests.interviewer.report.sample_session import telling\n"
        "assert '<desc' in render_html(findings('s', telling().state))\n"
    )
    elsewhere = tmp_path / "person"
    elsewhere.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "MPLCONFIGDIR"}
    environment |= {HOME_VARIABLE: str(tmp_path / "home"), "HOME": str(elsewhere)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(elsewhere.rglob("*")) == []
    assert (tmp_path / "home" / "cache" / "matplotlib").is_dir()


def test_a_key_shows_colors_and_patterns_that_are_drawn(found: Findings) -> None:
    style = (ROOT / "interviewer" / "report" / "render" / "templates" / "style.css").read_text(encoding="utf-8")
    for picture in pictures(found):
        svg = picture.svg()
        for entry in picture.key:
            drawn = {f"fill-{entry.role}", f"stroke-{entry.role}"}
            assert any(re.search(rf'class="[^"]*\b{name}\b', svg) for name in drawn), (picture.name, entry)
            assert ("<pattern" in svg) >= bool(entry.hatch)
            if entry.sign == "■":
                assert f".key.{entry.role} {{ background: var(--{entry.role}); }}" in style
            elif entry.role != "ink":
                assert f".sign.{entry.role} {{ color: var(--{entry.role}); }}" in style


def test_a_color_is_the_same_in_print_as_on_the_page() -> None:
    style = (ROOT / "interviewer" / "report" / "render" / "templates" / "style.css").read_text(encoding="utf-8")
    page = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", style))
    shared = {"bar", "bar-helped", "bar-hinted", "bar-none", "ink", "soft", "rule"}
    assert {role: ROLES[role] for role in shared} == {role: page[role] for role in shared}

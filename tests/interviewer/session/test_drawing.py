from __future__ import annotations

import json
import re
from typing import Any

import pytest

from interviewer.session import drawing
from interviewer.session.drawing import MOST_BOXES, Arrow, Box, Drawing, read, told
from serving.errors import BadInputError
from tests.locations import ROOT

BOARD = Drawing(
    boxes=(
        Box(id="b1", x=20, y=20, label="Click log"),
        Box(id="b2", x=200, y=20, label="Ranker"),
        Box(id="b3", x=380, y=20, label="Monitoring"),
        Box(id="b4", x=380, y=120),
    ),
    arrows=(
        Arrow(source="b1", target="b2", label="hourly"),
        Arrow(source="b2", target="b1"),
        Arrow(source="b2", target="b4"),
    ),
)


def test_a_drawing_is_told_line_by_line() -> None:
    assert told(BOARD) == "Click log → Ranker: hourly\nRanker → Click log\nMonitoring"
    assert told(Drawing()) == ""


def test_a_box_that_only_unlabeled_ones_are_joined_to_is_told() -> None:
    only = BOARD.model_copy(update={"arrows": (Arrow(source="b3", target="b4"),)})
    assert told(only) == "Click log\nRanker\nMonitoring"


def test_what_the_page_sends_is_read_back() -> None:
    assert read(BOARD.model_dump_json()) == BOARD
    assert read(" ") == Drawing()


def test_arrows_that_lead_nowhere_and_what_comes_twice_are_left_out() -> None:
    sent = json.loads(BOARD.model_dump_json())
    sent["arrows"] += [{"source": "b1", "target": "b9"}, {"source": "b1", "target": "b1"}, sent["arrows"][0]]
    sent["boxes"].append(sent["boxes"][0])
    assert read(json.dumps(sent)) == BOARD


def test_a_label_is_one_line_of_printable_text() -> None:
    (box,) = read(json.dumps({"boxes": [{"id": "b1", "x": 0, "y": 0, "label": "Click\nlog\u202e\u0007  one"}]})).boxes
    assert box.label == "Click log one"


@pytest.mark.parametrize(
    "sent",
    [
        "[]",
        "{",
        "null",
        '{"boxes": [{"id": "<svg>", "x": 0, "y": 0}]}',
        '{"boxes": [{"id": "b1", "x": -10, "y": 0}]}',
        '{"boxes": [{"id": "b1", "x": 0, "y": 0, "onload": "alert(1)"}]}',
        json.dumps({"boxes": [{"id": "b1", "x": 0, "y": 0, "label": "x" * 81}]}),
        json.dumps({"boxes": [{"id": f"b{n}", "x": 0, "y": 0} for n in range(MOST_BOXES + 1)]}),
        "[" * 100_000,
        '{"boxes": [' + " " * 64_000 + "]}",
    ],
)
def test_what_is_no_drawing_is_refused(sent: Any) -> None:
    with pytest.raises(BadInputError, match="drawing cannot be used"):
        read(sent)


def test_the_page_draws_by_the_same_bounds() -> None:
    script = (ROOT / "interviewer" / "web" / "static" / "board.js").read_text(encoding="utf-8")

    def numbers(names: str) -> tuple[int, ...]:
        (found,) = re.findall(rf"const \[{names}\] = \[([\d, ]+)\];", script)
        return tuple(map(int, found.split(",")))

    sizes = (drawing.WIDTH, drawing.HEIGHT, drawing.BOX_WIDTH, drawing.BOX_HEIGHT)
    assert numbers("WIDTH, HEIGHT, BOX_W, BOX_H, STEP, MARGIN")[:-2] == sizes
    assert numbers("MOST_BOXES, MOST_ARROWS") == (drawing.MOST_BOXES, drawing.MOST_ARROWS)

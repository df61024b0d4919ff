"""The picture of a report's first page."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from interviewer.report.analysis.findings import findings
from interviewer.report.render.png import render_png
from interviewer.report.schema.findings import Findings
from interviewer.session.state import State
from tests.interviewer.report.sample_session import telling


@pytest.mark.parametrize("report", [findings("s1", telling().state), findings("s1", State())], ids=["told", "empty"])
def test_it_is_the_first_page_without_its_empty_end(report: Findings) -> None:
    content = render_png(report)
    assert content == render_png(report)
    with Image.open(BytesIO(content)) as picture:
        assert (picture.format, picture.mode) == ("PNG", "RGB")
        assert 1_100 < picture.width < 1_300
        assert 100 < picture.height < 1_600
        row = picture.crop((0, picture.height - 40, picture.width, picture.height))
        assert row.getextrema() == ((255, 255),) * 3
        assert picture.getextrema() != ((255, 255),) * 3

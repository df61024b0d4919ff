"""What a report begins with as a picture to post: set as in the PDF, without the empty end of the page."""

from __future__ import annotations

import io
import threading

from interviewer.report.render.pdf.document import render_summary
from interviewer.report.schema.findings import Findings

_SCALE = 2.0
"""Pixels a point: an A4 page becomes 1,190 pixels wide."""

_FOOTER_PT = 48.0
_MARGIN_PT = 40.0

_DRAWING = threading.Lock()
"""PDFium may be called by one thread at a time."""


def render_png(findings: Findings) -> bytes:
    """The first page as a PNG on white; the same findings give the same bytes."""
    import pypdfium2  # noqa: PLC0415 (a tenth of a second that only pictures have to wait for)
    from PIL import Image, ImageChops  # noqa: PLC0415

    with _DRAWING:
        document = pypdfium2.PdfDocument(render_summary(findings))
        try:
            page = document[0]
            drawn = page.render(scale=_SCALE, crop=(0, _FOOTER_PT, 0, 0)).to_pil().convert("RGB")
            page.close()
        finally:
            document.close()
    used = ImageChops.difference(drawn, Image.new("RGB", drawn.size, "white")).getbbox()
    end = min(drawn.height, int(used[3] + _SCALE * _MARGIN_PT)) if used else drawn.height
    written = io.BytesIO()
    drawn.crop((0, 0, drawn.width, end)).save(written, "PNG", optimize=True)
    return written.getvalue()

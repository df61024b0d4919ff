"""What only the page's scripts press is never seen."""

import re

from tests.locations import ROOT

WEB = ROOT / "interviewer" / "web"
SHOWN_LATER = {"setup"}
"""Hidden until the page has loaded."""


def hidden_from_the_start(source: str) -> set[str]:
    """Ids of the components that Gradio is told to hide."""
    return set(re.findall(r'visible="hidden",[^)]*?elem_id="([\w-]+)"', source))


def test_hidden_controls_stay_hidden_after_an_update() -> None:
    # Gradio takes the class that hides a component away with the first update that comes to its surroundings.
    sources = [path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.py"))]
    ids = set().union(*map(hidden_from_the_start, sources)) - SHOWN_LATER
    (rule,) = re.findall(
        r"^(#claim-mark[^{]*)\{ display: none !important; \}", (WEB / "static/page.css").read_text(), re.M
    )
    assert len(ids) >= 7
    assert {each for each in ids if not re.search(rf"#{each}\b(?!-)", rule)} == set()

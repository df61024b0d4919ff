"""What only the page's scripts press is never seen."""

import re

from tests.locations import ROOT

WEB = ROOT / "interviewer" / "web"


def test_hidden_controls_stay_hidden_after_an_update() -> None:
    # Gradio takes the class that hides a component away with the first update that comes to its surroundings.
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.py")))
    hidden = re.findall(r'visible="hidden", *([^)]*)\)', sources)
    assert len(hidden) >= 9
    # The setup panel is hidden until the page has loaded.
    assert [each for each in hidden if "elem_classes=FOR_SCRIPTS" not in each] == ['elem_id="setup"']
    css = (WEB / "static/page.css").read_text(encoding="utf-8")
    assert ".for-scripts, .form:not(:has(> :not(.for-scripts))) { display: none !important; }" in css


def test_no_two_elements_have_the_same_id() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.py")))
    named = re.findall(r'elem_id="([^"]+)"', sources)
    assert len(named) > 40
    assert [name for name in set(named) if named.count(name) > 1] == []

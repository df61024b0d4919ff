"""What every view of the page has to be: usable by anybody, and deaf to what people, documents and models wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
"""What axe holds a view against."""

# The code editor's own scroller: what is in it can be focused, which axe does not see of text that can be edited.
_PASSED_OVER = {"exclude": [[".cm-scroller"]]}
# Gradio fades colors over; in between they have no contrast. Transitions begin with the next frame.
_RECOLORED = """async (dark) => {
    document.body.classList.toggle('dark', dark);
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    const fading = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
    do { await frame(); await Promise.allSettled(fading().map((each) => each.finished)); } while (fading().length);
}"""
_TOOK = "document.querySelectorAll('img[src=\"x\"], [onerror], #report-body script, .gradio-container script').length"


def accessible(tab: Page, *, but: Sequence[str] = ()) -> None:
    """Hold what is shown against axe's rules, in light and in dark colors.

    Args:
        tab: shows it.
        but: rules that do not count.

    """
    options = {**RULES, "rules": {name: {"enabled": False} for name in but}}
    for scheme in ("light", "dark"):
        tab.evaluate(_RECOLORED, scheme == "dark")
        found = Axe().run(tab, context=_PASSED_OVER, options=options).response["violations"]
        assert not found, "\n".join([f"In {scheme} colors:", *map(_told, found)])


def untouched(tab: Page) -> None:
    """Nothing that somebody wrote became an element of the page."""
    assert tab.evaluate(_TOOK) == 0


def _told(violation: dict[str, Any]) -> str:
    """A rule, and what breaks it."""
    nodes = "".join(f"\n  {' '.join(map(str, node['target']))}: {node['html'][:160]}" for node in violation["nodes"])
    return f"{violation['help']} ({violation['id']}){nodes}"

from __future__ import annotations

import pytest

from interviewer.web import safe_html

HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


def test_text_is_shown_letter_for_letter() -> None:
    assert safe_html.text("a < b & c") == "a &lt; b &amp; c"
    assert "<" not in safe_html.text(HOSTILE)


def test_text_cannot_leave_an_attribute() -> None:
    assert '"' not in safe_html.text('" onmouseover="alert(1)')


def test_markdown_of_documents_keeps_code_and_lets_no_html_through() -> None:
    html = safe_html.markdown(f"Use `x`.\n\n```python\nprint('<b>')\n```\n\n{HOSTILE}")
    assert "<code>x</code>" in html
    assert "&lt;b&gt;" in html
    assert "<img" not in html
    assert "<script" not in html


def test_markdown_fetches_no_picture() -> None:
    assert "<img" not in safe_html.markdown("![a picture](https://example.org/who-reads-this.png)")


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_markdown_links_run_nothing(address: str) -> None:
    assert "href" not in safe_html.markdown(f"[here]({address})")


def test_links_open_apart_and_tell_nobody_where_from() -> None:
    html = safe_html.markdown("[docs](https://pytorch.org)")
    assert 'href="https://pytorch.org"' in html
    assert 'rel="noopener noreferrer nofollow"' in html


@pytest.mark.parametrize("words", ["${alert(1)}", "{{#if}}", "{{{value}}}", "$${{x}}"])
def test_nothing_is_left_for_a_template_engine(words: str) -> None:
    for html in (safe_html.text(words), safe_html.markdown(words), safe_html.markdown_line(words)):
        assert "${" not in html
        assert "{{" not in html


def test_code_keeps_its_single_braces() -> None:
    assert "{1: 2}" in safe_html.markdown("`{1: 2}`")

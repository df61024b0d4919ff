"""Text into HTML that can do nothing: everything a person, a document or a model wrote passes through here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from interviewer.text import visible

# Raw HTML stays text, and no picture is fetched: an address in a document would tell its owner who reads it.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def _open_link(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return self.renderToken(tokens, index, options, env)


_MARKDOWN.add_render_rule("link_open", _open_link)


def text(value: str) -> str:
    """Plain text as HTML: shown letter for letter, line breaks are left to the style sheet."""
    return inert(escape(visible(value), quote=True))


# A transcript is drawn again after every event, and most of what stands in it was there before.
@lru_cache(maxsize=4096)
def markdown(value: str) -> str:
    """Markdown of the bank or of a document as HTML: raw HTML in it is shown as text, no script runs."""
    return inert(_MARKDOWN.render(visible(value)))


@lru_cache(maxsize=4096)
def markdown_line(value: str) -> str:
    """One line of Markdown (code words, emphasis) as HTML without a paragraph around it."""
    return inert(_MARKDOWN.renderInline(visible(value)))


def inert(html: str) -> str:
    """HTML in which the page's template engines find nothing to fill in.

    Gradio treats what an HTML component shows as a JavaScript template string and as a Handlebars template, so
    ``${…}`` and ``{{…}}`` in somebody's words are written as character references.
    """
    return html.replace("${", "$&#123;").replace("{{", "&#123;&#123;")


def busy_html(said: str) -> str:
    """A line that says what goes on just now."""
    return (
        '<p class="aside-line grading"><span class="pulse" aria-hidden="true"><i></i><i></i><i></i></span>'
        f"{text(said)}</p>"
    )

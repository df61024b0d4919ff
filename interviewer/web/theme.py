"""How the page looks: the theme's numbers here, the rest in the style sheets."""

from __future__ import annotations

from pathlib import Path

import gradio as gr

_HERE = Path(__file__).parent / "static"

STYLE = _HERE / "page.css"
"""The style sheet."""

_SANS = ["ui-sans-serif", "system-ui", "-apple-system", "Segoe UI", "Roboto", "sans-serif"]
_MONO = ["ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace"]


def theme() -> gr.themes.Base:
    """A calm theme made of fonts that are on the machine already, so that nothing is fetched."""
    return gr.themes.Base(
        primary_hue="teal",
        neutral_hue="stone",
        radius_size="md",
        text_size="md",
        font=_SANS,
        font_mono=_MONO,
    ).set(
        body_background_fill="#faf9f7",
        body_background_fill_dark="#171614",
        background_fill_primary="#ffffff",
        background_fill_primary_dark="#201f1c",
        block_background_fill="transparent",
        block_background_fill_dark="transparent",
        block_border_width="0px",
        block_shadow="none",
        block_label_text_color="*neutral_700",
        block_label_text_color_dark="*neutral_200",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
        input_background_fill="#ffffff",
        input_background_fill_dark="#262522",
        block_padding="0px",
        block_label_background_fill="transparent",
        block_label_border_width="0px",
        block_title_text_weight="600",
        block_title_text_color="*neutral_700",
        block_title_text_color_dark="*neutral_200",
        input_border_width="1px",
        input_border_color="*neutral_300",
        input_border_color_dark="*neutral_600",
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_700",
        button_primary_background_fill_hover_dark="*primary_600",
        button_primary_text_color="#ffffff",
        button_primary_text_color_dark="#ffffff",
    )


def head() -> str:
    """The page's own scripts, and the style sheet of the frame around an interview, to stand in its head."""
    frame = "".join(
        (_HERE / name).read_text(encoding="utf-8")
        for name in ("interview.css", "dialogs.css", "board.css", "agenda.css")
    )
    names = (
        *("page.js", "frame.js", "agenda.js", "voice.js", "silence.js"),
        *("dialogs.js", "stories.js", "board.js", "draft.js"),
    )
    scripts = ((_HERE / name).read_text(encoding="utf-8") for name in names)
    return f"<style>{frame}</style>" + "".join(f"<script>{script}</script>" for script in scripts)

"""What Gradio keeps of a page goes some time after the page is closed, and nobody else's does."""

from __future__ import annotations

from datetime import datetime, timedelta

import gradio as gr
import pytest

from interviewer.web.server import forget_closed


@pytest.fixture
def blocks() -> gr.Blocks:
    with gr.Blocks() as made:
        gr.Textbox()
    made.state_holder.set_blocks(made)
    return made


def known(blocks: gr.Blocks) -> set[str]:
    return set(blocks.state_holder.session_data)


def test_only_what_is_closed_and_was_not_used_for_long_is_let_go(blocks: gr.Blocks) -> None:
    for page in ("open", "closed"):
        blocks.state_holder[page]  # made as it is asked for
    blocks.state_holder.session_data["closed"].is_closed = True
    begun = datetime.now()
    forget_closed(blocks, idle_s=600, now=lambda: begun + timedelta(seconds=500))
    assert known(blocks) == {"open", "closed"}
    forget_closed(blocks, idle_s=600, now=lambda: begun + timedelta(hours=2))
    assert known(blocks) == {"open"}
    assert set(blocks.state_holder.time_last_used) == {"open"}


def test_who_comes_back_finds_a_page_as_after_a_restart(blocks: gr.Blocks) -> None:
    blocks.state_holder["page"].is_closed = True
    forget_closed(blocks, idle_s=0)
    assert not blocks.state_holder["page"].is_closed
    assert known(blocks) == {"page"}

"""An interview of which nothing was chosen is the same on the page and in the terminal."""

from __future__ import annotations

import inspect

import gradio as gr
import pytest

from interviewer.cli.commands import interview as command
from interviewer.planning.agenda import DEFAULTS, InterviewOptions, make_plan
from interviewer.session.plan import Mode
from interviewer.session.style import Style
from interviewer.web.views.setup import layout
from interviewer.web.views.setup.form import wish_of
from knowledge.bank.parser import load_bank


def test_the_page_begins_with_the_defaults() -> None:
    with gr.Blocks(analytics_enabled=False) as blocks:
        panel = layout.build()
    blocks.close(verbose=False)
    chosen = wish_of([element.value or [] if element is panel.topics else element.value for element in panel.choices])
    # What the page says of its own accord: every document there is, and the manner of the style that is shown.
    assert (chosen.documents, chosen.cut_short) == ((), False)
    assert chosen.model_copy(update={"documents": None, "cut_short": None}) == DEFAULTS


def test_the_terminal_begins_with_the_defaults() -> None:
    options = {name: option.default for name, option in inspect.signature(command.interview).parameters.items()}
    frame = command._frame(options["minutes"], options["length"], options["talks"], script=False, named=False)
    assert frame == {name: getattr(DEFAULTS, name) for name in frame}
    same = {
        name: options[name] for name in ("level", "follow_ups", "style", "silence_steps", "cut_short", "drill", "role")
    }
    assert same == {name: getattr(DEFAULTS, name) for name in same}
    assert (options["exam"], DEFAULTS.mode) == (False, Mode.PRACTICE)


@pytest.mark.parametrize(("script", "named"), [(True, False), (False, True)])
def test_the_clock_does_not_count_where_nobody_is_there_or_the_questions_are_named(script: bool, named: bool) -> None:
    frame = command._frame(None, None, None, script=script, named=named)
    assert (frame["minutes"], frame["talks"], frame["reviews"]) == (None, False, 0)
    assert command._frame(15, None, True, script=script, named=named)["minutes"] == 15


def test_who_is_cut_short_follows_the_style_unless_it_is_chosen() -> None:
    bank = load_bank()
    for style in Style:
        for chosen, cut in ((None, style is Style.DEMANDING), (True, True), (False, False)):
            wish = InterviewOptions(length=1, style=style, cut_short=chosen)
            assert make_plan(wish, bank, seed=1, editor=False).cut_short is cut

"""What others wrote, on a terminal: shown, never obeyed."""

from __future__ import annotations

import ast
import io
import json
import logging
from typing import Any

import pytest
from rich.progress import Progress, TextColumn
from rich.table import Table

from interviewer.cli import output
from interviewer.cli.console import ConsoleLog, PlainConsole, plain, plain_json
from interviewer.cli.main import main
from rubric.coding.result import CodeResult, CodeStatus, CodeTest, FailingCase, Timing
from rubric.coding.task import CodeTestKind
from tests.locations import ROOT

HOSTILE = "a\x1b]0;title\x07b\x9b31mc\x1b[2Jd\x08e\x7ff\0g\ud800h"
STEERING = [chr(code) for code in (*range(9), *range(11, 32), *range(0x7F, 0xA0), 0xD800)]


def steers(text: str) -> list[str]:
    return [character for character in STEERING if character in text]


def test_control_characters_are_made_visible_and_the_rest_stays() -> None:
    assert not steers(plain(HOSTILE))
    assert plain(HOSTILE).startswith("a␛]0;title␇b")
    assert plain("tab\tline\nä ✓ 漢 🙂") == "tab\tline\nä ✓ 漢 🙂"
    document = {HOSTILE: ["ä", HOSTILE]}
    written = plain_json(json.dumps(document, ensure_ascii=False))
    assert not steers(written)
    assert json.loads(written) == document
    written.encode()


def test_what_is_printed_can_be_logged_instead_in_plain_words() -> None:
    file, told = io.StringIO(), list[tuple[str, bool]]()
    console = PlainConsole(file=file, width=20)
    console.instead = lambda said, wrong: told.append((said, wrong))
    console.print("It is at [link]http://127.0.0.1:7860/[/link].")
    console.print("[no] style", style="red", markup=False)
    assert told == [("It is at http://127.0.0.1:7860/.", False), ("[no] style", True)]
    assert file.getvalue() == ""


def test_a_console_styles_and_shows_what_others_wrote_as_text() -> None:
    file = io.StringIO()
    console = PlainConsole(file=file, force_terminal=True, width=200)
    table = Table("[bold]head[/bold]", title=HOSTILE)
    table.add_row(HOSTILE)
    with Progress(TextColumn("{task.description}"), console=console) as bar:
        bar.add_task(f"doing {HOSTILE}")
    console.print(HOSTILE, style="red", markup=False)
    console.print(table)
    log = logging.Logger("a log")
    log.addHandler(ConsoleLog(console))
    try:
        int(HOSTILE)
    except ValueError:
        log.exception("%s", HOSTILE)
    text = file.getvalue()
    # Its own styles are there, and no other sequence.
    assert "\x1b[31m" in text
    assert "]0;title" in text
    assert "\x1b]0" not in text
    assert not steers(text.replace("\x1b", "").replace("\r", ""))
    assert text.count("\x1b[2J") == 0


def result() -> CodeResult:
    """One in which every text is hostile."""
    case = FailingCase(put_in=HOSTILE, expected=HOSTILE, got=HOSTILE)
    test = CodeTest(
        name=HOSTILE,
        kind=CodeTestKind.EXAMPLE,
        title=HOSTILE,
        status=CodeStatus.MISMATCH,
        message=HOSTILE,
        failing=(case,),
    )
    timed = Timing(title=HOSTILE, sizes=(1, 2), seconds=(1, 2), ours=(1, 2), exponent=1, our_exponent=1)
    return CodeResult(
        status=CodeStatus.ERROR, message=HOSTILE, tests=(test,), printed=HOSTILE, errors=HOSTILE, timing=(timed,)
    )


def test_a_submission_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    output.show_code_result(result())
    shown = capsys.readouterr()
    assert shown.out.count("␛[2J") == 7
    assert shown.err.count("␛[2J") == 2
    assert not steers(shown.out + shown.err)


def test_as_json_a_submission_is_all_there_and_does_not_steer_either(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json({"stdout": HOSTILE})
    written = capsys.readouterr().out
    assert not steers(written)
    assert json.loads(written) == {"stdout": HOSTILE}


@pytest.mark.parametrize("terminal", [True, False])
def test_a_report_steers_no_terminal_and_is_as_it_is_in_a_file(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Out(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    out = Out()
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", out)
        output.give(HOSTILE, None)
    assert bool(steers(out.getvalue())) is not terminal


def test_an_error_that_names_a_file_does_not_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["app.py", "group", "/nowhere/a\x1b[2Jb.json"])
    assert main() == 2
    written = capsys.readouterr().err
    assert "a␛[2Jb.json" in written.replace("\n", "")
    assert not steers(written)


@pytest.mark.parametrize(
    ("level", "printed"), [("WARNING", "WARNING  It "), ("INFO", "WARNING  serving.somewhere: It "), ("ERROR", "")]
)
def test_what_is_logged_is_a_line_with_its_level_once(
    level: str, printed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, long = logging.getLogger(), "is away. " * 30
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setenv("INTERVIEWER_LOG", level)
    monkeypatch.setattr("sys.argv", ["app.py", "no-such-command"])
    main()
    capsys.readouterr()
    logging.getLogger("serving.somewhere").warning("It %s", long)
    assert capsys.readouterr().err.rstrip() == (f"{printed}{long}".rstrip() if printed else "")


PRINTS = {"say", "give", "print_json"}
"""The functions that may print, each of which makes plain what it prints."""


def _bare(tree: ast.AST, inside: str = "") -> list[str]:
    """Where something is printed past all of that."""
    found = []
    for node in ast.iter_child_nodes(tree):
        name = node.name if isinstance(node, ast.FunctionDef) else inside
        called: Any = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and (called.id == "Console" or (called.id == "print" and name not in PRINTS)):
            found.append(f"line {called.lineno}: {called.id}")
        found += _bare(node, name)
    return found


def test_nothing_else_prints() -> None:
    assert _bare(ast.parse("def f():\n    print(1)\n\n\nConsole()\n")) == ["line 2: print", "line 5: Console"]
    sources = [ROOT / "app.py", *sorted((ROOT / "interviewer").rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): _bare(ast.parse(path.read_text(encoding="utf-8"))) for path in sources}
    assert {path: lines for path, lines in found.items() if lines} == {}

"""What the smoke test asks of itself: nothing that the README shows or ``--help`` lists is left out unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import smoke
from tests.imported import locked
from tests.smoke import Smoke, SmokeError, check_installed, check_promises, promised

README = """
| command | what it does |
|---|---|
| `search TEXT [-k N] [--json]` | finds `--nothing` |
| `compare A B`, `group FILE... [--anonymous]`, both `[--format md\\|html] [-o FILE]` | side by side |
| `data export FILE`, `data delete ID\\|--all` | data |

Run `make search`, or .venv/bin/python app.py search TEXT in a sentence:

```
.venv/bin/python app.py report ID --view interviewer  # as another --person
```
"""
NAMES = ["search", "compare", "group", "data export", "data delete", "report"]


def test_commands_and_options_are_found_in_tables_and_in_code() -> None:
    assert set(promised(README, NAMES)) == {
        *(("search", option) for option in ("", "-k", "--json")),
        *(("compare", option) for option in ("", "--format", "-o")),
        *(("group", option) for option in ("", "--anonymous", "--format", "-o")),
        *(("data export", ""), ("data delete", ""), ("data delete", "--all")),
        *(("report", ""), ("report", "--view")),
    }


def test_what_was_promised_and_not_run_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "README.md").write_text(README)
    monkeypatch.setattr(smoke, "SHOWN", ("README.md",))
    (tmp_path / "models").mkdir()
    (tmp_path / "run").mkdir()
    monkeypatch.setattr(smoke, "ROOT", tmp_path)
    run = Smoke(tmp_path / "run", tmp_path / "models")
    run.commands += [
        ("search", "x", "-k", "3", "--json"),
        ("compare", "a", "b", "--format", "md", "-o", "f"),
        ("group", "a", "--anonymous", "--format", "md", "-o", "f"),
        ("data", "export", "f"),
        ("report", "a", "--view", "interviewer"),
    ]
    with pytest.raises(SmokeError, match="not run here: data delete, data delete --all"):
        check_promises(run, NAMES)
    run.commands.append(("data", "delete", "--all"))
    check_promises(run, NAMES)
    assert "all 6 commands" in capsys.readouterr().out


def test_an_environment_with_more_than_the_lock_is_told_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pytest" in check_installed(alone=False)
    with pytest.raises(SmokeError, match=r"pytest.*make clean smoke"):
        check_installed(alone=True)
    monkeypatch.setattr(smoke, "locked", lambda lock: {**locked(lock), "lxml": "0.0.1", "absent": "2"})
    with pytest.raises(SmokeError, match=r"absent 2, lxml 0\.0\.1$"):
        check_installed(alone=False)


def test_a_command_that_ends_otherwise_is_told_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "run").mkdir()
    run = Smoke(tmp_path / "run", tmp_path / "models")
    failing = "import sys; print('not this', file=sys.stderr); sys.exit(2)"
    with pytest.raises(SmokeError, match="a program ended with status 2, not 0:\nnot this"):
        run.finish(run.python("-c", failing), "a program")
    assert run.finish(run.python("-c", failing), "a program", status=2) == "not this\n"
    assert run.finish(run.python("-c", "print(input())"), "a program", stdin="said\n") == "said\n"
    with pytest.raises(SmokeError, match="it printed a traceback"):
        run.finish(run.python("-c", "import sys; print('Traceback (most recent call last):', file=sys.stderr)"), "it")

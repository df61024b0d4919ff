"""The sandbox against programs that mean harm, each beside what a good one may do."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from serving.errors import SandboxMissingError
from serving.sandbox.backends import bubblewrap
from serving.sandbox.backends.landlock import Landlock
from serving.sandbox.batch_runner import Program, Ran, Sandbox, Status

PROGRAMS = {
    "good": "import torch\nprint(torch.ones(3) @ torch.ones(3))",
    "error": "x = 1\ny = 0\nx / y",
    "endless": "while True:\n    pass",
    "sleeper": "import time\ntime.sleep(60)",
    "quitter": "import os\nos._exit(0)",
    "network": "import socket\nsocket.create_connection(('1.1.1.1', 80), 2)",
    "files": f"open({str(Path(__file__))!r}).read()",
    "passwords": "open('/etc/passwd').read()",
    "environment": "import os\nprint(sorted(os.environ), open('/proc/self/environ').read().count('SECRET'))",
    "environment of the first": "open('/proc/1/environ').read()",
    "memory": "x = bytearray(16 * 1024**3)",
    "disk": "f = open('big', 'wb')\nfor _ in range(300):\n    f.write(bytes(10**6))",
    "system": "open('/usr/evil', 'w')",
    "packages": "import torch\nopen(torch.__file__, 'a')",
    "forks": "import os\nwhile True:\n    os.fork()",
    "descriptors": (
        "import os\nfor n in range(3, 4096):\n    try:\n        os.write(n, b'{}' + bytes([10]))\n"
        "    except OSError:\n        pass"
    ),
    "change": "import torch\ntorch.ones = None",
    "unchanged": "import torch\nprint(torch.ones(1).item())",
    "who": "import os\nprint(os.getuid(), os.getppid() < 10)",
}


@pytest.fixture(scope="module")
def ran() -> dict[str, Ran]:
    os.environ["SECRET"] = "1"
    with Sandbox() as sandbox:
        results = sandbox.run_programs([Program(blocks=(source,)) for source in PROGRAMS.values()], 6.0)
    return dict(zip(PROGRAMS, results, strict=True))


def test_what_a_program_prints_comes_back(ran: dict[str, Ran]) -> None:
    assert ran["good"].status is Status.DONE
    assert ran["good"].traces[0].printed[0].text == "tensor(3.)\n"


def test_an_error_comes_back_with_its_line(ran: dict[str, Ran]) -> None:
    assert (ran["error"].status, ran["error"].error_type, ran["error"].line) == (Status.ERROR, "ZeroDivisionError", 3)


def test_what_is_shown_is_seen_even_below_a_folder_that_is_empty_inside() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = Path(folder) / "shown.txt"
        path.write_text("here")
        line = bubblewrap.command(str(shutil.which("bwrap")), ["/usr/bin/cat", str(path)], (path.parent,))
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("here", "")


@pytest.mark.parametrize("name", ["endless", "sleeper"])
def test_time_is_up_at_some_point(name: str, ran: dict[str, Ran]) -> None:
    assert ran[name].status is Status.TIMEOUT


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("environment of the first", "PermissionError"),
        ("network", "OSError"),
        ("files", "FileNotFoundError"),
        ("passwords", "FileNotFoundError"),
        ("memory", "MemoryError"),
        ("disk", "OSError"),
        ("system", "OSError"),
        ("packages", "OSError"),
    ],
)
def test_walls_hold(name: str, error: str, ran: dict[str, Ran]) -> None:
    assert ran[name].status is Status.ERROR
    assert error in ran[name].traces[0].failures[0].types


def test_a_fork_bomb_harms_nobody(ran: dict[str, Ran]) -> None:
    assert ran["forks"].status is not Status.DONE
    assert ran["who"].status is Status.DONE


def test_who_quits_or_forges_gives_no_result_and_the_next_is_run(ran: dict[str, Ran]) -> None:
    assert ran["quitter"].status is Status.NO_RESULT
    assert ran["descriptors"].status in {Status.DONE, Status.NO_RESULT}
    assert ran["change"].status is Status.DONE


def test_the_environment_is_empty(ran: dict[str, Ran]) -> None:
    said = ran["environment"].traces[0].printed[0].text
    assert "SECRET" not in said
    assert said.strip().endswith(" 0")


def test_one_program_does_not_change_another(ran: dict[str, Ran]) -> None:
    assert ran["unchanged"].traces[0].printed[0].text == "1.0\n"


def test_nobody_is_root_inside(ran: dict[str, Ran]) -> None:
    assert ran["who"].traces[0].printed[0].text.startswith("65534 ")


def test_blocks_of_a_program_share_names_and_fail_one_statement_at_a_time() -> None:
    with Sandbox() as sandbox:
        (result,) = sandbox.run_programs(
            [
                Program(
                    blocks=(
                        "x = 2",
                        "y = nowhere\nz = x + 1\nprint(z)\nimport warnings\nwarnings.warn('old', FutureWarning)",
                    )
                )
            ],
            6.0,
        )
        _, trace = result.traces
    assert [(failure.line, failure.types[0], failure.name) for failure in trace.failures] == [
        (1, "NameError", "nowhere")
    ]
    assert trace.printed[0].text == "3\n"
    assert (trace.notices[0].line, trace.notices[0].category) == (5, "FutureWarning")


def test_nothing_runs_where_bubblewrap_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
    bubblewrap._unavailable.cache_clear()
    monkeypatch.setenv("PATH", "/nonexistent")
    try:
        with pytest.raises(SandboxMissingError, match="bubblewrap is not installed"):
            Sandbox().run_programs([Program(blocks=("1",))], 1.0)
    finally:
        bubblewrap._unavailable.cache_clear()


def test_nothing_runs_where_bubblewrap_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(Landlock, "unavailable", lambda _: "It is too old.")
    bubblewrap._unavailable.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(SandboxMissingError, match="No permissions to create new namespace"):
            Sandbox().run_programs([Program(blocks=("1",))], 1.0)
    finally:
        bubblewrap._unavailable.cache_clear()

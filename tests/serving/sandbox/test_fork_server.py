"""The process that forks for every order: what one order leaves, the next does not find."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from serving.errors import SandboxMissingError
from serving.sandbox import fork_server
from serving.sandbox.backends.bubblewrap import Bubblewrap
from serving.sandbox.fork_server import Answer, ForkServer, Order
from serving.sandbox.restrictions import restrictions


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with ForkServer((), processes=True) as made:
        yield made


def run(server: ForkServer, source: str, seconds: float = 20.0, processes: int = 0) -> Answer | None:
    return server.run(
        Order(kind="script", payload=source, seconds=seconds, restrictions=restrictions(processes, cpu_s=60))
    )


def printed(server: ForkServer, source: str, processes: int = 0) -> str:
    answer = run(server, source, processes=processes)
    assert answer is not None
    assert (answer.status, answer.late) == (0, False), answer
    return answer.printed.strip()


def test_a_program_runs_as_it_stands(server: ForkServer) -> None:
    source = "from __future__ import annotations\nimport sys\nprint(__name__, sys.argv, open('script.py').read()[:4])"
    assert printed(server, source) == "__main__ ['script.py'] from"
    answer = run(server, "import sys\nprint('here')\nsys.exit('gone wrong')")
    assert answer is not None
    assert (answer.status, answer.printed) == (1, "here\n")


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "/job"])
def test_what_fills_a_folder_is_gone_for_the_next(server: ForkServer, folder: str) -> None:
    fill = (
        f"import os\nos.makedirs('{folder}/a/b')\nn = 0\ntry:\n    while True:\n"
        f"        open(f'{folder}/a/b/{{n}}', 'wb').write(bytes(2**25)); n += 1\nexcept OSError:\n    print(n)"
    )
    assert int(printed(server, fill)) >= 2
    assert int(printed(server, fill)) >= 2


def test_what_cannot_be_cleared_away_costs_a_new_server_and_nothing_else(server: ForkServer) -> None:
    nested = "import os\nfor _ in range(3000):\n    os.mkdir('deep')\n    os.chdir('deep')\nprint('here')"
    assert printed(server, nested) == "here"
    assert printed(server, "import os\nprint(os.listdir('/job'))") == "['order']"


def test_killing_everybody_reaches_nobody_else(server: ForkServer) -> None:
    before = server._process
    everybody = (
        "import os\nos.kill(1, 9)\ntry:\n    os.kill(-1, 9)\nexcept ProcessLookupError:\n    os.kill(os.getpid(), 9)"
    )
    answer = run(server, everybody)
    assert answer is not None
    assert answer.status == -9
    assert printed(server, "print('here')") == "here"
    assert server._process is before


def test_a_daemon_is_gone_for_the_next(server: ForkServer) -> None:
    leave = "import os, time\nif os.fork() == 0:\n    os.setsid()\n"
    # Who left ends at once, so that it prints nothing too.
    daemon = leave + "    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)\n"
    assert printed(server, daemon + "print('here')", processes=2) == "here"
    assert printed(
        server, "import os\nprint([p for p in os.listdir('/proc') if p.isdigit()][0:2], os.getpid())"
    ).startswith("['1', ")
    alive = "import os\nprint(len([p for p in os.listdir('/proc') if p.isdigit()]))"
    assert printed(server, alive) == "2"


def test_time_is_up_also_for_what_holds_its_output_open(server: ForkServer) -> None:
    begun = time.monotonic()
    answer = run(server, "import os, time\nif os.fork() == 0:\n    time.sleep(600)\nprint('here')", 30.0, processes=2)
    assert answer is not None
    assert (answer.late, answer.printed) == (False, "here\n")
    late = run(server, "print('here', flush=True)\nwhile True: pass", 0.5)
    assert late is not None
    assert (late.late, late.printed) == (True, "here\n")
    assert time.monotonic() - begun < 30


def test_output_without_end_is_cut(server: ForkServer) -> None:
    answer = run(server, "import os\nfor _ in range(1000):\n    os.write(1, b'x' * 2**16)")
    assert answer is not None
    assert (answer.status, len(answer.printed)) == (0, 64 * 1024)


def test_a_server_that_was_killed_is_started_again(server: ForkServer) -> None:
    assert printed(server, "print('here')") == "here"
    assert server._process is not None
    killed = psutil.Process(server._process._process.pid)
    gone = [killed, *killed.children(recursive=True)]
    assert len(gone) >= 2
    killed.kill()
    assert not psutil.wait_procs(gone[1:], timeout=20)[1], "it ends with the process that started it"
    assert run(server, "print('here')") is None or printed(server, "print('here')") == "here"
    assert printed(server, "print('here')") == "here"


def test_it_outlives_the_thread_that_used_it_first() -> None:
    with ForkServer(()) as made:
        first = threading.Thread(target=lambda: run(made, "print(1)"))
        first.start()
        first.join()
        before = made._process
        assert printed(made, "print(2)") == "2"
        assert made._process is before


@pytest.mark.parametrize(
    "line", [b"x", b"[]", b"{}", b'{"told": "?"}', b'{"told": "", "late": 0, "status": "a"}', b"[" * 9999]
)
def test_an_answer_that_is_none_is_none(line: bytes) -> None:
    assert fork_server._answer(line) is None


def test_without_namespaces_no_processes_are_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bubblewrap, "unavailable", lambda _: "It may not be used.")
    with ForkServer((), processes=True) as made, pytest.raises(SandboxMissingError, match="It may not be used"):
        run(made, "print(1)")

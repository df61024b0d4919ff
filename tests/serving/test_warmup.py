from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from serving.errors import ServerStartError
from serving.progress import Progress
from serving.warmup import Warmup

SOON_S = 60.0


def failing(times: int, error: Exception, done: threading.Event) -> Callable[[Progress], None]:
    """Returns work that fails that often, and then is done."""
    left = [times]

    def work(_: Progress) -> None:
        if left[0]:
            left[0] -= 1
            raise error
        done.set()

    return work


@pytest.mark.parametrize("error", [ServerStartError("It did not come up."), RuntimeError("split")])
def test_in_the_background_a_step_that_fails_is_tried_again_and_the_rest_follow(error: Exception) -> None:
    first, last = threading.Event(), threading.Event()
    warmup = Warmup([("Server", failing(3, error, first)), ("Voice", failing(0, error, last))], pauses_s=(0.01,))
    warmup.start()
    assert last.wait(SOON_S)
    assert first.is_set()
    warmup.stop()


def test_what_went_wrong_is_told_with_the_next_try_until_it_is_stopped() -> None:
    asked, never = threading.Event(), threading.Event()

    def work(_: Progress) -> None:
        asked.set()
        raise ServerStartError("It did not come up.", hint="Look at its log.")

    warmup = Warmup([("Server", work), ("Voice", lambda _: never.set())], pauses_s=(3600.0,))
    warmup.start()
    assert asked.wait(SOON_S)
    while "next try" not in warmup.steps()[0].message:
        time.sleep(0.01)
    server, voice = warmup.steps()
    assert server.state == "failed"
    assert server.message == "It did not come up. Look at its log. The next try is in 3600 s."
    assert voice.state == "waiting"
    thread = warmup._thread
    warmup.stop()
    assert thread is not None
    thread.join(SOON_S)
    assert not thread.is_alive(), "a stopped warm-up waits for no further try"
    assert not never.is_set()


def test_what_is_done_is_not_done_again() -> None:
    done: list[str] = []
    last = threading.Event()
    warmup = Warmup(
        [("Model", lambda _: done.append("model")), ("Server", failing(2, ServerStartError("No."), last))],
        pauses_s=(0.01, 0.02),
    )
    warmup.start()
    assert last.wait(SOON_S)
    warmup.stop()
    assert done == ["model"]


def test_in_the_foreground_a_failure_is_raised() -> None:
    warmup = Warmup([("Server", failing(1, ServerStartError("It did not come up."), threading.Event()))])
    with pytest.raises(ServerStartError):
        warmup.run()
    assert warmup.steps()[0].state == "failed"
    warmup.run()
    assert warmup.steps()[0].state == "done"

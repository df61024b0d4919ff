"""What a span costs where traces are off, where they are sent, and where the collector is away: ``python -m`` this."""

from __future__ import annotations

import time
import timeit
from collections.abc import Iterator
from contextlib import closing, contextmanager

from serving import traces
from serving.llm.vllm_server import free_port
from serving.observation.trace_export import TraceExport
from tests.collector import collecting

REPEATS = 7


def plain() -> None:
    with traces.span("turn.next"):
        pass


def with_attributes() -> None:
    with traces.span("journal.append", {"event.type": "answer_given"}) as span:
        span.set("count", 1)


def named() -> None:
    with traces.about("an-interview"):
        pass


@contextmanager
def sent() -> Iterator[None]:
    with collecting() as collector, closing(TraceExport(collector.url, "page")):
        yield


@contextmanager
def away() -> Iterator[None]:
    with closing(TraceExport(f"http://127.0.0.1:{free_port()}", "page")):
        yield


@contextmanager
def off() -> Iterator[None]:
    yield


def main() -> None:
    for state, number in ((off, 100_000), (sent, 2_000), (away, 2_000)):
        with state():
            for work in (plain, with_attributes, named):
                # Processor time of this thread: others are at work on the same cores.
                best = min(timeit.repeat(work, number=number, repeat=REPEATS, timer=time.thread_time)) / number
                print(f"{state.__name__:5} {work.__name__:16} {1e6 * best:8.2f} µs")


if __name__ == "__main__":
    main()

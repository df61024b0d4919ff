"""One message of several lines from the keyboard, followed while it is written."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prompt_toolkit import PromptSession
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout

from serving.errors import InterviewerError

_TICK_S = 1.0
_LOG = logging.getLogger(__name__)


class Keyboard:
    """Reads messages; an empty line or Alt+Enter sends one.

    Args:
        prompt: reads and draws; one on the terminal where none is given.

    Attributes:
        on_tick: called about once a second while a message is written, on another thread, with what is written so far
            and the seconds since it last changed; what it prints stands above the message. Only on a terminal.

    """

    def __init__(self, prompt: PromptSession[str] | None = None) -> None:
        self._session: PromptSession[str] = prompt or PromptSession()
        self._keys = KeyBindings()
        self.on_tick: Callable[[str, float], None] | None = None

        @Condition
        def is_done() -> bool:
            document = self._session.default_buffer.document
            is_command = document.text.startswith("/") and "\n" not in document.text
            return is_command or (document.is_cursor_at_the_end and not document.current_line.strip())

        @self._keys.add("enter", filter=is_done)
        def _send(event: KeyPressEvent) -> None:
            event.current_buffer.validate_and_handle()

    def __call__(self) -> str:
        """Returns one message.

        Raises:
            EOFError: the person leaves.
            KeyboardInterrupt: they leave.

        """
        if self.on_tick is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return self._prompt()
        with patch_stdout(raw=True), self._followed(self.on_tick):
            return self._prompt()

    def _prompt(self) -> str:
        return self._session.prompt("> ", multiline=True, key_bindings=self._keys)

    @contextmanager
    def _followed(self, on_tick: Callable[[str, float], None]) -> Iterator[None]:
        stop = threading.Event()

        def follow() -> None:
            draft, since = "", time.monotonic()
            while not stop.wait(_TICK_S):
                written = self._session.default_buffer.text
                if written != draft:
                    draft, since = written, time.monotonic()
                try:
                    on_tick(draft, time.monotonic() - since)
                except InterviewerError as error:
                    # The next message meets the same trouble and tells the person.
                    _LOG.warning("%s", error)

        thread = threading.Thread(target=follow, name="keyboard", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

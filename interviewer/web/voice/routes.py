"""Hearing and speaking for the page: recordings come in, sounds go out, and what was heard waits to be sent."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from interviewer.dialogue.interpretation import is_answer
from interviewer.session.state import State
from interviewer.speech.endpointing import endpoint_delay, turn_ended
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.speech.transcription import Recognizer, Transcription, spoken_answer, transcribe
from interviewer.storage import settings as own_settings
from interviewer.storage.files.recordings import LocalRecordings, Recordings
from interviewer.storage.settings import Settings
from interviewer.web.view_state import turn_of
from interviewer.web.voice.partial_recordings import Key, PartialRecordings, Recording
from interviewer.web.voice.spoken_lines import fixed_phrases, lines_after, said_at_once
from knowledge.model import Question
from serving import paths
from serving.errors import BadInputError, InterviewerError
from serving.speech import audio
from serving.speech.stt.incremental import NOTHING_YET
from serving.speech.tts.base import NO_ENGINE
from serving.speech.tts.sentences import sentences

LARGEST = 100 * 1024 * 1024
"""Bytes of the largest recording that is taken; an hour of Opus has 30."""

UNUSED_S = 10.0
"""Seconds after which nobody talks or listens any more, so that sounds can be made ahead in nobody's way."""

_NOTHING_YET = Transcription(transcript=NOTHING_YET, written="")
_LONGEST_NAME = 64
_SAMPLE = "Hello. Let's begin with a short question."
_LINES_KEPT = 4_000
_TURNS_KEPT = 200
_LOG = logging.getLogger(__name__)


class SpeechOutput(Protocol):
    """Turns sentences into WAV; ``serving.speech.tts.speech_cache.SpeechCache`` is one."""

    @property
    def engine(self) -> str:
        """What speaks now; ``none`` where nothing can."""
        ...

    @property
    def voices(self) -> Mapping[str, str]:
        """The voices that can be chosen, and what each is called."""
        ...

    def sound(self, text: str, voice: str = "") -> bytes:
        """A sentence as a WAV file, in one of ``voices`` or its own."""
        ...

    def prepare(self, phrases: Sequence[str], stop: threading.Event | None = None) -> int:
        """Make sounds ahead."""
        ...


class VoiceRoutes:
    """Hears and speaks for all interviews of a page.

    Args:
        recognizer: hears.
        speech: speaks.
        state: how the interview of an id stands; raises ``BadInputError`` where there is none.
        keep: whether recordings are kept, with the person's data, where the person has not chosen; else they are
            deleted once they were heard.
        home: where several people share the page, the folder of the data of the one whose request is being answered.
        keeper: what keeps the recordings of whoever has a folder.
        cut_short: given an interview's id and what is said so far, how it stands where the person is cut short now.

    """

    def __init__(
        self,
        recognizer: Recognizer,
        speech: SpeechOutput,
        state: Callable[[str], State],
        *,
        keep: bool = False,
        home: Callable[[], Path] | None = None,
        keeper: Callable[[Path], Recordings] = LocalRecordings,
        cut_short: Callable[[str, str], State | None] = lambda *_: None,
    ) -> None:
        self._recognizer = recognizer
        self._speech = speech
        self._state = state
        self.keeps = keep
        self._home = home or paths.home
        self._keeper = keeper
        self._cut_short = cut_short
        # A sound is only given to who was told its name, so that nobody makes this machine say other things.
        self._secret = secrets.token_bytes(16)
        self._texts: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._heard: OrderedDict[tuple[str, str], dict[str, tuple[Transcription, str]]] = OrderedDict()
        self._growing = PartialRecordings()
        self._used = -UNUSED_S
        self._lock = threading.Lock()

    def routes(self) -> list[Route]:
        """What the page's script asks for."""
        return [
            Route("/voice/lines", self._lines),
            Route("/voice/sound/{name}", self._sound),
            Route("/voice/sample", self._sample),
            Route("/voice/hear", self._hear, methods=["POST"]),
            Route("/voice/progress", self._progress),
        ]

    @property
    def voices(self) -> Mapping[str, str]:
        """The voices that can be chosen, and what each is called."""
        return self._speech.voices

    def spoken(self, session: str, turn: str) -> SpokenAnswer | None:
        """What was heard for a turn, as the journal keeps it; ``None`` where it was only typed."""
        with self._lock:
            heard = list(self._heard.get((session, turn), {}).values())
        if not heard:
            return None
        kept = tuple(place for _, place in heard if place)
        return spoken_answer(tuple(each for each, _ in heard), kept)

    def prepare(self, stop: threading.Event) -> None:
        """Make the sounds of fixed phrases ahead, until done or stopped; not while somebody talks or listens."""
        try:
            for phrase in fixed_phrases():
                while (left := self._used + UNUSED_S - time.monotonic()) > 0 and not stop.wait(left):
                    pass
                if stop.is_set():
                    return
                self._speech.prepare([phrase], stop)
        except InterviewerError as error:
            _LOG.warning("%s", error)

    def hear(
        self, session: str, turn: str, recording: bytes, *, name: str = "", so_far: bool = False
    ) -> dict[str, Any]:
        """Recognize a recording for a turn; what was recognized while it grew is not recognized again.

        Args:
            session: the interview.
            turn: the turn it was recorded for.
            recording: in any common format, from its beginning.
            name: the recording's id, the same while it grows; sent again, it is the same answer.
            so_far: whether the person is still being listened to: then nothing is kept, and the result tells
                whether they seem to be done.

        Returns:
            ``text``; ``answers``, whether it is an answer and not a request; ``problem``; ``suggestions``; ``over``,
            whether the turn is; ``wait``, the seconds of silence that would end it; ``cut``, where the person is cut
            short, the turn that the recording is for from now on, else empty.

        Raises:
            BadInputError: there is no such interview, or this is no recording.
            ModelMissingError: there is no recognizer.
            StorageError: the disk refused.

        """
        self._used = time.monotonic()
        state = self._state(session)
        if len(turn) > _LONGEST_NAME:
            raise BadInputError("There is no such turn.", hint="Reload the page.")
        question = state.current.question if state.current else None
        key = (session, turn, name[:_LONGEST_NAME] or secrets.token_hex(8))
        wait_s = self._chosen().pause_s
        growing = self._growing.of(key)
        if so_far:
            with self._growing.follow(growing) as mine:
                if not mine:
                    return _told(state, growing.heard, wait_s, over=False)
                growing.heard = growing.heard or _NOTHING_YET
                told = _told(state, self._recognized(growing, recording, question), wait_s)
            return told | self._cut(key, told["text"])
        with growing.lock:
            done = self._final(key) or self._recognized(growing, recording, question)
            if not done.problem:
                self._keep_final(key, done, recording)
        self._growing.forget(key)
        return _told(state, done, wait_s)

    def _cut(self, key: Key, said: str) -> dict[str, Any]:
        """What the page is told where the person is cut short; nothing where they are not."""
        cut = self._cut_short(key[0], said) if said else None
        if cut is None:
            return {}
        turn = turn_of(cut)
        self._growing.rename(key, (key[0], turn, key[2]))
        return {"cut": turn, "over": False}

    def _recognized(self, growing: Recording, recording: bytes, question: Question | None) -> Transcription:
        def progress(detail: str, share: float | None = None) -> None:
            growing.share = share

        try:
            with tempfile.NamedTemporaryFile(suffix=".webm") as file:
                file.write(recording)
                file.flush()
                samples = audio.read(Path(file.name))
            before = growing.heard.transcript if growing.heard else None
            growing.heard = transcribe(self._recognizer, samples, question, progress, before)
        finally:
            growing.share = None
        return growing.heard

    def _final(self, key: Key) -> Transcription | None:
        with self._lock:
            heard = self._heard.get(key[:2], {}).get(key[2])
        return heard[0] if heard else None

    def _keep_final(self, key: Key, heard: Transcription, recording: bytes) -> None:
        if self._final(key) is not None:
            return
        chosen = self._chosen().keep_recordings
        keeps = self.keeps if chosen is None else chosen
        kept = self._keeper(self._home()).keep(key[0], recording) if keeps else ""
        with self._lock:
            self._heard.setdefault(key[:2], {})[key[2]] = (heard, kept)
            while len(self._heard) > _TURNS_KEPT:
                self._heard.popitem(last=False)

    def lines(self, session: str, heard: str) -> dict[str, Any]:
        """What is to be said now, sentence by sentence, and where each sound is; and what to say first to an answer.

        Raises:
            BadInputError: there is no such interview.

        """
        state = self._state(session)
        lines = lines_after(state, heard)
        place = state.plan.loop if state.plan else None
        voice = place.round.voice if place else self._chosen().voice
        pieces = [self._piece(sentence, voice) for line in lines for sentence in sentences(line.text)]
        first = said_at_once(state)
        return {
            "heard": lines[-1].id if lines else heard,
            "pieces": pieces,
            "first": self._piece(first, voice) if first else None,
        }

    def _piece(self, sentence: str, voice: str) -> dict[str, str]:
        return {"text": sentence, "sound": self._named(sentence, voice) if self._speech.engine != NO_ENGINE else ""}

    def _named(self, text: str, voice: str) -> str:
        name = hashlib.sha256(self._secret + f"{voice} {text}".encode()).hexdigest()[:32]
        with self._lock:
            self._texts[name] = (text, voice)
            while len(self._texts) > _LINES_KEPT:
                self._texts.popitem(last=False)
        return f"voice/sound/{name}"

    def _chosen(self) -> Settings:
        return own_settings.kept(self._home())

    # What the script asks for

    async def _lines(self, request: Request) -> Response:
        asked = request.query_params
        return await _answer(lambda: self.lines(asked.get("session", ""), asked.get("heard", "")))

    async def _sound(self, request: Request) -> Response:
        with self._lock:
            said = self._texts.get(request.path_params["name"])
        if said is None:
            return Response(status_code=404)
        return await self._aloud(*said)

    async def _sample(self, _: Request) -> Response:
        return await self._aloud(_SAMPLE, self._chosen().voice)

    async def _aloud(self, text: str, voice: str) -> Response:
        self._used = time.monotonic()
        try:
            sound = await run_in_threadpool(self._speech.sound, text, voice)
        except InterviewerError as error:
            _LOG.warning("%s", error)
            return Response(status_code=503)
        return Response(sound, media_type="audio/wav")

    async def _hear(self, request: Request) -> Response:
        # A page of somebody else may send forms here, but no such header.
        if request.headers.get("x-interviewer") != "voice":
            return Response(status_code=403)
        recording = bytearray()
        async for block in request.stream():
            recording += block
            if len(recording) > LARGEST:
                return _problem("The recording is too long. Record it in parts.", 413)
        session, turn, name = _key(request)
        so_far = request.query_params.get("so_far") == "1"
        return await _answer(lambda: self.hear(session, turn, bytes(recording), name=name, so_far=so_far))

    async def _progress(self, request: Request) -> Response:
        return JSONResponse({"share": self._growing.share(_key(request))})


def _key(request: Request) -> Key:
    asked = request.query_params
    return asked.get("session", ""), asked.get("turn", ""), asked.get("recording", "")[:_LONGEST_NAME]


def _told(state: State, heard: Transcription | None, wait_s: float, *, over: bool = True) -> dict[str, Any]:
    """What the page is told of a recording; ``over`` false where it was not heard to its end."""
    if heard is None:
        nothing = {"text": "", "problem": "", "suggestions": [], "answers": False, "cut": ""}
        return {**nothing, "over": False, "wait": wait_s}
    text = "" if heard.problem else heard.written
    return {
        "text": text,
        "answers": bool(text) and is_answer(state, text),
        "problem": heard.problem,
        "suggestions": [{"heard": each.heard, "meant": each.meant} for each in heard.suggestions],
        "over": over and turn_ended(heard.transcript, wait_s),
        "wait": endpoint_delay(heard.written, wait_s=wait_s) if heard.transcript.text else wait_s,
        "cut": "",
    }


async def _answer(work: Callable[[], dict[str, Any]]) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(work))
    except BadInputError as error:
        return _problem(str(error), 400)
    except (InterviewerError, OSError) as error:
        _LOG.warning("%s", error)
        return _problem(str(error), 503)


def _problem(said: str, status: int) -> Response:
    return Response(json.dumps({"problem": said}), status_code=status, media_type="application/json")

"""A candidate who talks: hears the interviewer's sentences, and answers with recordings that the page recognizes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import httpx
import numpy as np

from serving.speech import audio
from serving.speech.tts.kokoro import Kokoro
from tests.benchmarks.load import Candidate, Figures, Load
from tests.benchmarks.speech import said
from tests.benchmarks.speech_sentences import TALK

HEADERS = {"X-Interviewer": "voice"}
PARTS = 3
"""How often a recording is sent: while it grows, and whole."""


def recordings(count: int = 4) -> list[bytes]:
    """Answers of four sentences each, some 20 s, as WAV."""
    voice = Kokoro("am_michael")
    sounds = [np.concatenate([voice.synthesize(said(line)) for line in lines]) for lines in [*TALK.values()][:count]]
    return [audio.wav(sound, Kokoro.sample_rate) for sound in sounds]


class Speaker(Candidate):
    """One person in one interview who talks.

    Args:
        http: a connection of their own.
        load: how they behave.
        figures: where what they wait for is noted.
        answers: what they say, in turn.

    """

    def __init__(self, http: httpx.AsyncClient, load: Load, figures: Figures, answers: Sequence[bytes]) -> None:
        super().__init__(http, load, figures)
        self._answers, self._heard = answers, ""

    async def _words(self) -> str:
        await self._listen()
        recording, name = self._answers[self.said % len(self._answers)], secrets.token_hex(8)
        for part in range(1, PARTS):
            await self._hear(recording[: len(recording) * part // PARTS], name, so_far="1")
        with self._figures.timed("the words of a recording"):
            told = await self._hear(recording, name)
        return f"{told} My own word for all this is {self.marker}."

    async def _listen(self) -> None:
        """Fetch every sentence that has not been said yet, as the page's script does."""
        asked = {"session": self.session, "heard": self._heard}
        told = (await self._http.get("/voice/lines", params=asked)).raise_for_status().json()
        self._heard = told["heard"]
        for piece in filter(None, (*told["pieces"], told["first"])):
            if piece["sound"]:
                (await self._http.get(f"/{piece['sound']}")).raise_for_status()

    async def _hear(self, recording: bytes, name: str, so_far: str = "") -> str:
        asked = {"session": self.session, "turn": self._page.value("turn"), "recording": name, "so_far": so_far}
        got = await self._http.post("/voice/hear", params=asked, content=recording, headers=HEADERS)
        return str(got.raise_for_status().json()["text"])

"""What the journal keeps of an answer that was spoken."""

from __future__ import annotations

from interviewer.speech.delivery import Delivery
from serving.frozen import FrozenModel
from serving.speech.stt.transcript import Word


class SpokenAnswer(FrozenModel):
    """How an answer came to be that was spoken; the answer's own text is what the person sent after correcting it.

    Attributes:
        heard: what was recognized, word for word.
        written: the same with names and numbers as one writes them: what the person was shown.
        words: what was recognized with its times, from the beginning of the first recording.
        delivery: how it was said.
        recordings: files that hold the sound, where the person wanted it kept.

    """

    heard: str
    written: str
    words: tuple[Word, ...] = ()
    delivery: Delivery
    recordings: tuple[str, ...] = ()

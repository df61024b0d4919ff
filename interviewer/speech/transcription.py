"""A recording becomes an answer: recognized, written as one writes, with what was doubtful and how it was said."""

from __future__ import annotations

from typing import Any, Protocol

from interviewer.speech.delivery import delivery
from interviewer.speech.inverse_normalization import inverse_normalize
from interviewer.speech.misrecognition import Suggestion, suggestions
from interviewer.speech.recognition_prompt import prompt, terms
from interviewer.speech.spoken_answer import SpokenAnswer
from knowledge.model import Question
from serving.frozen import FrozenModel
from serving.progress import Progress, silent
from serving.speech.audio import Samples
from serving.speech.stt.transcript import Transcript, Word, why_unusable


class Recognizer(Protocol):
    """Turns samples into words; ``serving.speech.stt.whisper.WhisperRecognizer`` is one."""

    def transcribe(
        self, samples: Samples, prompt: str = "", progress: Progress = silent, before: Transcript | None = None
    ) -> Transcript:
        """What was said, word by word; ``before`` is what was recognized when the recording was shorter."""
        ...


class Transcription(FrozenModel):
    """What became of a recording.

    Attributes:
        transcript: as it was recognized.
        written: the text to show.
        suggestions: what doubtful words may have been; nothing of it is in ``written``.
        problem: why this cannot be an answer, as a sentence for the person; empty where it can.

    """

    transcript: Transcript
    written: str
    suggestions: tuple[Suggestion, ...] = ()
    problem: str = ""


def transcribe(
    recognizer: Recognizer,
    samples: Samples,
    question: Question | None = None,
    progress: Progress = silent,
    before: Transcript | None = None,
) -> Transcription:
    """Recognize an answer to a question.

    Args:
        recognizer: hears.
        samples: [n] at ``serving.speech.audio.RATE``.
        question: whose own terms prime the recognizer; ``None`` where nothing was asked.
        progress: told the share that is done.
        before: what was recognized of the same recording when it was shorter; what is settled of it is kept.

    Raises:
        ModelMissingError: the recognizer could not be fetched or loaded.
        StorageError: the disk refused.

    """
    transcript = recognizer.transcribe(samples, prompt(question), progress, before)
    return Transcription(
        transcript=transcript,
        written=inverse_normalize(transcript.text),
        suggestions=suggestions(transcript.words, terms(question) if question else ()),
        problem=why_unusable(transcript),
    )


def spoken_answer(heard: tuple[Transcription, ...], recordings: tuple[str, ...] = ()) -> SpokenAnswer:
    """Recordings that make one answer, in their order, as the journal keeps them."""
    whole = joined(tuple(each.transcript for each in heard))
    return SpokenAnswer(
        heard=whole.text,
        written=" ".join(each.written for each in heard if each.written),
        words=whole.words,
        delivery=delivery(whole),
        recordings=recordings,
    )


def joined(transcripts: tuple[Transcript, ...]) -> Transcript:
    """Several recordings as if they were one, the later ones' times moved on."""
    words: list[Word] = []
    voiced: list[tuple[float, float]] = []
    passed = 0.0
    for one in transcripts:
        words += [
            word.model_copy(update={"start": word.start + passed, "end": word.end + passed}) for word in one.words
        ]
        voiced += [(start + passed, end + passed) for start, end in one.voiced]
        passed += one.duration
    surest = max(transcripts, key=lambda one: one.language_probability, default=None)
    return Transcript(
        text=" ".join(one.text for one in transcripts if one.text),
        words=tuple(words),
        voiced=tuple(voiced),
        language=surest.language if surest else "",
        language_probability=surest.language_probability if surest else 0.0,
        duration=passed,
    )


def transcript_row(heard: Transcription) -> dict[str, Any]:
    """What was recognized, as the command prints it."""
    said = heard.transcript
    return {
        "text": heard.written,
        "heard": said.text,
        "language": said.language,
        "language_probability": round(said.language_probability, 3),
        "duration": round(said.duration, 2),
        "problem": heard.problem,
        "words": [word.model_dump() for word in said.words],
        "doubtful": [word.text for word in said.doubtful],
        "suggestions": [each.model_dump() for each in heard.suggestions],
        "delivery": delivery(said).model_dump(),
    }

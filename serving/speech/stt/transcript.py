"""What was heard: words with their times. Pure."""

from __future__ import annotations

from pydantic import Field

from serving.frozen import FrozenModel

DOUBTFUL = 0.5
"""Probability below which a word counts as doubtful."""

FOREIGN = 0.7
"""Probability from which a language other than English is believed; short answers with an accent stay below it."""

_LANGUAGES = {
    "ar": "Arabic",
    "bn": "Bengali",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "la": "Latin",
    "ms": "Malay",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "ta": "Tamil",
    "te": "Telugu",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}


class Word(FrozenModel):
    """One word as it was heard.

    Attributes:
        text: the word with its punctuation, without blanks around it.
        start: seconds from the beginning of the recording.
        end: seconds from the beginning of the recording.
        probability: how sure the recognizer is, 0 to 1.

    """

    text: str
    start: float = Field(ge=0)
    end: float = Field(ge=0)
    probability: float = Field(ge=0, le=1)

    @property
    def middle(self) -> float:
        """Seconds; a word's beginning and end often reach into a pause or the next word, its middle hardly ever."""
        return (self.start + self.end) / 2


class Transcript(FrozenModel):
    """A recording as text.

    Attributes:
        text: everything that was said; empty where nobody spoke.
        words: the same, word by word.
        voiced: stretches in which somebody speaks, as (start, end) in seconds, in order.
        language: two or three letters; empty where nobody spoke.
        language_probability: how sure the recognizer is of the language, 0 to 1.
        duration: of the recording, in seconds.
        settled: seconds up to which nothing is recognized again when the recording grows; they end in a pause.
        settled_words: how many of the words lie before that.

    """

    text: str
    words: tuple[Word, ...] = ()
    voiced: tuple[tuple[float, float], ...] = ()
    language: str = ""
    language_probability: float = Field(default=0.0, ge=0, le=1)
    duration: float = Field(ge=0)
    settled: float = Field(default=0.0, ge=0)
    settled_words: int = Field(default=0, ge=0)

    @property
    def doubtful(self) -> tuple[Word, ...]:
        """The words that the recognizer was not sure of."""
        return tuple(word for word in self.words if word.probability < DOUBTFUL)


def why_unusable(transcript: Transcript) -> str:
    """Why a recording cannot be an answer, as a sentence for the person; empty where it can."""
    if not transcript.text:
        return "Nothing was heard. Check the microphone, come closer, and say it again, or type your answer."
    if transcript.language != "en" and transcript.language_probability >= FOREIGN:
        return (
            f"That sounded like {language_name(transcript.language)}, and this interview is in English. "
            "Say it again in English, or type your answer."
        )
    return ""


def language_name(code: str) -> str:
    """A language's English name; of a rare one what is known of it."""
    return _LANGUAGES.get(code, f"another language ({code})")

"""The real recognizer on speech made by espeak-ng, on silence and on noise."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from interviewer.cli.scripted import recorded, run_script
from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven
from interviewer.session.plan import Plan
from interviewer.speech.recognition_prompt import prompt
from interviewer.speech.transcription import transcribe
from interviewer.storage.sqlite_journal import Journal
from serving.errors import BadInputError
from serving.speech import audio
from serving.speech.audio import RATE
from serving.speech.stt.incremental import NOTHING_YET
from serving.speech.stt.transcript import why_unusable
from serving.speech.stt.whisper import WhisperRecognizer
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.serving.speech.saying import samples, say

SENTENCE = "The optimizer takes a step in the direction of the negative gradient and the loss goes down."


@pytest.fixture(scope="module")
def recognizer():
    made = WhisperRecognizer()
    made.load()
    return made


def test_a_sentence_comes_back_word_by_word(recognizer, tmp_path):
    pause = np.zeros(2 * RATE, np.float32)
    told = []
    said = np.concatenate([samples(SENTENCE, tmp_path), pause, samples("And then it is done.", tmp_path)])
    heard = recognizer.transcribe(said, prompt(None), lambda what, share=None: told.append(share))
    # A plain voice is often misheard; that most of it comes back is what counts here.
    found = [word for word in SENTENCE.lower().rstrip(".").split() if word in heard.text.lower()]
    assert len(found) >= 8, heard.text
    assert heard.text == " ".join(word.text for word in heard.words)
    assert why_unusable(heard) == ""
    assert heard.duration == pytest.approx(len(said) / RATE)
    times = [time for word in heard.words for time in (word.start, word.end)]
    assert times == sorted(times)
    assert times[-1] <= heard.duration + 0.1
    # The pause that was put in is where it was put.
    ends = [end for _, end in heard.voiced]
    starts = [start for start, _ in heard.voiced]
    assert any(after - before > 1.8 for before, after in zip(ends, starts[1:], strict=False))
    assert told[-1] == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("loudness", [0.0, 0.005, 0.05])
def test_silence_and_noise_never_become_text(recognizer, loudness):
    noise = np.random.default_rng(3).normal(0.0, loudness, 6 * RATE).astype(np.float32)
    heard = recognizer.transcribe(noise, prompt(None))
    assert (heard.text, heard.words, heard.language) == ("", (), "")
    assert "Nothing was heard" in why_unusable(heard)


def test_no_samples_at_all_give_no_text(recognizer):
    assert recognizer.transcribe(np.zeros(0, np.float32)).text == ""


@pytest.mark.by_number("serving/speech/stt")
def test_what_a_reading_leaves_out_is_read_again(recognizer, tmp_path, monkeypatch):
    pause = np.zeros(RATE // 2, np.float32)
    last = "After that another batch is taken, and all of it is done again until nothing improves."
    said = np.concatenate([samples(SENTENCE, tmp_path), pause, samples(last, tmp_path)])
    whole = recognizer.transcribe(said, prompt(None))
    read, prompts = WhisperRecognizer._run, []

    def leaves_out(model, piece, told, *further):
        """Whisper as it is now and then with a prompt: it stops after the first words."""
        segments, info = read(model, piece, told, *further)
        prompts.append(told)
        kept = list(segments)
        if told:
            kept = [replace(kept[0], words=kept[0].words[:5])]
        return kept, info

    monkeypatch.setattr(WhisperRecognizer, "_run", staticmethod(leaves_out))
    mended = recognizer.transcribe(said, prompt(None))
    assert prompts[0] == prompt(None)
    assert prompts[-1] == ""
    assert len(mended.words) == pytest.approx(len(whole.words), abs=3)
    assert mended.text.lower().split()[-1] == whole.text.lower().split()[-1] == "improves."
    middles = [word.middle for word in mended.words]
    assert middles == sorted(middles)


class Loops:
    """Whisper that with a prompt says the last word again and again, as it now and then does."""

    def __init__(self, seconds):
        self._seconds, self.prompts = seconds, []

    def transcribe(self, samples, hotwords=None, **_):
        self.prompts.append(hotwords)
        length = len(samples) / RATE
        told = [piece(["The", "loss"], 0.1, self._seconds / 2, 1.0)] if length > self._seconds - 1 else []
        again = piece(["goes"] * 100, length - 0.1, length, 30.0)
        full = piece(["goes", "down."], 0.1, length, 1.0)
        return iter([*told, again] if hotwords else [full]), SimpleNamespace(language="en", language_probability=1.0)


def piece(words, start, end, ratio):
    step = (end - start) / len(words)
    timed = [
        SimpleNamespace(word=f" {word}", start=start + n * step, end=start + (n + 1) * step, probability=0.9)
        for n, word in enumerate(words)
    ]
    return SimpleNamespace(words=timed, end=end, compression_ratio=ratio, tokens=words)


def test_a_word_said_again_and_again_is_dropped_and_read_again(tmp_path):
    said = samples(SENTENCE, tmp_path)
    made = WhisperRecognizer()
    made._model = Loops(len(said) / RATE)
    heard = made.transcribe(said, "Um, so, PyTorch.")
    assert heard.text == "The loss goes down."
    assert made._model.prompts == ["Um, so, PyTorch."] * 2 + [None]


def test_a_recording_that_grows_is_recognized_bit_by_bit(recognizer, tmp_path):
    pause = np.zeros(round(0.8 * RATE), np.float32)
    sentences = (SENTENCE, "After that another batch is taken, and all of it is done again until nothing improves.")
    said = np.concatenate([piece for each in sentences for piece in (samples(each, tmp_path), pause)])
    whole = recognizer.transcribe(said, prompt(None))
    grown = NOTHING_YET
    for share in (0.4, 0.9, 1.0):
        grown = recognizer.transcribe(said[: round(share * len(said))], prompt(None), before=grown)
    assert 0 < grown.settled_words < len(grown.words)
    assert grown.duration == whole.duration
    # A cut changes a word here and there; nothing is lost or said twice.
    assert len(grown.words) == pytest.approx(len(whole.words), abs=2)
    same = set(whole.text.lower().split()) & set(grown.text.lower().split())
    assert len(same) >= 0.8 * len(set(whole.text.lower().split()))
    times = [time for word in grown.words for time in (word.start, word.end)]
    assert times == sorted(times)

    told = []
    silent = recognizer.transcribe(
        np.concatenate([said, pause]), progress=lambda *what: told.append(what), before=grown
    )
    assert (silent.text, silent.words, told) == (grown.text, grown.words, [])
    assert silent.duration > grown.duration


@pytest.mark.by_number("serving/speech/stt")
def test_a_long_recording_holds_nobody_up(recognizer, tmp_path):
    # Pauses that are not left out, since few words and many windows are what is wanted.
    few = np.concatenate([samples("The loss goes down.", tmp_path), np.zeros(round(1.4 * RATE), np.float32)])
    long, short = np.tile(few, 95 * RATE // len(few)), few
    ended, begun = [], threading.Event()

    def recognize(name, said):
        recognizer.transcribe(said, progress=lambda *_: begun.set())
        ended.append(name)

    first = threading.Thread(target=recognize, args=("long", long))
    first.start()
    assert begun.wait(60)
    recognize("short", short)
    first.join()
    assert ended == ["short", "long"]


def test_another_language_is_named(recognizer, tmp_path):
    said = "Ich würde zuerst die Lernrate verkleinern, weil der Verlust sonst nicht sinkt."
    heard = recognizer.transcribe(samples(said, tmp_path, voice="de"), prompt(None))
    assert heard.language == "de"
    assert "sounded like German" in why_unusable(heard)


def test_a_recording_answers_a_turn_and_both_versions_are_kept(recognizer, tmp_path):
    files = [say(SENTENCE, tmp_path), tmp_path / "silence.wav"]
    files[1].write_bytes(audio.wav(np.zeros(RATE, np.float32), RATE))
    shelf = Shelf([question("q1"), question("q2")])
    plan = Plan(question_ids=("q1", "q2"), follow_ups=0)

    def listen(path, asked):
        return transcribe(recognizer, audio.read(path), asked)

    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, shelf, KeywordGrader(), patience_s=None) as service,
    ):
        with pytest.raises(BadInputError, match=r"silence\.wav cannot be an answer. Nothing was heard"):
            run_script(service, plan, recorded(files), "spoken", listen)
        answers = [event for event in journal.events("spoken") if isinstance(event, AnswerGiven)]
    assert len(answers) == 1
    spoken = answers[0].spoken
    assert spoken.written == answers[0].text
    assert spoken.heard == " ".join(word.text for word in spoken.words)
    assert spoken.delivery.words > 8
    assert spoken.recordings == (str(files[0]),)

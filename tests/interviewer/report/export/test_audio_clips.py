"""What can be listened to in a report: real recordings, real sound in the page, and nothing where they are gone."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import html5lib
import numpy as np
import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.export import audio_clips as sounds_file
from interviewer.report.export.audio_clips import LARGEST, LONGEST_S, sounds
from interviewer.report.render.html import render_html, render_html_fragment
from interviewer.report.render.json import render_json
from interviewer.session.events import AnswerGiven
from interviewer.session.reducer import fold
from interviewer.session.state import State
from interviewer.speech.delivery import Delivery
from interviewer.speech.spoken_answer import SpokenAnswer
from serving.errors import BadInputError
from serving.speech import audio
from serving.speech.clips import clip
from serving.speech.stt.transcript import Word
from tests.interviewer.report.sample_session import LOADER, Telling

SAID = "So um I think the the loop waits"


def recording(path: Path, *tones: float, seconds: float = 10.0) -> str:
    """A tone each, one after the other, as a WAV file."""
    times = np.arange(round(seconds * audio.RATE)) / audio.RATE
    samples = np.concatenate([0.4 * np.sin(2 * np.pi * tone * times) for tone in tones]).astype(np.float32)
    path.write_bytes(audio.wav(samples, audio.RATE))
    return str(path)


def pitch(sound: bytes, path: Path) -> float:
    """The loudest frequency of a clip."""
    path.write_bytes(sound)
    samples = audio.read(path)
    return float(np.fft.rfftfreq(len(samples), 1 / audio.RATE)[np.abs(np.fft.rfft(samples)).argmax()])


def interview(*recordings: str, answers: int = 1) -> State:
    words = tuple(
        Word(text=text, start=2.0 * place, end=2.0 * place + 0.4, probability=0.9)
        for place, text in enumerate(SAID.split())
    )
    how = Delivery(
        duration=20, words=8, pace=60, talking=0.5, longest_pause=1.6, longest_pause_at=12.4, pauses=8, restarts=1
    )
    spoken = SpokenAnswer(heard=SAID, written=SAID, words=words, delivery=how, recordings=recordings)
    tell = Telling()
    for _ in range(answers):
        q = tell.ask(LOADER)
        tell.answer(q, SAID)
    given = (e.model_copy(update={"spoken": spoken}) if isinstance(e, AnswerGiven) else e for e in tell.events)
    return fold(given)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "recordings" / "s1"
    made.mkdir(parents=True)
    return made


def test_a_clip_is_the_piece_that_was_asked_for(folder: Path) -> None:
    files = [Path(recording(folder / "a.wav", 300, 600)), Path(recording(folder / "b.wav", 900))]
    for start, tone in ((0.0, 300), (11.0, 600), (21.0, 900)):
        piece = clip(files, start, LONGEST_S)
        assert pitch(piece, folder / "piece.ogg") == pytest.approx(tone, abs=5)
        assert len(audio.read(folder / "piece.ogg")) == pytest.approx(LONGEST_S * audio.RATE, rel=0.02)
        assert len(piece) < 40_000
    assert len(audio.read(folder / "piece.ogg")) > len(clip(files, 29.5, LONGEST_S))


@pytest.mark.parametrize("start", [30.0, 1e6])
def test_behind_the_end_there_is_nothing(folder: Path, start: float) -> None:
    with pytest.raises(BadInputError, match="no sound at"):
        clip([Path(recording(folder / "a.wav", 300))], start, 8.0)


def test_what_is_no_recording_is_told(folder: Path) -> None:
    (folder / "x.webm").write_bytes(b"nothing of the kind")
    for path in (folder / "x.webm", folder / "none.webm", folder):
        with pytest.raises(BadInputError, match="gone or cannot be read"):
            clip([path], 0.0, 8.0)


def test_every_example_and_answer_can_be_listened_to_from_the_file_itself(folder: Path) -> None:
    state = interview(recording(folder / "a.wav", 300, 600))
    found = findings("s1", state)
    assert found.manner is not None
    assert [(each.habit, each.at, each.said) for each in found.manner.examples] == [
        ("pause", 12.4, ""),
        ("filler", 2.0, "um"),
        ("restart", 8.0, "the the loop waits"),
        ("hedge", 4.0, "I think"),
    ]
    heard = sounds(state, found, folder)
    html = render_html(found, heard)
    assert html.count("<audio") == 5
    html5lib.HTMLParser(strict=True).parse(html)
    assert 'aria-label="Listen. Longest pause: question 1, answer 1, at 0:12"' in html
    assert render_html_fragment(found, heard).count("<audio") == 5
    first, *_ = re.findall(r'src="data:audio/ogg;base64,([^"]+)"', html)
    assert pitch(b64decode(first), folder / "first.ogg") == pytest.approx(300, abs=5)
    pause = heard[state.asked[0].answers[0].id, 12.4].partition(",")[2]
    assert pitch(b64decode(pause), folder / "pause.ogg") == pytest.approx(600, abs=5)
    assert "<audio" not in render_html(found)
    assert str(folder) not in html + render_json(found)


def test_where_a_recording_was_deleted_there_is_no_button_and_no_error(folder: Path) -> None:
    state = interview(recording(folder / "a.wav", 300, 600))
    found = findings("s1", state)
    assert sounds(state, found, folder)
    (folder / "a.wav").unlink()
    assert sounds(state, found, folder) == {}
    (folder / "a.wav").write_bytes(b"broken")
    assert sounds(state, found, folder) == {}
    assert sounds(state, found, folder / "nowhere") == {}


def test_a_journal_cannot_name_files_of_elsewhere(folder: Path, tmp_path: Path) -> None:
    elsewhere = recording(tmp_path / "private.wav", 300)
    for name in (elsewhere, "../../private.wav", str(folder / ".." / ".." / "private.wav")):
        state = interview(name)
        assert sounds(state, findings("s1", state), folder) == {}


def test_all_of_it_stays_small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = interview(recording(folder / "a.wav", 300, 600), answers=40)
    found = findings("s1", state)
    heard = sounds(state, found, folder)
    assert len(heard) == sounds_file.MOST
    assert sum(map(len, heard.values())) <= LARGEST
    monkeypatch.setattr(sounds_file, "LARGEST", 40_000)
    fewer = sounds(state, found, folder)
    assert 0 < len(fewer) < len(heard)
    assert sum(map(len, fewer.values())) <= 40_000

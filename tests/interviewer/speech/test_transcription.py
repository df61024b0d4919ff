"""A recorded answer, from a file to the journal, with the real recognizer."""

import json

import pytest

from interviewer.session.events import EVENT
from tests.integration.commands import run
from tests.serving.speech.saying import say

ANSWER = "You call loss dot backward, and the gradients of the weights are added up. Then the optimizer takes a step."


def test_transcribe_prints_text_words_and_delivery(tmp_path):
    done = run("transcribe", say(ANSWER, tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert "optimizer" in row["text"].lower()
    assert row["words"][0]["start"] < row["words"][-1]["end"] <= row["duration"] + 0.1
    assert row["language"] == "en"
    assert row["delivery"]["pace"] > 60


@pytest.mark.parametrize(("content", "said"), [(b"no sound", "cannot be read"), (None, "There is no recording")])
def test_what_is_no_recording_ends_with_a_sentence(tmp_path, content, said):
    path = tmp_path / "x.wav"
    if content is not None:
        path.write_bytes(content)
    done = run("transcribe", path)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_recordings_have_to_stand_behind_their_option(tmp_path):
    done = run("interview", tmp_path / "a.wav")
    assert done.returncode == 2
    assert "--voice-in" in done.stderr


def test_an_answer_of_an_older_journal_still_loads():
    old = '{"type":"answer_given","id":"a","at":"2026-01-01T00:00:00Z","asked_id":"q","follow_up_id":null,"text":"x"}'
    assert EVENT.validate_json(old).spoken is None

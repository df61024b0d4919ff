"""What the page's script is given and may do, over real routes; the recognizer is real in the browser's test."""

import io
import threading
import wave

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from interviewer.dialogue.interpretation import is_answer
from interviewer.engine.service import InterviewService
from interviewer.session.events import AnswerGiven
from interviewer.session.loop_plan import LoopPlace, LoopPlan, Round, RoundKind
from interviewer.session.plan import Plan, SegmentKind
from interviewer.storage import settings
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.controller import PageController
from interviewer.web.view_state import turn_of
from interviewer.web.voice.partial_recordings import PartialRecordings
from interviewer.web.voice.routes import VoiceRoutes
from interviewer.web.voice.spoken_lines import all_lines, fixed_phrases, lines_after, said_at_once
from serving.errors import ModelMissingError
from serving.speech.stt.incremental import NOTHING_YET
from serving.speech.stt.transcript import Transcript, Word
from serving.speech.tts.sentences import sentences
from serving.speech.tts.speech_cache import SpeechCache
from tests.interviewer.builders import KeywordGrader, Shelf, question

HEADERS = {"X-Interviewer": "voice"}


class Hears:
    """Stands for the model, to say what cannot be had from it at will."""

    def __init__(self):
        self.transcript = Transcript(
            text="requires grad",
            words=(
                Word(text="requires", start=0.1, end=0.4, probability=0.9),
                Word(text="grad", start=0.4, end=0.8, probability=0.3),
            ),
            voiced=((0.1, 0.8),),
            language="en",
            language_probability=0.9,
            duration=1.0,
        )
        self.prompts = []
        self.befores = []

    def transcribe(self, samples, prompt="", progress=None, before=None):
        self.prompts.append(prompt)
        self.befores.append(before)
        if self.transcript is None:
            raise ModelMissingError("There is no recognizer.")
        return self.transcript


@pytest.fixture
def recording():
    return second_of_silence()


def second_of_silence():
    """A WAV file."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(32_000))
    return out.getvalue()


@pytest.fixture
def service(tmp_path):
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([question("q1"), question("q2")]), KeywordGrader(), patience_s=None) as made,
    ):
        made.journal = journal
        yield made


@pytest.fixture
def session(service):
    return service.start(Plan(question_ids=("q1", "q2"), follow_ups=0))


@pytest.fixture
def hears():
    return Hears()


@pytest.fixture
def room(service, hears, tmp_path):
    return VoiceRoutes(hears, SpeechCache(tmp_path / "speech"), service.state)


@pytest.fixture
def client(room):
    with TestClient(Starlette(routes=room.routes())) as made:
        yield made


def test_the_last_line_is_said_first_and_then_what_is_new(service, session):
    state = service.state(session)
    first = lines_after(state, "")
    assert len(first) == 1
    assert "What is q one?" in first[0].text
    assert lines_after(state, first[0].id) == ()
    service.answer(session, "alpha", "a1")
    after = lines_after(service.advance(session), first[0].id)
    assert after[0].id == "a1"
    assert "What is q two?" in after[-1].text
    assert lines_after(service.state(session), "unknown") == all_lines(service.state(session))[-1:]


def test_sentences_are_told_with_their_sounds(client, session):
    told = client.get("/voice/lines", params={"session": session}).json()
    assert "".join(piece["text"] for piece in told["pieces"]).endswith("What is q one?")
    sound = client.get(f"/{told['pieces'][-1]['sound']}")
    assert sound.content[:4] == b"RIFF"
    again = client.get("/voice/lines", params={"session": session, "heard": told["heard"]}).json()
    assert again["pieces"] == []


def test_an_interviewer_of_a_loop_speaks_with_their_own_voice(service, tmp_path):
    this = Round(kind=RoundKind.PHONE_SCREEN, interviewer="Ada", voice="am_michael")
    place = LoopPlace(id="loop", number=1, plan=LoopPlan(name="mine", rounds=(this,)))
    session = service.start(Plan(question_ids=("q1",), loop=place))
    asked = []

    class Speaks(SpeechCache):
        def sound(self, text, voice=""):
            asked.append(voice)
            return b"RIFF"

    room = VoiceRoutes(Hears(), Speaks(tmp_path / "speech"), service.state)
    with TestClient(Starlette(routes=room.routes())) as client:
        told = client.get("/voice/lines", params={"session": session}).json()
        client.get(f"/{told['pieces'][0]['sound']}")
    assert asked == ["am_michael"]


def test_what_is_said_at_once_is_the_beginning_of_what_is_said_of_the_answer(client, service, session):
    told = client.get("/voice/lines", params={"session": session}).json()
    assert client.get(f"/{told['first']['sound']}").content[:4] == b"RIFF"
    for answer in ("alpha", "a long one " * 60):
        state = service.state(session)
        first, last = said_at_once(state), lines_after(state, "")[-1].id
        service.answer(session, answer, answer[:9])
        assert sentences(lines_after(service.advance(session), last)[0].text)[0] == first


def test_in_the_warm_up_other_words_are_said_at_once_and_in_the_persons_own_part_none(service):
    talking = service.start(Plan(length=1, talks=True, follow_ups=0))
    warm_up = said_at_once(service.state(talking))
    assert warm_up in {sentences(phrase)[0] for phrase in fixed_phrases()}
    assert is_answer(service.state(talking), "I have been training a speech model.")
    service.answer(talking, "I have been training a speech model.", "w1")
    assert said_at_once(service.state(talking)) not in {"", warm_up}
    service.answer(talking, "alpha", "a1")
    state = service.advance(talking)
    assert state.segment.part is SegmentKind.THEIR_QUESTIONS
    assert said_at_once(state) == ""
    assert said_at_once(service.end(talking, "e1")) == ""


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("The gradient is added to what is there.", True),
        ("Could you repeat the question?", False),
        ("Give me a moment to think.", False),
        ("", False),
    ],
)
def test_what_is_a_request_is_not_taken_for_an_answer(client, hears, session, recording, said, answers):
    hears.transcript = hears.transcript.model_copy(update={"text": said})
    asked = {"session": session, "turn": "t", "so_far": "1"}
    got = client.post("/voice/hear", params=asked, content=recording, headers=HEADERS).json()
    assert got["answers"] is answers


def test_what_is_said_in_every_interview_is_known_ahead():
    phrases = fixed_phrases()
    assert len(phrases) > 40
    assert all(sentences(phrase) for phrase in phrases)


def test_nothing_is_made_ahead_while_somebody_talks(client, room, session, recording, monkeypatch):
    monkeypatch.setattr("interviewer.web.voice.routes.UNUSED_S", 600.0)
    made = []
    monkeypatch.setattr(room._speech, "prepare", lambda phrases, stop: made.extend(phrases))
    client.post("/voice/hear", params={"session": session, "turn": "t"}, content=recording, headers=HEADERS)
    stop = threading.Event()
    working = threading.Thread(target=room.prepare, args=(stop,))
    working.start()
    working.join(0.5)
    assert working.is_alive()
    stop.set()
    working.join(30)
    assert made == []
    monkeypatch.setattr("interviewer.web.voice.routes.UNUSED_S", 0.0)
    room.prepare(threading.Event())
    assert tuple(made) == fixed_phrases()


def test_nobody_makes_it_say_other_things(client):
    assert client.get("/voice/sound/0123456789abcdef").status_code == 404
    assert client.get("/voice/lines", params={"session": "unknown"}).status_code == 400


def test_what_was_heard_is_kept_beside_what_is_sent(client, service, room, session, recording):
    turn = turn_of(service.state(session))
    asked = {"session": session, "turn": turn}
    got = client.post("/voice/hear", params=asked, content=recording, headers=HEADERS).json()
    assert got["text"] == "requires_grad"
    assert got["problem"] == ""
    controller = PageController(service, service.journal, room.spoken)
    controller.act(session, turn, "answer", "It is requires_grad, alpha.")
    answer = next(event for event in service.journal.events(session) if isinstance(event, AnswerGiven))
    assert answer.text == "It is requires_grad, alpha."
    assert (answer.spoken.heard, answer.spoken.written) == ("requires grad", "requires_grad")
    assert answer.spoken.recordings == ()


def test_what_is_only_listened_to_so_far_is_not_kept(client, service, room, session, recording):
    turn = turn_of(service.state(session))
    asked = {"session": session, "turn": turn, "so_far": "1"}
    got = client.post("/voice/hear", params=asked, content=recording, headers=HEADERS).json()
    assert (got["over"], got["wait"]) == (False, 2.0)
    assert room.spoken(session, turn) is None


def test_what_was_recognized_while_it_grew_is_handed_on_and_then_forgotten(client, room, session, recording):
    asked = {"session": session, "turn": "t", "recording": "r1"}
    first = client.post("/voice/hear", params={**asked, "so_far": "1"}, content=recording, headers=HEADERS).json()
    assert first["text"] == "requires_grad"
    client.post("/voice/hear", params={**asked, "recording": "r2"}, content=recording, headers=HEADERS)
    client.post("/voice/hear", params=asked, content=recording, headers=HEADERS)
    heard = room._recognizer.transcript
    assert room._recognizer.befores == [NOTHING_YET, None, heard]
    assert room._growing._known == {}
    assert len(room.spoken(session, "t").words) == 4


def test_whoever_is_cut_short_goes_on_in_the_same_answer(service, session, recording, tmp_path):
    def cut_short(name, said):
        assert (name, said) == (session, "requires_grad")
        return service.silences.quiet(name, 1e3)

    room = VoiceRoutes(Hears(), SpeechCache(tmp_path), service.state, cut_short=cut_short)
    told = room.hear(session, turn_of(service.state(session)), recording, name="one", so_far=True)
    turn = turn_of(service.state(session))
    assert (told["cut"], told["over"]) == (turn, False)
    assert room.hear(session, turn, recording, name="one")["cut"] == ""
    assert room.spoken(session, turn) is not None


def test_a_recording_sent_twice_is_one_answer(service, session, recording, tmp_path, home):
    room = VoiceRoutes(Hears(), SpeechCache(tmp_path), service.state, keep=True)
    told = [room.hear(session, "t", recording, name="r1") for _ in range(2)]
    assert told[0] == told[1]
    assert len(room._recognizer.prompts) == 1
    assert room.spoken(session, "t").heard == "requires grad"
    assert len(list((home / "recordings" / session).iterdir())) == 1


def test_who_talks_while_somebody_else_is_followed_comes_again(room, session, recording):
    inside, leave = threading.Event(), threading.Event()
    transcribe = room._recognizer.transcribe

    def slowly(*given):
        inside.set()
        leave.wait(30)
        return transcribe(*given)

    room._recognizer.transcribe = slowly
    other = threading.Thread(target=room.hear, args=(session, "t", recording), kwargs={"name": "a", "so_far": True})
    other.start()
    assert inside.wait(30)
    waiting = room.hear(session, "u", recording, name="b", so_far=True)
    assert (waiting["text"], waiting["over"]) == ("", False)
    # What was said to its end does not wait for what is only followed.
    room._recognizer.transcribe = transcribe
    assert room.hear(session, "u", recording, name="b")["text"] == "requires_grad"
    leave.set()
    other.join()


def test_how_far_a_recording_is_can_be_asked(client, room, session, recording):
    asked = {"session": session, "turn": "t", "recording": "r1"}
    seen = []
    transcribe = room._recognizer.transcribe

    def telling(samples, prompt, progress, before):
        progress("recognizing", 0.4)
        seen.append(client.get("/voice/progress", params=asked).json())
        return transcribe(samples, prompt, progress, before)

    room._recognizer.transcribe = telling
    room.hear(session, "t", recording, name="r1")
    assert seen == [{"share": 0.4}]
    assert client.get("/voice/progress", params=asked).json() == {"share": None}


def test_only_the_recordings_heard_last_are_remembered():
    known = PartialRecordings(most=2)
    first = known.of(("s", "t", "1"))
    known.of(("s", "t", "2"))
    assert known.of(("s", "t", "1")) is first
    known.of(("s", "t", "3"))
    assert known.of(("s", "t", "1")) is first
    assert len(known._known) == 2


def test_a_form_of_another_page_is_refused(client, session, recording):
    assert client.post("/voice/hear", params={"session": session}, content=recording).status_code == 403


@pytest.mark.parametrize(
    ("session_id", "content", "status", "said"),
    [("", b"no sound", 400, "cannot be read"), ("unknown", b"", 400, "no interview")],
)
def test_what_cannot_be_heard_is_told(client, session, session_id, content, status, said):
    asked = {"session": session_id or session, "turn": "t"}
    got = client.post("/voice/hear", params=asked, content=content, headers=HEADERS)
    assert got.status_code == status
    assert said in got.json()["problem"]


def test_silence_and_a_missing_model_are_told_and_nothing_is_kept(client, room, session, recording):
    room._recognizer.transcript = Transcript(text="", duration=1.0)
    asked = {"session": session, "turn": "t"}
    got = client.post("/voice/hear", params=asked, content=recording, headers=HEADERS).json()
    assert "Nothing was heard" in got["problem"]
    assert room.spoken(session, "t") is None
    room._recognizer.transcript = None
    got = client.post("/voice/hear", params=asked, content=recording, headers=HEADERS)
    assert (got.status_code, got.json()["problem"]) == (503, "There is no recognizer.")


@pytest.mark.parametrize("keep", [True, False])
def test_a_recording_is_kept_only_where_the_person_wants_it(service, tmp_path, home, session, recording, keep):
    room = VoiceRoutes(Hears(), SpeechCache(tmp_path), service.state, keep=keep)
    room.hear(session, "t", recording)
    files = list((home / "recordings").rglob("*")) if (home / "recordings").exists() else []
    kept = [file for file in files if file.is_file()]
    assert [file.read_bytes() for file in kept] == ([recording] if keep else [])
    assert room.spoken(session, "t").recordings == tuple(str(file) for file in kept)


def test_the_recognizer_is_told_what_was_asked_and_not_what_is_right(client, room, session, recording):
    client.post("/voice/hear", params={"session": session, "turn": "t"}, content=recording, headers=HEADERS)
    told = room._recognizer.prompts[0]
    assert "autograd" in told
    assert "alpha" not in told
    assert "Secret" not in told


def test_what_a_person_chose_counts_before_what_the_command_says(service, tmp_path, home, session, recording):
    room = VoiceRoutes(Hears(), SpeechCache(tmp_path), service.state, keep=False)
    settings.change(home, {"keep_recordings": True, "pause_s": 6})
    told = room.hear(session, "t", recording)
    assert told["wait"] >= 6
    assert len(list((home / "recordings" / session).iterdir())) == 1
    settings.change(home, {"keep_recordings": False})
    room = VoiceRoutes(Hears(), SpeechCache(tmp_path), service.state, keep=True)
    room.hear(session, "u", recording)
    assert len(list((home / "recordings" / session).iterdir())) == 1


def test_the_chosen_voice_speaks_from_the_next_line_on(service, tmp_path, home, session):
    class Choir:
        engine, voices = "choir", {"low": "Low", "high": "High"}

        def sound(self, text, voice=""):
            return (voice or "own").encode()

        def prepare(self, phrases, stop=None):
            return 0

    room = VoiceRoutes(Hears(), Choir(), service.state)
    with TestClient(Starlette(routes=room.routes())) as client:

        def spoken():
            piece = client.get("/voice/lines", params={"session": session}).json()["pieces"][0]
            return client.get(f"/{piece['sound']}").content

        assert spoken() == b"own"
        settings.change(home, {"voice": "high"})
        assert spoken() == b"high"
        assert client.get("/voice/sample").content == b"high"

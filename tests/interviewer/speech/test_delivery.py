import pytest

from interviewer.speech.delivery import HUM_S, delivery, unwritten
from interviewer.speech.transcription import joined
from serving.speech.stt.transcript import Transcript, Word


def told(text, *, each=0.4, gaps=None, voiced=None):
    """Words of equal length one after the other; ``gaps`` are seconds of silence before the word of that place."""
    at, words = 0.0, []
    for place, word in enumerate(text.split()):
        at += (gaps or {}).get(place, 0.0)
        words.append(Word(text=word, start=at, end=at + each, probability=0.9))
        at += each
    return Transcript(text=text, words=tuple(words), voiced=voiced or (), duration=at + 0.5)


@pytest.mark.parametrize(
    ("text", "fillers"),
    [
        ("Um, I would, uh, lower it.", {"um": 1, "uh": 1}),
        ("It is, you know, the gradient.", {"you know": 1}),
        ("Do you know the gradient?", {}),
        ("I mean, it is the loss.", {"i mean": 1}),
        ("The mean I mean is this one.", {}),
        ("It is, like, slow.", {"like": 1}),
        ("It is like a queue.", {}),
        ("Umm. Erm, hmm.", {"um": 2, "hm": 1}),
    ],
)
def test_fillers_are_told_from_words(text, fillers):
    assert delivery(told(text)).fillers == fillers


@pytest.mark.parametrize(
    ("text", "restarts"),
    [
        ("The the loss goes down.", 1),
        ("I would, I would lower it.", 1),
        ("So we, so we, so we stop.", 2),
        ("It is the gra- gradient.", 1),
        ("I said that that is fine, very very fine.", 0),
        ("The, um, the loss", 1),
        ("Nothing is said twice here.", 0),
    ],
)
def test_restarts_are_words_said_again_at_once(text, restarts):
    assert delivery(told(text)).restarts == restarts


def test_pace_counts_words_from_the_first_to_the_last():
    spoken = delivery(told("one two three four five six seven eight nine ten", each=0.5))
    assert spoken.pace == pytest.approx(120)
    assert delivery(told("too few words")).pace == 0


def test_pauses_and_the_share_of_talking():
    spoken = delivery(told("before it comes a pause and after", each=0.5, gaps={4: 2.0}))
    assert (spoken.longest_pause, spoken.longest_pause_at, spoken.pauses) == (2.0, 2.0, 1)
    assert spoken.talking == pytest.approx(3.5 / 5.5, abs=0.01)


def test_hedging_is_counted_by_what_was_said():
    hedges = delivery(told("I think it is maybe the loss, I think, sort of.")).hedges
    assert hedges == {"i think": 2, "maybe": 1, "sort of": 1}


def test_voice_without_words_is_a_filler_that_was_not_written():
    said = told("it is the loss", gaps={2: 1.0}, voiced=((0.0, 0.8), (1.0, 1.5), (1.8, 2.6)))
    assert unwritten(said.words, said.voiced) == ((1.0, 1.5),)
    assert delivery(said).fillers == {"unwritten": 1}
    covered = told("it is the loss", voiced=((0.0, 1.6),))
    assert unwritten(covered.words, covered.voiced) == ()
    short = ((0.0, 0.8), (1.0, 1.0 + HUM_S - 0.05))
    assert unwritten(said.words[:2], short) == ()


def test_silence_is_described_too():
    nothing = delivery(Transcript(text="", duration=3.0))
    assert (nothing.words, nothing.pace, nothing.talking, nothing.fillers) == (0, 0, 0, {})


def test_recordings_one_after_the_other_are_one_answer():
    first, second = told("it is the loss"), told("and the gradient", voiced=((0.1, 1.2),))
    whole = joined((first, second))
    assert whole.text == "it is the loss and the gradient"
    assert whole.words[4].start == pytest.approx(first.duration)
    assert whole.voiced == ((pytest.approx(first.duration + 0.1), pytest.approx(first.duration + 1.2)),)
    assert whole.duration == first.duration + second.duration

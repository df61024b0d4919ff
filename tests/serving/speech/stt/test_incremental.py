"""What of a growing recording is settled, on made-up words."""

import pytest

from serving.speech.stt.incremental import (
    AFTER_S,
    completed,
    continued,
    loses,
    moved,
    says_more,
    settled,
    unwritten,
    without_echoes,
)
from serving.speech.stt.transcript import Transcript, Word


def heard(*pieces, language="en"):
    """Pieces of (text, start, end), each a stretch of voice whose words take the same time."""
    words = []
    for text, start, end in pieces:
        each = text.split()
        length = (end - start) / len(each)
        words += [
            Word(text=word, start=start + place * length, end=start + (place + 1) * length, probability=0.9)
            for place, word in enumerate(each)
        ]
    return Transcript(
        text=" ".join(word.text for word in words),
        words=tuple(words),
        voiced=tuple((start, end) for _, start, end in pieces),
        language=language,
        language_probability=0.95,
        duration=pieces[-1][2] + 0.5,
    )


def test_what_was_said_before_a_full_stop_is_settled_once_more_was_said():
    long_ago = settled(heard(("The loss goes down.", 0.0, 6.0), ("Then I stop early", 6.8, 12.0)))
    assert (long_ago.settled, long_ago.settled_words) == (pytest.approx(6.4), 4)
    just_now = settled(heard(("The loss goes down.", 0.0, 6.0), ("Then", 6.8, 6.8 + AFTER_S - 1)))
    assert (just_now.settled, just_now.settled_words) == (0.0, 0)


@pytest.mark.parametrize(
    ("text", "until", "pause", "cut"),
    [
        ("I would look at", 6.0, 0.8, False),
        ("I would look at", 13.0, 0.8, True),
        ("I would look at", 13.0, 0.3, False),
        ("I would look at", 21.0, 0.3, True),
        ("It is.", 2.0, 0.8, False),
        ("It is done then.", 6.0, 0.3, False),
    ],
)
def test_without_a_full_stop_it_takes_longer_and_without_a_pause_longer_still(text, until, pause, cut):
    found = settled(heard((text, 0.0, until), ("the gradient norm first", until + pause, until + pause + 6)))
    assert found.settled_words == (len(text.split()) if cut else 0)


def test_a_word_whose_time_reaches_into_the_pause_stays_on_its_side():
    said = heard(("The loss goes down.", 0.0, 6.0), ("Then I stop early", 7.0, 12.0))
    words = list(said.words)
    words[3] = words[3].model_copy(update={"end": 6.9})
    words[4] = words[4].model_copy(update={"start": 6.1})
    assert settled(said.model_copy(update={"words": tuple(words)})).settled_words == 4


def test_nothing_of_another_language_is_settled():
    said = heard(("Der Verlust sinkt.", 0.0, 6.0), ("Dann ist es gut", 6.8, 12.0), language="de")
    assert settled(said) == said
    assert settled(Transcript(text="", duration=3.0)).settled == 0.0


def test_what_is_settled_stays_as_it_was_and_only_the_rest_changes():
    first = settled(heard(("The loss goes down.", 0.0, 6.0), ("Then I stop early", 6.8, 12.0)))
    more = heard(("and then I stopped early.", 0.4, 6.0), ("Else it overfits very soon", 6.6, 12.0))
    words = [
        word.model_copy(update={"start": word.start + first.settled, "end": word.end + first.settled})
        for word in more.words
    ]
    grown = settled(continued(first, words, moved(more.voiced, first.settled), 19.0))
    assert grown.text == "The loss goes down. and then I stopped early. Else it overfits very soon"
    assert grown.words[:4] == first.words[:4]
    assert grown.voiced[0] == first.voiced[0]
    assert (grown.settled_words, grown.duration) == (9, 19.0)
    assert first.settled < grown.settled
    assert settled(grown) == grown


def test_a_sentence_that_is_left_out_is_noticed():
    before = heard(("The loss goes down and then it is over.", 0.0, 6.0), ("Then I stop", 6.8, 9.0))
    assert not loses(before, before.words)
    assert not loses(before, before.words[2:])
    assert loses(before, before.words[9:])
    assert not loses(Transcript(text="", duration=3.0), ())


def test_speech_without_words_is_found_at_the_end_and_in_between():
    said = heard(("I would scale the loss first.", 0.5, 3.0), ("Then it works. I think so.", 3.4, 6.0))
    assert unwritten(said.words, said.voiced) == ()
    assert unwritten(said.words[:6], said.voiced) == ((pytest.approx(3.0), 6.0),)
    assert unwritten(said.words[6:], said.voiced) == ((0.5, 6.0),)
    (gap,) = unwritten((*said.words[:2], *said.words[8:]), said.voiced)
    assert gap == (said.words[1].end, 6.0)
    assert unwritten((), said.voiced) == ((0.5, 6.0),)
    assert unwritten((), ()) == ()


def test_what_was_left_out_is_put_in_where_reading_again_gives_more():
    said = heard(("I would scale the loss first.", 0.5, 3.0), ("Then it works. I think so.", 3.4, 6.0))
    had = (*said.words[:2], *said.words[10:])
    (gap,) = unwritten(had, said.voiced)
    assert completed(had, said.words, gap) == said.words
    assert completed(had, said.words[2:], gap) == said.words
    assert completed(had, (), gap) == had
    assert completed(said.words, said.words[2:4], (said.words[1].end, 3.2)) == said.words


def test_silence_says_nothing_more():
    first = heard(("The loss goes down.", 0.0, 6.0))
    assert not says_more(first, first.voiced)
    assert not says_more(first, ())
    assert says_more(first, (*first.voiced, (6.6, 7.0)))
    assert says_more(first.model_copy(update={"duration": 6.0}), ((0.0, 6.1),))


def test_echoes_of_the_prompt_behind_a_sentence_are_left_out():
    told = [("All", 0.9), ("of", 0.9), ("it.", 0.9), ("nd,", 0.04), ("Then", 0.9), ("loss,", 0.05), ("twice.", 0.2)]
    words = [Word(text=text, start=at, end=at + 1, probability=sure) for at, (text, sure) in enumerate(told)]
    assert [word.text for word in without_echoes(words)] == ["All", "of", "it.", "Then", "loss,", "twice."]
    assert not list(without_echoes([]))

"""The person's stories: which answers are kept, which tellings are of one story, and what changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.engine.service import InterviewService
from interviewer.session.plan import Plan
from interviewer.storage.sqlite_journal import Journal
from interviewer.stories import phrases
from interviewer.stories.bank import changes, stories
from interviewer.stories.story import Story
from knowledge.model import Kind
from tests.interviewer.builders import KeywordGrader, Shelf, interview, question

LEAK = question(
    "leak",
    kind=Kind.BEHAVIORAL,
    topic="behavioral",
    keywords=("profiler", "alarm"),
    text="Tell me about a memory problem that you found and fixed.",
)
QUARREL = question(
    "quarrel",
    kind=Kind.BEHAVIORAL,
    topic="behavioral",
    keywords=("compromise",),
    text="Tell me about a disagreement with a colleague.",
)
FIRST = (
    "Last spring our ranking service at the shop grew by a few hundred megabytes every night until Kubernetes killed "
    "the pods. I compared snapshots and the profiler showed a list of losses that kept their graphs. I detached them."
)
AGAIN = (
    "In spring the ranking service of our shop grew by 300 megabytes a night and Kubernetes killed its pods before "
    "breakfast. I took snapshots, the profiler showed a list of losses holding on to their graphs, and I detached "
    "them. Since then an alarm tells us, and memory has stayed flat at 2 gigabytes."
)
OTHER = (
    "A colleague wanted to rewrite the tokenizer in Rust while I wanted to cache its results. We agreed on a trial of "
    "one week with real traffic, wrote down what would convince either of us, and found a compromise we both could own."
)


def told(*answers: tuple[str, str]) -> tuple[Story, ...]:
    """The story bank after interviews of one question each, in order."""
    by_id = {"leak": LEAK, "quarrel": QUARREL}
    return stories(
        {
            f"{place:032x}": interview((by_id[asked], [text]), begin=1_000.0 * place)
            for place, (asked, text) in enumerate(answers)
        }
    )


def test_tellings_of_one_story_are_one_story_whatever_the_words() -> None:
    (quarrel, leak) = told(("leak", FIRST), ("leak", AGAIN), ("quarrel", OTHER))
    assert [telling.text for telling in leak.tellings] == [FIRST, AGAIN]
    assert quarrel.latest.text == OTHER
    assert leak.id == leak.tellings[0].id


def test_another_story_to_the_same_question_is_another_story() -> None:
    assert len(told(("leak", FIRST), ("leak", OTHER))) == 2


def test_a_story_told_to_another_question_is_the_same_story_without_a_comparison_of_points() -> None:
    (story,) = told(("leak", FIRST), ("quarrel", AGAIN))
    (found,) = changes(story)
    assert (found.gained, found.lost) == ((), ())
    assert found.words > 0


def test_what_was_missing_is_kept_and_what_changed_is_told() -> None:
    (story,) = told(("leak", FIRST), ("leak", AGAIN))
    assert story.tellings[0].missing == ("The answer names alarm.",)
    (found,) = changes(story)
    assert (found.gained, found.lost, found.figures) == (("The answer names alarm.",), (), 2)
    lines = "\n".join(phrases.whole(story))
    assert "New since the version before: The answer names alarm." in lines
    assert "2 more figures" in lines
    assert "python app.py interview --question leak" in "\n".join(phrases.overview(story))
    assert told(("leak", AGAIN), ("leak", FIRST))[0].latest.missing == ("The answer names alarm.",)


def test_only_stories_are_kept_and_no_scraps() -> None:
    assert told(("leak", "I had one once.")) == ()
    assert stories({"a" * 32: interview((question("q"), [FIRST]))}) == ()
    assert told() == ()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InterviewService]:
    with (
        Journal(tmp_path / "journal.db") as journal,
        InterviewService(journal, Shelf([LEAK]), KeywordGrader(), patience_s=None) as made,
    ):
        yield made


def test_a_story_that_was_deleted_stays_away_and_the_answer_stays(service: InterviewService) -> None:
    session = service.start(Plan(question_ids=("leak",), length=1, follow_ups=0))
    service.answer(session, FIRST, "a1", literally=True)
    state = service.advance(session)
    assert state.ended is not None
    (story,) = stories({session: state})
    lasted = state.active_s
    for request in ("d1", "d1"):
        state = service.reviews.forget_story(session, story.latest.asked_id, request)
    assert stories({session: state}) == ()
    assert state.asked[0].answers[0].text == FIRST
    assert state.active_s == lasted

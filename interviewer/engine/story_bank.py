"""The person's story bank: the stories their interviews hold, one more told by typing, one taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interviewer.engine.review_service import ReviewService
from interviewer.planning.agenda import practice_plan
from interviewer.session.journal import EventJournal, is_session_id, new_session_id
from interviewer.session.reducer import fold
from interviewer.stories.bank import FEWEST_WORDS, stories
from interviewer.stories.story import Story
from interviewer.understanding.input_validation import clean_answer
from knowledge.model import Kind, Question
from serving.errors import BadInputError

if TYPE_CHECKING:
    from interviewer.engine.service import InterviewService


class StoryBank:
    """Holds what a person told.

    Args:
        journal: holds their interviews.
        reviews: takes a story out.

    """

    def __init__(self, journal: EventJournal, reviews: ReviewService) -> None:
        self._journal = journal
        self._reviews = reviews

    def all(self) -> tuple[Story, ...]:
        """Every story, the one told last first.

        Raises:
            StorageError: the journal cannot be read.

        """
        return stories({one.id: fold(self._journal.events(one.id)) for one in self._journal.sessions()})

    def story(self, story_id: str) -> Story:
        """The story of that id.

        Raises:
            BadInputError: there is none.
            StorageError: the journal cannot be read.

        """
        found = next((one for one in self.all() if one.id == story_id), None)
        if found is None:
            raise BadInputError(f"There is no story {story_id}.", hint="`stories` lists them with their ids.")
        return found

    def waiting(self) -> frozenset[str]:
        """The interviews with an answer whose marks are still to come, by id.

        Raises:
            StorageError: the journal cannot be read.

        """
        return frozenset(one.id for one in self._journal.sessions() if one.ungraded)

    def remove(self, story_id: str) -> None:
        """Take a story with all its tellings out; the interviews keep the answers.

        Raises:
            BadInputError: there is none of that id; nothing was changed.
            StorageError: the disk refused; some tellings may be left.

        """
        for telling in self.story(story_id).tellings:
            self._reviews.forget_story(telling.session_id, telling.asked_id, new_session_id())


def tell_story(service: InterviewService, question: Question, text: str, session_id: str) -> None:
    """Keep a story that the person typed, as the answer in an interview of that one question; it is graded as any.

    The same id again keeps it once.

    Args:
        service: holds the interview.
        question: the behavioral question that the story answers.
        text: the story.
        session_id: the interview's, new.

    Raises:
        BadInputError: the question is no behavioral one, the story is too short or too long, or the id is no
            interview's; nothing was stored.
        StorageError: the disk refused.

    """
    if question.kind is not Kind.BEHAVIORAL:
        raise BadInputError("This question does not ask for a story.", hint="Choose a behavioral question.")
    if not is_session_id(session_id):
        raise BadInputError("A story cannot be kept under this name.", hint="Reload the page and send it again.")
    said = clean_answer(text)
    words = len(said.split())
    if words < FEWEST_WORDS:
        raise BadInputError(
            f"A story needs at least {FEWEST_WORDS} words; this one has {words}.",
            hint="Say what happened, what you did, and how it turned out.",
        )
    plan = practice_plan((question.id,))
    plan = plan.model_copy(update={"follow_ups": 0, "level": question.level or plan.level})
    service.start(plan, session_id)
    begun = service.state(session_id).plan
    if begun is None or begun.question_ids != plan.question_ids:
        raise BadInputError("Another interview has this name.", hint="Reload the page and send the story again.")
    service.answer(session_id, said, "told", literally=True)
    service.end(session_id, "ended")

"""An utterance of the person, and what the rules make of it; each reading is made once, when it is asked for."""

from __future__ import annotations

import re
from typing import Protocol

from interviewer.lazy import lazy
from interviewer.text import sentences
from interviewer.understanding.closing_request import (
    FEWEST_WORDS,
    Closing,
    ClosingRequest,
    closing_request,
    finishes,
)
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import has_content, intent_of, leaves_too, leaves_whole_question
from interviewer.understanding.question_references import (
    QuestionReference,
    find_choice,
    find_reference,
    find_subject,
    without_name,
)
from interviewer.understanding.segment_cues import agrees, asks_to_finish
from interviewer.understanding.turn_parts import asks_only
from interviewer.understanding.turn_requests import (
    asks_first,
    asks_leave_to_go_on,
    asks_what_was_meant,
    asks_which_rather,
    ends_with_request,
    request_by_sentences,
    thinks_aloud,
    wants_a_moment,
    wish,
)
from interviewer.understanding.whole_turns.request import AS_INTENT, BESIDE_AN_ANSWER, Request, Wanted


class RequestReader(Protocol):
    """Reads wordings that no rule knows; ``interviewer.understanding.request_head.RequestHead`` is one."""

    def request(self, text: str) -> Intent | None:
        """What is asked for; ``None`` where it is likelier an answer."""
        ...

    def beside(self, sentence: str) -> Closing | None:
        """What a sentence says beside an answer; ``None`` where it is likelier a part of one."""
        ...

    def whole(self, text: str) -> Wanted | None:
        """What a turn wants, as a whole; ``None`` where nothing can be told."""
        ...


_AGAIN = re.compile(
    r"\b(?:can|could|would|will|may) (?:you|i)\b[^.?!]{0,20}\b(?:say|read|repeat|hear|give me|ask|tell me|have)\b"
    r"[^.?!]{0,30}\b(?:question|that one|the first one|the last one)\b[^.?!]{0,12}\b(?:again|once more)\b",
    re.IGNORECASE,
)
"""Asks for the question once more, whatever stands before it."""

_LEAVES_OUT = re.compile(
    r"\b(?:is it|would it be|is that|mind) (?:ok(?:ay)?|fine|all ?right|alright)? ?(?:with you )?if (?:i|we) "
    r"(?:don't|do not|didn't|skip|leave (?:that|this|it)|pass)\b(?: answer| take)?(?: on)?(?: (?:that|this|it))?"
    r"(?: (?:one|question))?(?: out| open| alone)?\W*$",
    re.IGNORECASE,
)
"""Asks leave not to answer."""

_LONGEST_PLEA = 20
_TELLS = re.compile(r"\b(?:asked|told|said|says|wondered|wrote)\b", re.IGNORECASE)

_NO_SUCH_STORY = re.compile(
    r"\b(?:never|no such|nothing|only (?:from|a|one)|not from work|can't think of)\b", re.IGNORECASE
)
"""Says that one has no story of the kind that is wanted, or only another."""

_TOLD_BEFORE = re.compile(
    r"^(?!.*\b(?:don't|do not|didn't|never|no idea|nothing)\b).*"
    r"(?:\b(?:as|like) i(?:'ve| have)?(?: already| just)? (?:said|told|mentioned|explained|wrote)\b"
    r"|\bi(?:'ve| have)?(?: already| just) (?:said|told|mentioned|answered|explained|covered)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""Says that one has told it, and not that one doesn't know it."""

_LONGEST_REASON = 14
"""Words of a sentence behind a question that say why it is asked."""

_TO_THEM = re.compile(r"\b(?:(?:do|did|are|were|would) you|should i|am i|shall i)\b[^.?!]*\?\s*$", re.IGNORECASE)
_ANSWERS_IT = re.compile(
    r"\W*(?:yes|no|yeah|nope|it|i|we|because|since|then|so|probably|maybe|not|the|that)\b", re.IGNORECASE
)


def _gives_a_reason(asked: str, said: str) -> bool:
    """Whether a sentence says why what stands before it is asked of the interviewer."""
    short = len(said.split()) <= _SHORTEST_ANSWER
    return short and _TO_THEM.search(asked) is not None and _ANSWERS_IT.match(said) is None


_MAY_ASSUME = re.compile(
    r"\W*(?:(?:so|and|but|okay|well|hm+|um+|uh+|sorry|first)[, ]+)*(?:before i \w+[^,?]{0,20}, )?"
    r"(?:can|could|may|should|shall) (?:i|we) (?:just |also |safely |then )*"
    r"(?:assume|suppose|presume|take it)\b[^?]*\?\W*",
    re.IGNORECASE,
)
"""Asks whether something may be assumed, and says nothing else."""
_ECHO = re.compile(r"\W*(?:okay|ok|alright|all right|right|sure|good|great|hm+)\b(?:,? [\w-]+){0,3}\W*", re.IGNORECASE)
"""What is said before that is no answer, as in "Okay, flow matching."."""
_SHORTEST_ANSWER = 7
_LONGEST_BESIDE = 70
"""Words of the longest turn that may be no answer."""

_WANTED_FIRST = (
    Closing.TIME,
    Closing.HELP,
    Closing.DONE,
    Closing.LATER,
    Closing.CASE,
    Closing.MEANT,
    Closing.TERM,
    Closing.FORMAT,
    Closing.CHECK,
    Closing.OFFER,
    Closing.SUBJECT,
    Closing.OPINION,
    Closing.FLOOR,
)
"""What a turn that is no answer wants, of several things the first one here."""

_ALONE = frozenset({Closing.TIME, Closing.FORMAT})
"""What a turn of one sentence is read for beside the requests that the head for whole turns knows."""

_RATHER = frozenset({Closing.DONE, Closing.HELP})
"""What a turn that asks something is taken for where its sentences say so, and none asks what is meant."""

_ON_WHAT_IS_ASKED = frozenset({Closing.MEANT, Closing.TERM, Closing.CASE, Closing.SUBJECT})

_WIDE = frozenset({Intent.ANSWER, Intent.CLARIFICATION, Intent.QUESTION})
"""What the rules take a turn for that they know nothing of: the reader of whole turns decides it."""

_BACK_TO_ANOTHER = re.compile(
    r"\b(?:return|go back|jump back|get back)\b[^.?!]{0,25}\bto (?:the|my|our|question)\b", re.IGNORECASE
)
_ONCE_MORE = re.compile(r"\b(?:once more|one more time|again|repeat)\b", re.IGNORECASE)
_OF_BEFORE = re.compile(
    r"\b(?:earlier|before|previous|last|first|other|ago|back|forgot|question|correct\w*|add)\b", re.IGNORECASE
)
"""Words of whoever adds to an answer that is behind them."""
_NAME_QUESTIONS = frozenset({Request.RETURN, Request.EARLIER})
_PAUSES = frozenset({Intent.THINKING, Intent.WAIT})
_SEVERAL, _SAYS_SOMETHING, _LONG_ANSWER = 2, 6, 12
"""Sentences, words of one, and words of a turn from which it may hold an answer."""

_SURELY = 0.9
_LIKELY, _SURELY_WANTED = 0.5, 0.7
"""Probabilities from which the reader of whole turns is believed where no rule knows the wording: where nobody else
says anything, and where another reader does."""

_MAY_BE_A_PAUSE = frozenset({Intent.ANSWER, Intent.CLARIFICATION, Intent.CHECK, Intent.QUESTION})

_AS_INTENT = {
    Closing.DONE: Intent.SKIP,
    Closing.HELP: Intent.HINT,
    Closing.LATER: Intent.LATER,
    Closing.CASE: Intent.CLARIFICATION,
    Closing.MEANT: Intent.CLARIFICATION,
    Closing.TERM: Intent.CLARIFICATION,
    Closing.CHECK: Intent.CHECK,
    Closing.OFFER: Intent.RESUME,
    Closing.SUBJECT: Intent.QUESTION,
    Closing.OPINION: Intent.QUESTION,
    Closing.FLOOR: Intent.THINKING,
}


class Utterance:
    """What a person said in one turn.

    Args:
        text: the words, cleaned.
        reader: asked where the rules take it for an answer or a clarification; without one the rules alone count.

    """

    def __init__(self, text: str, reader: RequestReader | None = None) -> None:
        self.text = text
        self._reader = reader
        self._known: dict[str, Closing | None] = {}

    def part(self, text: str) -> Utterance:
        """A part of it, read alone."""
        return Utterance(text, self._reader)

    @lazy
    def wanted(self) -> Wanted | None:
        """What it wants as a whole, as the reader has it; ``None`` where nothing can be told."""
        if self._reader is None:
            return None
        read = self._reader.whole(self.text)
        return Wanted(None, 0.0) if read is not None and self._holds_an_answer(read.request) else read

    def _holds_an_answer(self, request: Request | None) -> bool:
        """Whether one of several sentences is an answer, where the others only ask something about it."""
        parts = sentences(self.text)
        if request not in BESIDE_AN_ANSWER or len(parts) < _SEVERAL or self._reader is None:
            return False
        told = (self._reader.whole(part) for part in parts if len(part.split()) >= _SAYS_SOMETHING)
        return any(each is not None and each.request is None and each.chance >= _SURELY for each in told)

    @lazy
    def request(self) -> Request | None:
        """What it wants that is no answer; ``None`` where it is likelier one, or nothing can be told."""
        return self.wanted.request if self.wanted is not None else None

    @lazy
    def answers(self) -> bool:
        """Whether it surely is an answer that says something, whatever words of requests it holds."""
        said = self.wanted is not None and self.wanted.request is None and self.wanted.chance >= _SURELY
        return said and len(self.text.split()) >= _LONG_ANSWER and not self.text.rstrip().endswith("?")

    @lazy
    def intent(self) -> Intent:
        """What the person wants with it."""
        if asks_leave_to_go_on(self.text) or self._asks_to_leave_out:
            return Intent.SKIP if self._asks_to_leave_out else Intent.RESUME
        found = self._read(self.text)
        meant, chance = self._meant, self.wanted.chance if self.wanted is not None else 0.0
        by_wording = intent_of(self.text) not in _WIDE and found is not Intent.CORRECTION
        if meant is not None and chance >= (_LIKELY if found in _WIDE else _SURELY_WANTED) and not by_wording:
            return meant
        told = self._by_rules(found)
        if self.answers and told in _PAUSES:
            return Intent.ANSWER
        return meant if meant is not None and told is Intent.ANSWER else told

    @property
    def _asks_to_leave_out(self) -> bool:
        """Whether it asks leave not to answer, and tells nothing of somebody who asked so."""
        short = len(self.text.split()) <= _LONGEST_PLEA
        return short and _LEAVES_OUT.search(self.text) is not None and _TELLS.search(self.text) is None

    @property
    def _meant(self) -> Intent | None:
        """What the reader of whole turns takes it for, as an intent."""
        meant = AS_INTENT.get(self.request) if self.request is not None else None
        if meant is Intent.RETURN and self.reference is None and _ONCE_MORE.search(self.text):
            return Intent.REPEAT
        if meant is Intent.LATER and _BACK_TO_ANOTHER.search(self.text):
            return Intent.RETURN
        names_none = meant is Intent.EARLIER and self.reference is None and not _OF_BEFORE.search(self.text)
        return None if names_none else meant

    def _by_rules(self, found: Intent) -> Intent:
        """What a turn wants that was taken for this, by its form and its sentences."""
        if asks_which_rather(self.text) and found in {Intent.ANSWER, Intent.THINKING}:
            return Intent.CLARIFICATION
        if found in _MAY_BE_A_PAUSE and wants_a_moment(self.text):
            return Intent.THINKING
        if found is Intent.RETURN and self.reference is None and _AGAIN.search(self.text):
            return Intent.REPEAT
        found = ends_with_request(self.text, found, self._read)
        if found is Intent.CLARIFICATION and self.beside_alone in _RATHER and not self._sentences_ask:
            return self._of_none() or found
        return self._by_form() if found is Intent.ANSWER else found

    def _by_form(self) -> Intent:
        """What a turn wants that is taken for an answer as a whole."""
        if self.closing is not None and self.closing.kind is Closing.LATER and asks_only(self.text):
            return Intent.LATER
        if asks_what_was_meant(self.text) or asks_first(self.text):
            return Intent.CLARIFICATION
        if thinks_aloud(self.text):
            return Intent.THINKING
        return request_by_sentences(self.text, self._read) or self._of_none() or Intent.ANSWER

    @lazy
    def asks_before_answering(self) -> bool:
        """Whether at least half of its sentences are questions, and the last one asks about what was asked."""
        parts = sentences(self.text)
        asked = sum(part.endswith("?") for part in parts)
        if self._reader is None or not parts[-1].endswith("?") or len(self.text.split()) > _LONGEST_BESIDE:
            return False
        return 2 * asked >= len(parts) and self._beside(parts[-1]) in _ON_WHAT_IS_ASKED - {Closing.SUBJECT}

    @lazy
    def _sentences_ask(self) -> bool:
        """Whether one of its sentences asks about what was asked."""
        return not _ON_WHAT_IS_ASKED.isdisjoint(map(self._beside, sentences(self.text)))

    def _of_none(self) -> Intent | None:
        """The request of a turn of which no sentence is an answer."""
        return _AS_INTENT.get(self.beside_alone) if self.beside_alone is not None else None

    def _beside(self, sentence: str) -> Closing | None:
        """What the reader says of a sentence, asked once: a judge that is busy may be read without the next time."""
        if self._reader is not None and sentence not in self._known:
            self._known[sentence] = self._reader.beside(sentence)
        return self._known.get(sentence)

    def _read(self, text: str) -> Intent:
        *before, last = sentences(text)
        if _MAY_ASSUME.fullmatch(last) and (not before or _ECHO.fullmatch(" ".join(before))):
            return Intent.CLARIFICATION
        by_rules = intent_of(text)
        # Beside answers only what ends in a question mark is taken by so wide a rule that it may be something else.
        if by_rules not in {Intent.ANSWER, Intent.CLARIFICATION} or self._reader is None:
            return by_rules
        return self._reader.request(text) or by_rules

    @lazy
    def told_before(self) -> bool:
        """Whether it says anywhere that the person has told this."""
        return _TOLD_BEFORE.search(self.text) is not None

    @lazy
    def has_content(self) -> bool:
        """Whether it says more than what it asks for."""
        return has_content(self.text)

    @lazy
    def reference(self) -> QuestionReference | None:
        """The question that it names, if any."""
        found = find_reference(self.text)
        return found or (find_subject(self.text) if self.request in _NAME_QUESTIONS else None)

    @lazy
    def choice(self) -> QuestionReference | None:
        """The question that it chooses, where the person was asked which one is meant."""
        return find_choice(self.text)

    @lazy
    def leaves_open_question(self) -> bool:
        """Whether it says as well that the open question is to be left."""
        return leaves_too(self.text)

    @lazy
    def leaves_whole_question(self) -> bool:
        """Whether it says that the question is to be left, and not only its last follow-up."""
        return leaves_whole_question(self.text)

    @lazy
    def agrees(self) -> bool:
        """Whether it accepts an offer."""
        return agrees(self.text)

    @lazy
    def closing(self) -> ClosingRequest | None:
        """What it ends with beside the answer."""
        return closing_request(self.text, self.last_read)

    @lazy
    def offers_more(self) -> bool:
        """Whether it tells something, and ends by asking whether to go on."""
        before = " ".join(sentences(self.text)[:-1])
        offers = self.closing is not None and self.closing.kind is Closing.OFFER
        return offers and not asks_only(self.text) and _NO_SUCH_STORY.search(before) is None

    @lazy
    def last_read(self) -> Closing | None:
        """What its last sentence says beside an answer, as the reader has it; ``None`` where no answer is before it."""
        *before, last = sentences(self.text)
        if self._reader is None or sum(len(part.split()) for part in before) < FEWEST_WORDS:
            return None
        found = self._beside(last)
        explains = before[-1].endswith("?") and len(last.split()) <= _LONGEST_REASON and not self.answers
        if found in {None, Closing.REMARK} and explains:
            # "What's a KV cache, though? I never got it."
            found = self._beside(before[-1])
        return None if found is Closing.REMARK else found

    @lazy
    def beside_alone(self) -> Closing | None:
        """What a turn wants of which no sentence is an answer; ``None`` where one may be, or it wants nothing."""
        parts = sentences(self.text)
        if self._reader is None or len(self.text.split()) > _LONGEST_BESIDE:
            return None
        read = []
        for part, asked in zip(parts, ["", *parts], strict=False):
            read.append(kind := self._beside(part))
            # The model is not asked about what comes after a part of an answer.
            if kind is None and has_content(part) and not _gives_a_reason(asked, part):
                return None
        wanted = next((kind for kind in _WANTED_FIRST if kind in read), None)
        return wanted if len(parts) > 1 or (wanted in _ALONE and self.text.rstrip().endswith("?")) else None

    @lazy
    def ends_for_help(self) -> bool:
        """Whether it ends by asking for a hint."""
        if self.closing is not None:
            return self.closing.kind is Closing.HELP
        return intent_of(sentences(self.text)[-1]) is Intent.HINT

    @lazy
    def ends_for_repeat(self) -> bool:
        """Whether it ends by asking for what was asked once more."""
        *before, last = sentences(self.text)
        asks = _AGAIN.search(last) is not None or intent_of(last) is Intent.REPEAT
        return asks and sum(len(part.split()) for part in before) >= FEWEST_WORDS

    @lazy
    def wish(self) -> Intent | None:
        """The wish that it holds beside other words; see ``interviewer.understanding.turn_requests.wish``."""
        return wish(self.text)

    @lazy
    def asks_to_finish(self) -> bool:
        """Whether it asks that the open question be the last one."""
        return asks_to_finish(self.text)

    @lazy
    def finishes(self) -> bool:
        """Whether it says that the person is done with the question, and nothing else."""
        return finishes(self.text)

    @lazy
    def without_reference(self) -> str:
        """The words without those that name a question."""
        return without_name(self.text)

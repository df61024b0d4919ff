"""What an interviewer answers to a question about the requirements of a design. Pure.

A number that the question itself tells is read out, and so is what its entry holds for whoever asks; the rest the
person is to assume. Nothing of the criteria or the reference is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from interviewer.dialogue import open_choices, templates
from interviewer.session.design_round import DEEP_DIVE_ID, change_was_put, is_round
from interviewer.session.events import AnswerDeclined, AnswerGiven, ClarificationGiven, FollowUpAsked
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from interviewer.text import as_sentence, plain, sentences, wording
from interviewer.understanding.design_questions import (
    asked_at_end,
    asked_in,
    assumes_otherwise,
    estimates_or_lists,
    proposes,
)
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import intent_of
from interviewer.understanding.stop_words import EMPTY, stems
from interviewer.understanding.turn_requests import asks_what_was_meant
from interviewer.understanding.utterance import Utterance
from knowledge.model import Requirement
from rubric.model import DesignStage

_SHORTEST = 3
_MOST = 2
"""Statements that are told at most."""

_MOST_OF_LIST = 5
"""The same to whoever asks for more than ``_MOST`` things, by name."""

_NUMBER = (
    r"\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|half|hundred|thousand|million"
    r"|billion|trillion)"
)
_PER_TIME = r"\b(?:a|an|per|each) (?:second|minute|hour|day|week|month|working day)"

_SUBJECTS = tuple(
    (re.compile(rf"\b(?:{asked})\b"), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (
            r"latenc\w+|how (?:fast|quick|quickly|slow|late|soon)(?: \w+){1,3} (?:answer|respond|be|reply|come|decide)"
            r"|response times?|p9[59]|percentiles?|sl[ao]s?|milliseconds?",
            r"^(?!.*\bbatch\b).*(?:\bms\b|\bmilliseconds?\b|\bpercentile\b)",
        ),
        (
            r"(?:wrong|missed|bad|late|missing|false)(?: \w+){1,3} costs?"
            r"|costs? of (?:a|an|being) (?:wrong|missed|bad|late)",
            r"\b(?:missed|wrong\w*)\b.*\bdollars?\b",
        ),
        (r"prices?|how much (?:does|do|is|are)\b.*\b(?:cost|gpu|storage)|what does\b.*\bcost", r"\bdollars?\b"),
        (r"budget|limits? on cost|spend|money", r"^(?!.*\bms\b).*\b(?:budget|money)\b"),
        (r"peaks?", r"\bpeak\b"),
        (
            r"(?:requests?|queries|calls|predictions?|payments?|posts?) (?:per|a|each)|rps|qps|traffic|load"
            r"|throughput|how many (?:requests?|queries|calls|predictions?|payments?|posts?)",
            r"^(?!.*\b(?:card(?! payment)|core)\b).*(?:\b(?:requests?|queries|predictions?|payments?|posts|pages|turns"
            rf"|documents)\b.*{_PER_TIME}\b|\bpeak\b)",
        ),
        (
            r"how many (?:[\w-]+ ){0,3}?(?:users?|customers?|people|employees?|tenants?)"
            r"|number of (?:users|customers)|daus?|user base|how many of them",
            r"\b(?:users|customers|employees)\b",
        ),
        (r"fail|fails|failures?|crash\w*|outages?", r"\bfails?\b|\bfailures?\b"),
        (r"multi[- ]?regions?|regions?|zones?|data ?cent(?:er|re)s?", r"\bzones?\b|\bregions?\b"),
        (r"networks?|bandwidth|interconnect", r"\bnetwork\b"),
        (r"resolutions?|fps|frame ?rates?|frames? (?:per|a|each)", r"\d+p\b|\bpixels?\b|\bframes?\b"),
        (
            r"how many (?:[\w-]+ ){0,2}?(?:gpus?|cards?|machines?|nodes?)"
            r"|(?:what|which)(?: \w+)? (?:hardware|gpus?|cluster|cards?|machines?)|how big is the cluster",
            rf"{_NUMBER} (?:\w+ )?(?:GPUs|machines|cards|nodes)\b|\bhalf of the GPUs\b",
        ),
        (
            r"how (?:big|large) (?:is|are) (?:the|each|a|our) models?|model sizes?|parameters|params",
            r"\bparameters\b|\bmodel (?:has|takes)\b",
        ),
        (
            r"(?:how much|what|size of the|volume of|amount of) (?:\w+ )?(?:data|storage|text)"
            r"|data ?sets? (?:size|volume)",
            r"\b(?:petabytes|terabytes|trillion tokens)\b",
        ),
    )
)
"""What is asked about, and by what a clause is known that tells it; the first that fits counts."""

_COUNTED = re.compile(
    r"\bhow (?:many|much) (?:[\w-]+ ){0,2}?([\w-]+?)s?\b"
    r"(?= (?:do|does|did|are|is|can|will|would|should|must|per|a|in|of|on|at|come|comes|arrive|arrives|get|have|there"
    r"|each|every)\b|\W*$)"
)
_SAYS_NOTHING = re.compile(r"You may use these numbers:|Ask about whatever else you need\.")
_MAY_ASK = frozenset({Intent.ANSWER, Intent.CLARIFICATION, Intent.QUESTION})


def clarification(
    asked: AskedQuestion, plan: Plan, said: Utterance, request_id: str, *, at: datetime
) -> ClarificationGiven | None:
    """The event of a question about the requirements of a design, which changes nothing but is replied to.

    A design without a round has them where its entry does; once something of it is designed, a question that none of
    them answers is to be taken otherwise.

    Args:
        asked: the open question.
        plan: its seed chooses the words.
        said: what the person said.
        request_id: the event's id.
        at: when it was said.

    Returns:
        ``None`` where no such design is open, or the words are to be taken otherwise.

    """
    if not _has_requirements(asked):
        return None
    if _LIST_AGAIN.search(said.text) and (again := _told_so_far(asked)):
        return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=again)
    if said.intent not in _MAY_ASK or _wants_a_question(asked):
        return None
    on_words = said.intent is Intent.QUESTION and re.search(r"\byou\b", said.text, re.IGNORECASE) is not None
    if on_words or _MEANT_BY.search(said.text):
        return None
    questions = asked_in(said.text) or _asked_before_designing(asked, said.text)
    if not questions or not (is_round(asked.question) or _opens(asked) or _settles(asked, questions)):
        return None
    given = sum(isinstance(turn, ClarificationGiven) for turn in asked.turns)
    reply = requirements(asked, questions, given, plan.seed, words=said.text)
    return ClarificationGiven(id=request_id, at=at, asked_id=asked.asked_id, words=said.text, said=reply)


_MEANT_BY = re.compile(r"\bmean(?:t|s)? by\b", re.IGNORECASE)
"""Asks what words mean, which no fact of the case tells."""
_LIST_AGAIN = re.compile(
    r"\b(?:list|see|show|repeat|read|give|tell|have)\b[^.?!]{0,30}\b(?:constraints|requirements|numbers|facts)\b[^.?!]{0,40}"
    r"\b(?:again|once more|so far|(?:that )?you(?:'ve| have)? (?:gave|given|told))\b",
    re.IGNORECASE,
)
"""Asks for what was told of the requirements to be told again."""


def _told_so_far(asked: AskedQuestion) -> str:
    """The requirements that were told, in the order of the question; empty where none was."""
    told = " ".join(turn.said for turn in asked.turns if isinstance(turn, ClarificationGiven))
    return " ".join(each.said for each in asked.question.requirements if each.said in told)


_LONGEST_BEFORE = 80
"""Words of the longest turn that says back what was told, and asks on."""


def _asked_before_designing(asked: AskedQuestion, text: str) -> tuple[str, ...]:
    """What a turn ends by asking while nothing was designed yet: what stands before it says back what was told.

    A question may be no more than the names of what is asked for: "Peak requests per second, and the latency target?"
    """
    if not _opens(asked) or len(text.split()) > _LONGEST_BEFORE:
        return ()
    if found := asked_at_end(text):
        return found
    last = plain(sentences(text)[-1]) if text.strip() else ""
    named = last.endswith("?") and not proposes(text) and _facts_named(asked, last)
    return (last,) if named else ()


_PARTS_OF_A_LIST = re.compile(r"[,;:]|\b(?:and|or)\b")


def _facts_named(asked: AskedQuestion, question: str) -> tuple[str, ...]:
    """What is told to whoever lists things by name, in the order in which they are named."""
    named = []
    for part in _PARTS_OF_A_LIST.split(question):
        fits = {each.said: _fit(each, part) for each in asked.question.requirements}
        best = max(fits, key=lambda said: fits[said], default="")
        if best and fits[best]:
            named.append(best)
    return tuple(dict.fromkeys(named))


def _has_requirements(asked: AskedQuestion) -> bool:
    """Whether a design is open of which requirements are told: a round, or another whose entry holds some."""
    return is_round(asked.question) or bool(asked.question.requirements)


def _opens(asked: AskedQuestion) -> bool:
    """Whether nothing was designed yet."""
    return all(answer.unfinished for answer in asked.answers)


def _settles(asked: AskedQuestion, questions: Sequence[str]) -> bool:
    """Whether anything is told that answers one of these questions."""
    return any(each.shown or each.required for each in (_told(asked, question) for question in questions))


def told_beside(asked: AskedQuestion, text: str) -> str:
    """What is told to whoever ends an answer by asking for a requirement; empty where there is nothing to tell.

    Args:
        asked: the design.
        text: the answer.

    """
    if not _has_requirements(asked):
        return ""
    facts = dict.fromkeys(fact for each in asked_at_end(text) for fact in _told(asked, each).required)
    return " ".join(list(facts)[:_MOST])


def is_answer(asked: AskedQuestion, said: Utterance) -> bool:
    """Whether words in a design round are an answer that elsewhere would be taken for a question or a request.

    They are where the interviewer wants to know what one would ask or what one chooses, where a proposal is put as a
    question, and where only the fitted head takes statements, numbers, or what one would ask for a request: it has not
    read how a design is told.
    """
    if not is_round(asked.question) or asks_what_was_meant(said.text) or _ASKS_WHAT_WAS_MEANT.search(plain(said.text)):
        return False
    if said.intent in _MAY_ASK and _wants_a_question(asked):
        return True
    if said.intent is Intent.CLARIFICATION and proposes(said.text):
        return True
    if intent_of(said.text) is not Intent.ANSWER:
        return False
    states = said.intent in _MAY_ASK and not said.text.rstrip().endswith("?")
    return states or estimates_or_lists(said.text)


_LONGEST_CHOICE = 50
"""Words of the longest reply that chooses a part and asks something back instead of going into it."""


def only_chose(asked: AskedQuestion, said: Utterance) -> bool:
    """Whether somebody who was to choose a part and go into it has chosen, and asks how: there is more to come."""
    last = next((turn for turn in reversed(asked.turns) if isinstance(turn, FollowUpAsked | AnswerGiven)), None)
    short = len(said.text.split()) <= _LONGEST_CHOICE and said.text.rstrip().endswith("?")
    return isinstance(last, FollowUpAsked) and last.criterion_id == DEEP_DIVE_ID and short


_ASKS_WHAT_WAS_MEANT = re.compile(
    r"\b(?:what|how) (?:exactly )?(?:do|did) you mean\b(?: exactly)?\W*(?:$|[?.])"
    r"|^(?:\w+[, ]+){0,3}(?:do|did) you mean\b"
)


def requirements(asked: AskedQuestion, questions: Sequence[str], turn: int, seed: int, *, words: str = "") -> str:
    """What a design tells on what was asked; the rest is left to assume.

    Args:
        asked: the open design.
        questions: what the person asked, in lower case, one each.
        turn: how many such replies it got already.
        seed: the plan's.
        words: all that they said; the questions alone where it is left out.

    """
    words = words or " ".join(questions)
    found = [_told(asked, each) for each in questions]
    shown = list(dict.fromkeys(clause for each in found for clause in each.shown))[:_MOST]
    listed = [fact for each in questions for fact in _facts_named(asked, each)]
    best = (fact for each in found for fact in each.required[:1])
    fitting = dict.fromkeys([*listed, *best, *(fact for each in found for fact in each.required)])
    told = " ".join(turn.said for turn in asked.turns if isinstance(turn, ClarificationGiven))
    # What was told already is told again only where nothing else is asked for.
    required = [fact for fact in fitting if fact not in told] or list(fitting)
    if not shown and not required:
        return open_choices.left_open(words, turn, seed) or wording(templates.ASSUME, seed, turn)
    read_out = [wording(templates.CLARIFIED, seed, turn).format(sentence=" ".join(shown))] if shown else []
    lists = len(set(listed)) > _MOST
    most = max(1, (_MOST_OF_LIST if lists else _MOST) - len(shown))
    said = " ".join([*read_out, *required[:most]])
    if all(each.shown or each.required for each in found) and not (lists and len(required) > most):
        return said
    rest = templates.ASSUMED_WELL if assumes_otherwise(plain(words)) else templates.ASSUME_THE_REST
    return f"{said} {wording(rest, seed, turn)}"


class _Told(NamedTuple):
    """What answers a question on the requirements.

    Attributes:
        shown: clauses of the question's own text, as sentences.
        required: what is told to whoever asks for it, what fits best first.

    """

    shown: tuple[str, ...]
    required: tuple[str, ...]


def _told(asked: AskedQuestion, question: str) -> _Told:
    clauses = [clause for clause in _clauses(asked) if _decides(clause, question)]
    named = [clause for clause in clauses if _names(clause, question)][:1]
    fits = {each.said: _fit(each, question) for each in asked.question.requirements}
    required = sorted((said for said, fit in fits.items() if fit), key=lambda said: -fits[said])
    if not named and not required:
        title = _title(asked)
        loose = [clause for clause in clauses if clause not in title or not fits]
        named = [clause for clause in loose if len(_stems(question) & _stems(clause)) > 1][:1]
    return _Told(tuple(as_sentence(speakable(clause).strip(" ,;:")) for clause in named), tuple(required))


def _fit(requirement: Requirement, question: str) -> int:
    """How many words of a question name a requirement; 0 where it is not about it."""
    asked = stems(question, _LINKS)
    phrases = (stems(phrase, _LINKS) for phrase in requirement.about)
    return max((len(wanted) for wanted in phrases if wanted <= asked), default=0)


_LINKS = frozenset({"a", "an", "the", "of", "to", "in", "on", "for", "is", "are", "be", "do", "does"})
"""Words of a phrase that a question on the same need not have."""


def _wants_a_question(asked: AskedQuestion) -> bool:
    last = next((turn for turn in reversed(asked.turns) if isinstance(turn, FollowUpAsked | AnswerDeclined)), None)
    if last is None or asked.question.rubric is None:
        return False
    stages = {point.id: point.stage for point in asked.question.rubric.criteria}
    return last.criterion_id == DEEP_DIVE_ID or stages.get(last.criterion_id) is DesignStage.REQUIREMENTS


def _clauses(asked: AskedQuestion) -> list[str]:
    """What a round tells in numbers, clause by clause: a change of requirements first, the title last."""
    title = _title(asked)
    _, *numbers = re.split(r"\n\s*\n", _SAYS_NOTHING.sub("", asked.question.text))
    texts = [*([asked.question.change] if change_was_put(asked) else []), *numbers, title]
    parts = (part for text in texts for part in re.split(r";\s|(?<=[.?!])\s+", " ".join(text.split())))
    return [part for part in parts if re.search(_NUMBER, part, re.IGNORECASE) or part in asked.question.change]


def _title(asked: AskedQuestion) -> str:
    return " ".join(re.split(r"\n\s*\n", asked.question.text)[0].split())


def _names(clause: str, question: str) -> bool:
    """Whether a clause tells the very thing that is asked for: its subject, or how many there are of it."""
    told = next((told for asked, told in _SUBJECTS if asked.search(question)), None)
    if told is not None:
        return bool(told.search(clause))
    counted = _COUNTED.search(question)
    return counted is not None and bool(
        re.search(rf"{_NUMBER}[\w -]*? {re.escape(counted[1])}s?\b", clause, re.IGNORECASE)
    )


def _decides(clause: str, question: str) -> bool:
    """Whether a clause tells one side of an either-or from the other; of a question that is none it does."""
    put = open_choices.choice(question)
    if put is None:
        return True
    one, other, told = _stems(put.one), _stems(put.other), _stems(clause)
    return open_choices.tells_apart(one, other, told) or bool(one & other & told)


def _stems(text: str) -> frozenset[str]:
    """The words that a text is about without those of any question, and without numbers."""
    return frozenset(stem for stem in stems(text, EMPTY | _ASKING) if stem.isalpha() and len(stem) >= _SHORTEST)


_ASKING = frozenset(
    re.findall(
        r"\S+",
        """
        about allowed any assume can could exactly expect expected give given have kind know long make many may mean
        much must need numbers question say should some sort system tell use want what when where which will would
        """,
    )
)
"""Words of any question about requirements."""

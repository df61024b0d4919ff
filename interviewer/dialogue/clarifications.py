"""What an interviewer answers to a question about the task: what its text says, or that it doesn't say. Pure.

Only what the person was shown or told is read out: the question, the docstrings that they start from, and the last
follow-up. The reference is looked into, and never told: what it settles isn't called free to choose.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple

import Stemmer

from interviewer.dialogue import open_choices, templates, utterances
from interviewer.dialogue.follow_up_words import is_of_any_story
from interviewer.session.events import ClarificationGiven, FollowUpAsked, QuestionRepeated
from interviewer.session.follow_up_kinds import BESIDE_THE_POINT, FollowUpKind
from interviewer.session.plan import Plan
from interviewer.session.state import AskedQuestion
from interviewer.speech.speakable_text import speakable
from interviewer.text import as_sentence, wording
from interviewer.understanding import definition_requests
from interviewer.understanding.stop_words import EMPTY, stems
from interviewer.understanding.turn_parts import BY_IT_YOU_MEAN, compares_terms
from knowledge.bank.rewordings import FOLLOW_ON, reworded
from knowledge.model import Kind
from rubric.model import Criterion
from rubric.words import NUMBER_WORDS
from serving.syntax import python_tree

SETTLES = 0.39
"""Share of what a person asks about that a statement has to be about for it to be read out."""

SETTLES_SEVERAL = 0.25
"""The same of a task where it shares at least ``_SEVERAL`` words with what is asked."""

_SEVERAL = 3
_A_QUESTION_SETTLES = 0.5
"""The same for a statement that is a question itself: it settles only what it takes for granted."""

_LONGEST = 70
"""Words of what is read out."""

_SAME = (
    "dtype dtypes type types float16 float32 float64 bfloat16 double half",
    "shape shapes size sizes dimension dimensions dims length",
    "empty no any",
    "pad pads padding padded ignore ignored ignoring mask masked skip skipped",
    "change changed changes modify modified mutate mutated inplace place overwrite",
    "gradient gradients grad grads backward differentiable autograd",
    "raise raises error errors exception exceptions invalid",
    "device devices gpu gpus cuda cpu",
    "leaf leaves",
    "trainable frozen",
    "library libraries import imports allowed forbidden builtin",
    "output outputs result results return returns returned",
    "input inputs argument arguments given",
)
"""Words that people put in each other's place when they ask about a task."""


class _Statement(NamedTuple):
    """A statement that the person was shown or told.

    Attributes:
        said: the whole of it, fit to be said.
        about: the stems of what it is about.

    """

    said: str
    about: frozenset[str]


def clarification(asked: AskedQuestion, words: str, turn: int, plan: Plan) -> str:
    """The reply to what the person asks about the question: the statement that settles it, or that none does.

    Args:
        asked: the open question.
        words: what the person asked.
        turn: how many clarifications it got already.
        plan: its seed chooses the words, and it tells which form of the code is shown.

    """
    if asked.question.task is None and open_choices.choice(words) is None and (meant := _meant(asked)):
        return wording(templates.MEANT, plan.seed, turn).format(ask=meant)
    if asked.question.kind is Kind.BEHAVIORAL and (
        choices := open_choices.on_a_story(words, begun=bool(asked.answers))
    ):
        return wording(choices, plan.seed, turn)
    if asked.question.task is not None and not _on_a_point(asked) and _TALK_OR_WRITE.search(words):
        return wording(templates.WRITE_IT if plan.editor else templates.TALK_IT_THROUGH, plan.seed, turn)
    # Who tells a reading of theirs wants to know whether it is right, and not the question again.
    not_clear = not_understood(words) or (_WHAT_IT_MEANS.search(words) is not None and not _READS_AS.search(words))
    told = settled(asked, words, plan) if asked.question.task is not None or _OF_A_NUMBER.search(words) else ""
    other = in_other_words(asked) if not (told and asked.question.task is not None) else ""
    if told and not (not_clear and other):
        return wording(templates.CLARIFIED, plan.seed, turn).format(sentence=told)
    choices = _left_open(asked, words, turn, plan)
    of_facts = asked.question.kind is Kind.SYSTEM_DESIGN and _WANTS_FACTS.search(words) is not None
    if other and not of_facts and (not_clear or (asked.follow_ups and choices in _NO_HELP)):
        choices = tuple(each.format(ask=other) for each in templates.MEANT)
    return wording(choices, plan.seed, turn)


_NUMBERS = "|".join((*NUMBER_WORDS[2:], "hundred", "thousand", "million"))
_OF_A_NUMBER = re.compile(rf"\d|\b(?:{_NUMBERS}|how (?:many|much|big|large|long)|sizes?|lengths?)\b", re.IGNORECASE)
"""A question is said again, sentence by sentence, to whoever asks about a number alone: others have heard its words."""

_NO_HELP: tuple[Sequence[str], ...] = (templates.LEFT_OPEN, templates.AS_YOU_TAKE_IT, templates.EITHER_FINE)
"""Replies that leave it to the person what was asked."""


_WANTS_FACTS = re.compile(
    r"\b(?:constraints?|requirements?|numbers|budget|hardware|latency target|which metric"
    r"|how (?:many|much|big|large))\b",
    re.IGNORECASE,
)
"""In a design: asks for what is given, and not what the words of the question mean."""


def _left_open(asked: AskedQuestion, words: str, turn: int, plan: Plan) -> Sequence[str]:
    """The replies to what nothing settles that the person was shown or told."""
    story = asked.question.kind is Kind.BEHAVIORAL
    choices: Sequence[str] = templates.TELL_IT_YOUR_WAY if story else templates.LEFT_OPEN
    wanted = _stems(words)
    readings = _READINGS.search(words) is not None
    put = open_choices.whole(words)
    if (asked.question.task is None or _on_a_point(asked)) and open_choices.or_more(words):
        return templates.FIRST_AND_MORE
    answered = len(wanted & _stems(asked.question.reference)) > len(wanted) / 2
    in_design = asked.question.kind is Kind.SYSTEM_DESIGN
    open_to_choice = open_choices.left_open(words, turn, plan.seed, numbers=in_design)
    several = words.count("?") > 1
    may_assume = _ASSUMES.fullmatch(words.strip()) is not None and not several and not answered
    if may_assume and (asked.question.task is None or _on_a_point(asked)):
        return templates.ASSUME_IT
    if several and open_to_choice in templates.EITHER_FINE:
        # "Which one" would be wrong where several things were asked.
        choices = templates.LEFT_OPEN
    elif asked.question.task is not None and not _on_a_point(asked):
        either = templates.EITHER_IN_TASK if open_choices.choice(words) is not None else templates.IN_THE_TASK
        choices = templates.NOT_RULED_OUT if _MAY_USE.search(words) else either
    elif put is not None and open_choices.names_one(_asked_about(asked), _stems(put.one), _stems(put.other)):
        choices = templates.AS_NAMED
    elif _RULED_OUT.search(words):
        choices = templates.AS_YOU_TAKE_IT
    elif readings and put is not None and not several and not _CONFIRMS_AT_END.search(words):
        choices = templates.EITHER_READING
    elif open_to_choice and (in_design or not answered):
        return (open_to_choice,)
    elif asked.follow_ups or (_CONFIRMS.search(words) and not answered):
        choices = _on_a_reading(words, answered=answered and _on_a_point(asked))
    elif answered:
        choices = templates.AS_YOU_TAKE_IT if _SO_MEANT.search(words) else templates.PART_OF_THE_ANSWER
    return choices


def _on_a_reading(words: str, *, answered: bool) -> Sequence[str]:
    """The replies to whoever tells how they read what was asked, or asks about the subject itself."""
    if _OR_ANOTHER.search(words):
        return templates.EITHER_READING
    if _ON_THE_MEANING.search(_WHAT_IT_MEANS.sub(" ", words)) or _READS_AS.search(words):
        return templates.YES_MEANT_SO
    if _WHAT_IS_WANTED.search(words):
        return templates.EITHER_FINE
    return templates.ASKS_BACK_OPEN if answered else templates.AS_YOU_TAKE_IT


def _on_a_point(asked: AskedQuestion) -> bool:
    """Whether the last follow-up is on a point, which the text of the task says nothing on."""
    return bool(asked.follow_ups) and not asked.follow_ups[-1].about_run


def _asked_about(asked: AskedQuestion) -> frozenset[str]:
    """The stems of what was asked: the question and the last follow-up on it."""
    return _stems(f"{asked.question.text} {asked.question.spoken} {utterances.last_asked(asked)}")


def on_the_subject(asked: AskedQuestion, text: str) -> bool:
    """Whether it is asked what something means that nobody named, or whether it is the same as something else."""
    if compares_terms(text):
        return True
    things = definition_requests.compared(text) or definition_requests.defined(text)
    told = " ".join((asked.question.text, asked.question.spoken, *(each.said for each in asked.follow_ups))).lower()
    words = [word for thing in things for word in re.findall(r"[a-z0-9]{3,}", thing.lower()) if word not in EMPTY]
    return bool(words) and not any(word in told for word in words)


def reply_on_the_subject(asked: AskedQuestion, words: str, plan: Plan, turn: int) -> str:
    """The reply to whoever asks about the subject itself while a question on it is open; a story's is their own."""
    if asked.question.kind is not Kind.BEHAVIORAL:
        return wording(templates.ASKS_BACK_OPEN, plan.seed, turn)
    return wording(
        open_choices.on_a_story(words, begun=bool(asked.answers)) or templates.TELL_IT_YOUR_WAY, plan.seed, turn
    )


def _meant(asked: AskedQuestion) -> str:
    """The question behind a follow-up that took up the person's words without it; empty where it was asked itself."""
    last = asked.follow_ups[-1] if asked.follow_ups else None
    if last is not None and (last.kind in BESIDE_THE_POINT or is_of_any_story(last.said)):
        return ""
    points = asked.question.rubric.criteria if asked.question.rubric else ()
    probe = next((speakable(point.probe) for point in points if last and point.id == last.criterion_id), "")
    told = {turn.said for turn in asked.turns if isinstance(turn, ClarificationGiven | FollowUpAsked)}
    return "" if any(probe in said for said in told) else probe


def in_other_words(asked: AskedQuestion) -> str:
    """What was asked last, in other words; empty where there are none, or they were said already."""
    last, further = asked.follow_ups[-1] if asked.follow_ups else None, _goes_further(asked)
    if last is not None and not further and (last.kind in BESIDE_THE_POINT or not last.criterion_id):
        return ""
    if last is not None and is_of_any_story(last.said):
        return ""
    if last is None and asked.question.task is not None:
        return ""
    said = speakable(reworded(asked.question, FOLLOW_ON if further else last.criterion_id if last else ""))
    told = {turn.said for turn in asked.turns if isinstance(turn, ClarificationGiven | QuestionRepeated)}
    return "" if any(said in each for each in told) else said


def named_point(asked: AskedQuestion, words: str) -> Criterion | None:
    """The point that somebody names who asks for a hint, by two words at least and more than any other; else ``None``.

    Args:
        asked: the open question.
        words: how they asked.

    """
    about = stems(words)
    points = asked.question.rubric.criteria if asked.question.rubric else ()
    shared = [(len(about & stems(f"{point.text} {point.probe}")), point) for point in points]
    most = max((count for count, _ in shared), default=0)
    best = [point for count, point in shared if count == most]
    return best[0] if most > 1 and len(best) == 1 else None


def further_in_other_words(asked: AskedQuestion) -> str:
    """What takes the question further, in other words, where that was asked last; empty where it was not."""
    return in_other_words(asked) if _goes_further(asked) else ""


def _goes_further(asked: AskedQuestion) -> bool:
    """Whether the last follow-up is the question's own that takes it further."""
    own = speakable(asked.question.follow_on)
    last = asked.follow_ups[-1] if asked.follow_ups else None
    return last is not None and last.kind is FollowUpKind.DEPTH and bool(own) and own in last.said


def not_understood(words: str) -> bool:
    """Whether somebody says that they do not understand what was asked, or wants it said in another way."""
    return _NOT_UNDERSTOOD.search(words) is not None


def settled(asked: AskedQuestion, words: str, plan: Plan) -> str:
    """The statement that answers what the person asks about the question; empty where none does.

    Args:
        asked: the open question.
        words: what the person asked.
        plan: tells which form of the code is shown.

    """
    wanted, put = _stems(words), open_choices.choice(words)
    statements = list(dict.fromkeys(_shown(asked, plan)))
    times = Counter(stem for each in statements for stem in each.about)

    def weight(stems: frozenset[str]) -> float:
        return sum(log(1 + (1 + len(statements)) / (1 + times[stem])) for stem in stems)

    def share(each: _Statement) -> float:
        return weight(wanted & each.about) / weight(wanted)

    # A number that only one statement gives tells which one is asked about.
    numbers = {stem for stem in wanted if stem.isdigit() and times[stem] == 1 and not _WHAT_IS_WANTED.search(words)}

    def needed(each: _Statement) -> float:
        if each.said.endswith("?"):
            return _A_QUESTION_SETTLES
        # Whoever explains what they ask of a task names more than one statement is about.
        several = asked.question.task is not None and len(wanted & each.about) >= _SEVERAL
        if each.about & numbers:
            return 0.0
        return SETTLES_SEVERAL if several else SETTLES

    fitting = [
        each
        for each in statements
        if wanted
        and len(each.said.split()) <= _LONGEST
        and (each.about & numbers or _decides(put, each))
        and (not wanted & _DECIDING or wanted & _DECIDING & each.about)
        and share(each) >= needed(each)
    ]
    return max(fitting, key=share).said if fitting else ""


def _decides(put: open_choices.Choice | None, statement: _Statement) -> bool:
    """Whether a statement tells one side of an either-or from the other; of one that asks something else it does."""
    if put is None:
        return True
    return open_choices.tells_apart(_stems(put.one), _stems(put.other), statement.about)


def _shown(asked: AskedQuestion, plan: Plan) -> Iterator[_Statement]:
    """What the person was shown or told, statement by statement: the text of the task first."""
    for text in (asked.question.text, *_docstrings(asked, plan)):
        for statement in _statements(text):
            # A call names everything and settles nothing.
            yield _Statement(
                as_sentence(_LOOSE_COMMA.sub(r"\1", speakable(statement))), _stems(_CALL.sub(" ", statement))
            )
    last = asked.follow_ups[-1] if asked.follow_ups else None
    # What a test showed may be mended by now.
    of_a_run = last is not None and last.kind is FollowUpKind.EXECUTION
    for said in (asked.question.spoken, *(() if of_a_run else (utterances.last_asked(asked),))):
        for statement in _statements(said):
            yield _Statement(as_sentence(speakable(statement)), _stems(statement))


def _docstrings(asked: AskedQuestion, plan: Plan) -> Iterator[str]:
    """The docstrings of the code that the person starts from."""
    task = asked.question.task
    if task is None:
        return
    try:
        tree = python_tree(task.starting_code(plan.starter))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def _statements(text: str) -> list[str]:
    """The sentences of a text without its code blocks; an item of a list, a heading, and a paragraph begin anew."""
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)]|#+)\s)", _FENCE.sub("\n\n", text))
    return [
        sentence
        for block in blocks
        for sentence in re.split(r"(?<=[.?!:])\s+(?=[A-Z`\d(*])", " ".join(block.split()))
        if len(re.findall(r"[a-z]{2,}", sentence)) > 1
    ]


def _stems(text: str) -> frozenset[str]:
    """The stems of what a text is about, one for all the words that are put in each other's place."""
    words = re.findall(r"[a-z]+\d*|\d+", text.lower().replace("in-place", "inplace").replace("_", " "))
    about = {word for word in words if word not in _ASKING and (word not in EMPTY or word in _FAMILY) and len(word) > 1}
    # A stemmer is not safe to share between threads, and quickly made.
    stemmer = Stemmer.Stemmer("english")
    return frozenset(_FAMILY.get(word) or stemmer.stemWord(word) for word in about)


_FAMILY = {word: family.split()[0] for family in _SAME for word in family.split()}
_DECIDING = frozenset({"dtype", "empty", "pad", "change", "gradient", "raise", "device", "trainable"})
"""Families that say what is asked of a thing: a statement on the thing that has none of those asked settles nothing."""

_FENCE = re.compile(r"(```|~~~).*?(\1|\Z)", re.DOTALL)
_LOOSE_COMMA = re.compile(r"\s*,\s*([;:.,])")
"""What spoken parentheses leave before a sign."""

_CALL = re.compile(r"`[^`\n]{1,80}\([^`\n]*\)`")
_MAY_USE = re.compile(
    r"\b(?:allowed|permitted|can i|may i|could i|okay|ok|fine|am i)\b.*\b(?:use|call|import)\b", re.IGNORECASE
)
"""Asks whether something may be used."""

_ASSUMES = re.compile(
    r"(?:(?:so|and|okay|ok|well|hm+|um+|uh+|sorry|just to be sure|quick question)[,:. ]+)*"
    r"(?:can|may|could) i (?:just |also |safely )*(?:assume|suppose|presume|take it) (?!.*\bor\b)"
    r"(?=.*\b(?:gpus?|machines?|nodes?|cards?|disks?|network|hardware|budget|data|dataset|users?|traffic|scratch"
    r"|pretrained|(?:de|en)coder|(?:simple|simplest|standard|usual) (?:version|case|form)"
    r"|single|only|plain|vanilla|no|without|fixed|enough)\b)\w[^?]*\?\W*",
    re.IGNORECASE,
)
"""Asks whether something of the setting may be assumed; what is claimed of the subject gets no leave."""
_SO_MEANT = re.compile(rf"\b{BY_IT_YOU_MEAN}", re.IGNORECASE)
"""Says how a word of the question is read, and wants to know whether that is right."""

_CONFIRMS = re.compile(r"\byou mean\b|\bi (?:suppose|assume|take it|presume)\b|,? (?:right|correct)\?", re.IGNORECASE)
"""Wants a reading confirmed."""
_OR_ANOTHER = re.compile(
    r"\b(?:mean|meant|asking|after|want)\b[^?]*\bor\b(?! (?:something|anything|what|so|not|no|am i)\b)[^?]*\?\W*$",
    re.IGNORECASE,
)
"""Asks which of two readings is meant."""
_WHAT_IS_WANTED = re.compile(
    r"\b(?:do|would|are|did) you (?:want|like|looking|after|asking|interested|need)\b|\byou(?:'d| would) like\b",
    re.IGNORECASE,
)
_ON_THE_MEANING = re.compile(
    r"\byou (?:mean|meant)\b|\byou(?:'re| are| were) (?:asking|after|looking)\b", re.IGNORECASE
)
"""Tells how the question is read. A statement with "right?" behind it gets no yes: nobody has checked it."""
_NOT_UNDERSTOOD = re.compile(
    r"\b(?:simpler|simply|differently|rephras\w*|reformulat\w*|reword\w*|clearer|other words|another way|confus\w*"
    r"|(?:don't|didn't|do not|did not|can't|couldn't) (?:\w+ )?(?:understand|follow)"
    r"|not (?:\w+ )?sure (?:i understand|what (?:you|that|this|it))"
    r"|(?:don't|didn't|do not|did not) (?:\w+ )?get (?:the question|what you))\b",
    re.IGNORECASE,
)
_WHAT_IT_MEANS = re.compile(
    r"\b(?:what|how|which|who) (?:[\w']+ ){0,3}?(?:do|did|are) you (?:mean|meant|asking|after|looking)\b", re.IGNORECASE
)
"""Asks what is meant, and tells no reading of it."""
_READS_AS = re.compile(r"\?\s+(?:so |you mean )?(?:like|as in|such as|for example|say)\b[^?]*\?\W*$", re.IGNORECASE)
"""Guesses at what is meant: "What do you mean by variety? Like different words?"."""
_TALK_OR_WRITE = re.compile(
    r"\b(?:talk|explain|describe|discuss|say)\w*\b[^?]*\bor\b[^?]*\b(?:writ|cod|typ|editor|implement|submit)"
    r"|\b(?:write|code|type|implement)\b[^?]*\bor\b[^?]*\b(?:talk|explain|describe|discuss)"
    r"|\b(?:should|shall|must|want me to|have to|need to)\b[^?]{0,9}\b(?:write|type) (?:it |all )*(?:out|down"
    r"|(?:the|this|that|all|my)(?: whole| full| entire)? (?:class|function|code|program|solution))\b[^?]*\?",
    re.IGNORECASE,
)
_CONFIRMS_AT_END = re.compile(r"\b(?:right|correct|something else|anything else)\?\W*$", re.IGNORECASE)
"""Names one reading only, with another that is denied or left open."""

_RULED_OUT = re.compile(
    r"\bmean(?:s|ing)? (?:that )?(?:i(?:'m| am)|we(?:'re| are)|there(?:'s| is)) (?:not|no)\b"
    r"|\b(?:am i|are we) not (?:allowed|supposed)\b|\bwithout any\b[^?]*\bor\b",
    re.IGNORECASE,
)
"""Asks whether something is ruled out, which "both" is no reply to."""

_READINGS = re.compile(
    r"\b(?:mean|meant|want|asking|talking|interested|after|thinking|clarify|referring)\b[^.?!]{3,160}\bor\b"
    r"|\bwhich \w+(?: \w+)? do you mean\b.*\bor\b",
    re.IGNORECASE,
)
"""Asks which of two readings is meant."""

_ASKING = frozenset(
    re.findall(
        r"\S+",
        """
    ask asking assume clarify code could do does exactly function happen happens have if just know like mean need one or
    question should sorry so supposed task this that want was what when where which will with would write your you am
    can may must there treat treated handle handled right case cases ones
    """,
    )
)
"""Words of any question about a task."""

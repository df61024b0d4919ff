"""The person's own words within a follow-up: which of them, and how many. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from interviewer.dialogue import templates
from interviewer.session.events import AnswerGraded, NearestWords
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.state import AskedQuestion
from interviewer.understanding.clauses import clause_starts
from interviewer.understanding.stop_words import EMPTY, stems
from rubric.grading.evidence import END, sentences
from rubric.model import Criterion, Verdict

_MOST_WORDS = 14
"""Words of a piece that is cut out of a sentence."""

_MOST_OF_A_SENTENCE = 30
"""Words of a sentence that is quoted whole: longer than this, it is no longer a reminder but a recital."""

_FEWEST_WORDS = 4
_SPEAKABLE = frozenset(" ,;:'’-")
_FILLERS = re.compile(
    r",?\s*(?<!['’])\b(?:u[hm]+|er+m?|hm+|mhm|you know|i mean|sort of|kind of)\b(?!['’]),?", re.IGNORECASE
)
_STUTTER = re.compile(r"\b(?!that\b|had\b)(\w+(?: \w+)?)(?:,? \1\b)+", re.IGNORECASE)
_LEADS_IN = re.compile(
    r"^(?:(?:and|but|so|or|because|also|then|well|okay|right|which|that)\b(?!['’])[\s,]*)+", re.IGNORECASE
)
"""Words that only lead up to a clause; "that's" is its beginning, and no such word."""

_SUBORDINATE = frozenset(
    {"since", "if", "when", "while", "as", "although", "though", "unless", "for", "after", "before"}
)
_COORDINATORS = frozenset({"and", "but", "so", "or", "because", "also", "then", "well", "okay", "right"})
"""Words that may be left out before a clause that stands alone."""

_PRONOUNS = frozenset({"i", "you", "we", "they", "he", "she", "it", "there"})
_DETERMINERS = frozenset(
    {"the", "a", "an", "this", "that", "these", "those", "its", "their", "my", "our", "your", "each", "every", "all"}
)
_VERB = re.compile(
    r"(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|should|gets?|got|keeps?|kept|takes?"
    r"|took|makes?|made|needs?|holds?|held|stays?|goes|went|comes?|came|runs?|ran|uses?|used|adds?|divides?|multiplies"
    r"|computes?|stores?|frees?|copies|depends?|means?|becomes?|returns?|works?|gives?|grows?|grew|fits?|costs?|reads?"
    r"|writes?|wrote|sees?|saw|fails?|sends?|sent|waits?|starts?|stops?|changes?|lets?|shrinks?|dominates?)(?:n['’]t)?",
    re.IGNORECASE,
)
"""Common verbs: after a determiner, one of them shows that a clause follows, and not the next item of a list."""

_LEADS_ON = frozenset(
    {"within", "into", "onto", "between", "without", "per", "via", "around", "during", "until", "since"}
)
"""Words that no part ends with."""

_JOINS = frozenset({"because", "since", "which", "and", "but", "so", "where", "while", "whereas", "although"})


def quotation(criterion: Criterion, graded: AnswerGraded | None) -> str:
    """The person's own words that bear on a criterion, as ``excerpt`` has them; empty where none do.

    It is the clause that the sentence encoder found nearest, where it is clear which one that is. Where the encoder
    read nothing, it is chosen among the evidence by the words that it shares with the point. Words that have nothing
    to do with the question they are said before would only puzzle.

    Args:
        criterion: what the follow-up is on.
        graded: the mark, and the words nearest to each point.

    """
    if graded is None:
        return ""
    said = graded.graded_text
    if any(near.criterion_id == criterion.id for near in graded.nearest):
        return quote_near(criterion, said, graded.nearest)
    verdict = next((each for each in graded.grade.criteria if each.id == criterion.id), None)
    about = stems(" ".join((criterion.text, criterion.probe, *criterion.examples.met)))
    return max(
        (
            quote
            for span in (verdict.evidence if verdict else ())
            for place in _parts(said, *span)
            if (quote := excerpt(said, place)) and about & stems(quote)
        ),
        key=lambda quote: len(about & stems(quote)),
        default="",
    )


def quote_near(criterion: Criterion, said: str, nearest: Sequence[NearestWords]) -> str:
    """The words that the sentence encoder found nearest to a criterion, as ``excerpt`` has them.

    Empty where there are none, and where another sentence comes about as near.

    Args:
        criterion: what the follow-up is on.
        said: all that was said.
        nearest: of each criterion its nearest words.

    """
    near = next((each for each in nearest if each.criterion_id == criterion.id), None)
    return excerpt(said, near.span[0]) if near is not None and near.clear else ""


def excerpt(said: str, place: int) -> str:
    """What stands between quotation marks where the words at a place are quoted; empty where they cannot be.

    A sentence that is short enough is quoted whole. Of a long one it is the clause at the place, after an ellipsis, and
    only where that has a subject of its own: "… multiplies it by the incoming gradient" is nobody's sentence. The first
    words of a long sentence are not quoted: what is meant may follow them.

    Args:
        said: all that was said.
        place: where the words begin that are meant, in characters.

    """
    start = max((match.end() for match in END.finditer(said) if match.end() <= place), default=0)
    end = min((match.start() for match in END.finditer(said) if match.start() > place), default=len(said))
    whole = clause(said[start:end], _MOST_OF_A_SENTENCE)
    if whole and _reaches_end(whole, said[start:end]):
        return _as_sentence(whole, end="?" if said[start:end].endswith("?") else ".")
    words = said[place:end] if place > start else ""
    if own := _clause_alone(words):
        return f"… {own}{'.' if _reaches_end(own, words) else ' …'}"
    return ""


def _as_sentence(words: str, *, end: str) -> str:
    return f"{words[0].upper()}{words[1:]}{end}"


def _reaches_end(piece: str, sentence: str) -> bool:
    """Whether a piece goes on to the last word of a sentence."""
    last = re.findall(r"\w+", sentence)[-1:]
    return bool(last) and re.findall(r"\w+", piece)[-1:] == last and len(piece) > len(sentence) / 2


def _clause_alone(words: str) -> str:
    """The clause that a text begins with, without the word that joins it to what was before; empty where it has none.

    It begins with a pronoun, or with a determiner and has a verb.
    """
    rest = words.split()
    while rest and rest[0].lower().strip(",") in _COORDINATORS:
        rest = rest[1:]
    piece = clause(" ".join(rest)) if rest else ""
    low = piece.lower().split()
    if len(low) < _FEWEST_WORDS or low[0] != rest[0].lower().strip(","):
        return ""
    has_verb = any(_VERB.fullmatch(word.strip(",")) for word in low[2:])
    return piece if low[0] in _PRONOUNS or (low[0] in _DETERMINERS and has_verb) else ""


def _parts(said: str, start: int, end: int) -> list[int]:
    """Where the clauses of a passage begin."""
    passage = said[start:end]
    return [start + begin for span in sentences(passage) for begin in clause_starts(passage, span)]


def clause(text: str, most: int = _MOST_WORDS) -> str:
    """The longest beginning of a text that is short enough to be quoted and stops where one may stop.

    Args:
        text: what was said.
        most: words up to which it need not be cut.

    """
    fluent = _STUTTER.sub(_once, _FILLERS.sub(_between, " ".join(text.split()))).strip(" ,")
    words = _LEADS_IN.sub("", fluent).split()
    best = words if len(words) <= most else words[: _end(words)]
    quote = " ".join(best).strip(" ,.;:!?-\"'")
    speakable = all(character.isalnum() or character in _SPEAKABLE for character in quote)
    return quote if speakable else ""


def _once(stutter: re.Match[str]) -> str:
    """What was said twice, once; but "more workers, more workers are better" says two things."""
    meant = "," in stutter[0] and not all(word.lower() in EMPTY for word in stutter[1].split())
    return stutter[0] if meant else stutter[1]


_OF_A_KIND = re.compile(r"\b(?:kind|sort) of\b", re.IGNORECASE)
_COUNTED = _DETERMINERS | frozenset({"any", "no", "some", "what", "which", "one", "another", "same", "different"})
"""Words before "kind of" by which it is no filler: "every new kind of fault"."""


def _between(filler: re.Match[str]) -> str:
    """What stays of a filler: a comma, where one stood on either side and the word before can end a part."""
    before = filler.string[: filler.start()].split()
    if _OF_A_KIND.search(filler[0]) and not _COUNTED.isdisjoint(word.lower() for word in before[-2:]):
        return filler[0]
    parts = filler[0].startswith(",") and filler[0].endswith(",")
    return "," if parts and before and before[-1].lower() not in EMPTY | _LEADS_ON else ""


def _end(words: list[str]) -> int:
    """How many words may be quoted; 0 where they cannot be cut without leaving something hanging."""
    within = range(_FEWEST_WORDS, _MOST_WORDS + 1)
    stops = [count for count in within if words[count - 1][-1] in ",;:.!?"]
    if words[0].lower() in _SUBORDINATE:
        # Up to the first comma it is only half of a sentence.
        stops = stops[1:]
    joins = [
        count
        for count in within
        if words[count].lower() in _JOINS and words[count - 1].strip(",").lower() not in _JOINS
    ]
    return max(stops, default=0) or max(joins, default=0)


def which_part(asked: AskedQuestion, before: datetime | None = None) -> str:
    """The sentence that the last follow-up doubts, where the judge is sure; else that nothing was called wrong.

    Args:
        asked: the open question.
        before: when the person asked; ``None`` for now.

    """
    points = {point.id: point for point in (asked.question.rubric.criteria if asked.question.rubric else ())}
    last = next((each for each in reversed(asked.follow_ups) if before is None or each.at < before), None)
    if last is None or last.kind is not FollowUpKind.CONTRADICTION or last.criterion_id not in points:
        return templates.NOT_CALLED_WRONG
    graded = next((each for each in reversed(asked.grades) if each.at <= last.at), None)
    verdicts = graded.grade.criteria if graded is not None else ()
    sure = any(each.id == last.criterion_id and each.sure and each.verdict is Verdict.CONTRADICTED for each in verdicts)
    quote = quotation(points[last.criterion_id], graded) if sure else ""
    return templates.DOUBTS.format(quote=quote) if quote else templates.NOT_CALLED_WRONG

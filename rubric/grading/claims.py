"""What of an answer is a claim of the person's own, told from its words alone. Pure.

A judge hears that the right words are there more reliably than that something is said with them, or which of two
opposite things is meant (docs/benchmarks/attacks-and-fuzzing.md). Six kinds of text claim nothing, whatever words they
hold:
lists of terms, paragraphs that offer alternatives and settle on none, questions that an answer goes through instead,
lines put into the interviewer's mouth, what the person takes back in the next breath, and what they say over and over
again, but for the first time.
They are blanked before anything is judged; every other character keeps its place, so that evidence still points into
the answer as it was given.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from rubric.grading.evidence import sentences
from rubric.grading.prompts import neutral
from rubric.model import Span
from serving.heap import left_out

LISTED = "terms are named here, and nothing is said about them; a sentence about each earns credit"
UNDECIDED = "alternatives are offered here, and none is settled on; say which one holds"
ASKED = "what would have to be said is named here as questions; the answers to them earn credit"
NOT_OWN = "the interviewer’s words are no answer"
TAKEN_BACK = "this was taken back; what was said instead counts"
REPEATED = "this was said before; it counts once"

# Of 1,314 answers with a credited point, each with a share of function words of .14 or more, the tersest has 2.7 words
# between commas and full stops, and at most half of its sentences offer alternatives; of lists written to deceive,
# the longest have 1.9.
_SHORTEST_LIST = 15
_FEW, _HARDLY_ANY = 0.25, 0.04
_BETWEEN_MARKS, _NO_MARKS = 2.5, 12
_FEWEST_ALTERNATIVES = 3
_SHORTEST_CLAIM = 3
_OFTEN = 3
_MOSTLY = 0.7
# Of lists written to deceive, one has a quarter of numbers; tables of results have half and more.
_NUMBERS = 0.3

# Of the same answers those that ask in four of ten sentences, and put off in every third what they name, have at most
# 2.6 words of asking in a hundred; those that go through the question instead of answering it have 4.4 to 8.8.
_ASKED_OF_WORDS, _ASKED_OF_SENTENCES, _PUT_OFF = 0.035, 0.4, 1 / 3
_FEWEST_ASKED = 4

_WORD = re.compile(r"\b[^\W\d_][^\W_]*(?:'[a-z]+)?")
_MARKS = re.compile(r"[,.;:!?()|/\n]+")
_ALTERNATIVE = re.compile(r"\b(?:or|unless|whichever)\b", re.IGNORECASE)
_ASKS_FOR_NAMES = re.compile(
    r"(?:\A|[.;:!?,]\s+|\b(?:and|please|you)\s+)"
    r"(?:(?:name|list|enumerate)\b|give (?:me )?(?:\w+ ){0,2}(?:examples|names)\b)",
    re.IGNORECASE,
)
# After a comma it mostly belongs to a relative clause.
_ASKS = r"(?:what|how|why|where|which|whether)\b"
_ASKING = re.compile(rf"(?<!, )\b{_ASKS}", re.IGNORECASE)
_SAYING = (
    r"(?:asking|asked|explain(?:ed)?|tell|say|state|describe|discuss|cover|consider|answer|name|compare|decided?|design"
    r"|look(?:ing)? (?:at|into)|go (?:through|into)|comes? down to|(?:it|that)['’]?s about|hear about|to know"
    r"|questions?(?: is| are)?|matter(?:s|ed)?|parts?|points?|first|second|third|fourth|last|finally|also|then|as to|so"
    r"|right)"
)
_PUTS_OFF = re.compile(
    rf"\b{_SAYING},?(?: (?:is|was|to|me|you|us|about|also|there['’]s|comes|of))*,? "
    rf"(?:(?:in|from|to|at|on|with|for|by|of) )?{_ASKS}"
    r"|\bwhether\b[^.]{0,200}\bor (?:not|whether)\b|\bthe question\b|\?\s*\Z",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    rf"\b{_ASKS}|\b(?:i['’]d|i would|you['’]d (?:also )?(?:have|want) to|(?:one|you|we) (?:has|have|should)(?: to)?)"
    rf"(?: \w+ly| also| then| first)? {_SAYING}\b|\bthere['’]s (?:also )?the\b|\bthe question\b|\bif there\b"
    r"|\b(?:those|these) (?:are the|\w+ considered)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:–—]\s")
_PARAGRAPH = re.compile(r"\S.*?(?=\s*\n\s*\n|\s*\Z)", re.DOTALL)
_TOKEN = re.compile(r"\w+")
_FORMULA = re.compile(r"\$\$?(?=[^$\n]*[=^_\\])[^$\n]{1,200}\$\$?|\$[^$\n]{1,25}\$")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_OTHERS = re.compile(
    r"^[ \t(\[*]*(?:(?:follow-?up|hint|note|reply)[\w ]{0,20}\b)?(?:interviewer|examiner|grader)\b[\w ]{0,20}:.*$",
    re.IGNORECASE | re.MULTILINE,
)

_WRONG = (
    r"(?:(?:that|this|it)(?:['’]s| is| was| would be)(?: all| just| really| completely| plain)? "
    r"(?:wrong|false|nonsense|incorrect|backwards|rubbish|bad advice|the opposite|the other way a?round"
    r"|(?:not|never) (?:true|right|correct))"
    r"|(?:that|this|it) (?:isn['’]t|wasn['’]t) (?:true|right|correct)"
    r"|(?:quite |rather |just )?the (?:opposite|other way a?round)"
    r"|i (?:just )?(?:mixed|got) (?:that|it|this|them) (?:up|wrong|backwards)|i misspoke|i made (?:that|it) up)"
)
_BACK = (
    r"(?:i(?:['’]ll| will)? take (?:that|it|this) back\b|(?:scratch|strike) (?:that|this|it)\b"
    r"|forget (?:that|it)(?=[,.:;–—]))"
)
_PAUSE = r"(?:h+m+|u[hm]+|er+m?|oh|ah|well|but|and|though|although|actually|really|so|wait|sorry|no|hang on|hold on)"
_GAP = r"[,.…–—\s]{1,4}"
# Whoever takes something back says so first: "no, wait, that is wrong", "scratch that", "on second thought, no".
_TAKES_BACK = re.compile(
    rf"(?:\A|(?<=[.,;:!?…(–—-])\s+|(?<=\s)(?=(?:no|oh|hm+|well|wait|sorry|hang on|hold on)\b))"
    rf"(?:{_PAUSE}{_GAP}){{0,6}}?"
    rf"(?:{_BACK}"
    rf"|(?:no|wait|sorry|hang on|hold on|actually|but|though|although)\b{_GAP}(?:{_PAUSE}{_GAP}){{0,6}}{_WRONG}"
    rf"|(?:oh|well|actually|hm+),? (?:wait,? )?no[,.…–—]"
    rf"|no,? (?:wait|sorry|hang on|hold on)\b"
    rf"|on second thoughts?,? (?:no\b|that)"
    rf"|correction:)",
    re.IGNORECASE,
)


class Claims(NamedTuple):
    """What is left to be judged.

    Attributes:
        text: the answer with spaces in place of what claims nothing; as long as it was.
        why: what was blanked, and why, each reason once; empty for nearly every answer.

    """

    text: str
    why: tuple[str, ...]

    @property
    def silent(self) -> bool:
        """Whether nothing is left."""
        return not any(character.isalnum() for character in self.text)

    @property
    def read(self) -> str:
        """The text as a judge reads it, without the gaps."""
        return " ".join(self.text.split()) if self.why else self.text


def claims(answer: str, question: str = "") -> Claims:
    """The answer without what claims nothing.

    Args:
        answer: as it was given.
        question: what was asked; names are an answer where it asks for nothing more.

    """
    why: list[str] = []
    text = answer
    said = sentences(answer)
    for start, end in _taken_back(answer, said):
        text, why = _blanked(text, start, end), [*why, TAKEN_BACK]
    for start, end in _said_again(answer, said):
        text, why = _blanked(text, start, end), [*why, REPEATED]
    whole = (0, len(text))
    for match in _OTHERS.finditer(answer):
        text, why = _blanked(text, *match.span()), [*why, NOT_OWN]
    names = bool(_ASKS_FOR_NAMES.search(question))
    for start, end in [*(match.span() for match in _PARAGRAPH.finditer(text)), whole]:
        reason = _nothing_claimed(text[start:end])
        if reason and not (names and reason == LISTED):
            text, why = _blanked(text, start, end), [*why, reason]
    for start, end in asked(text):
        text, why = _blanked(text, start, end), [*why, ASKED]
    return Claims(text, tuple(dict.fromkeys(why)))


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _taken_back(answer: str, said: Sequence[Span]) -> list[Span]:
    """What the person takes back: the clause before the words that do, or the sentence before the one they begin."""
    found = []
    for number, (start, end) in enumerate(said):
        for match in _TAKES_BACK.finditer(answer[start:end]):
            cut = start + match.start()
            edges = [start, *(mark.end() for mark in _CLAUSE.finditer(answer, start, cut))]
            clause = next((edge for edge in reversed(edges) if _says(answer, edge, cut)), None)
            if clause is not None:
                found.append((clause, cut))
            elif number:
                found.append(said[number - 1])
    return found


def _said_again(answer: str, said: Sequence[Span]) -> list[Span]:
    """The sentences that are said three times or more, in the same words, but for the first time; code is none."""
    fenced = [match.span() for match in _FENCED.finditer(answer)]
    same: dict[tuple[str, ...], list[Span]] = {}
    for start, end in said:
        words = tuple(word.lower() for word in _WORD.findall(neutral(answer[start:end])))
        if len(words) >= _SHORTEST_CLAIM and not any(begin <= start < until for begin, until in fenced):
            same.setdefault(words, []).append((start, end))
    often = (spans for spans in same.values() if len(spans) >= _OFTEN)
    return [span for spans in often if not _is_code(answer[slice(*spans[0])]) for span in spans[1:]]


def _says(text: str, start: int, end: int) -> bool:
    """Whether there are enough words in a piece to claim anything."""
    return len(_WORD.findall(text, start, end)) >= _SHORTEST_CLAIM


def _nothing_claimed(text: str) -> str:
    """Why a piece of an answer claims nothing; empty where it claims something."""
    if is_list(text):
        return LISTED
    return UNDECIDED if is_undecided(text) else ""


@cache
def _function_words() -> frozenset[str]:
    # This library takes a second to import, and most commands grade nothing. Its compiler is not needed.
    with left_out("numba"):
        from bm25s import stopwords  # noqa: PLC0415

    languages = (
        stopwords.STOPWORDS_EN_PLUS,
        stopwords.STOPWORDS_GERMAN,
        stopwords.STOPWORDS_DUTCH,
        stopwords.STOPWORDS_FRENCH,
        stopwords.STOPWORDS_SPANISH,
        stopwords.STOPWORDS_PORTUGUESE,
        stopwords.STOPWORDS_ITALIAN,
    )
    return frozenset(word for words in languages for word in words if len(word) > 1 or word in {"a", "i"})


def is_list(text: str) -> bool:
    """Whether a text names terms without saying anything about them.

    It has hardly any of the small words that sentences are held together with, in English and six other languages,
    and either a mark after every other word or no marks at all. Code, formulas and tables of numbers are no lists.
    """
    unfenced = neutral(_FORMULA.sub("", _FENCED.sub("", text)))
    if _is_code(textwrap.dedent(unfenced)):
        return False
    prose = "\n".join(line for line in unfenced.splitlines() if not _is_code(line.strip())).replace("’", "'")
    words = [word.lower() for word in _WORD.findall(prose)]
    tokens = _TOKEN.findall(prose)
    if len(words) < _SHORTEST_LIST or sum(any(map(str.isdigit, token)) for token in tokens) > _NUMBERS * len(tokens):
        return False
    share = sum(word in _function_words() for word in words) / len(words)
    pieces = [count for piece in _MARKS.split(prose) if (count := len(_WORD.findall(piece)))]
    between = len(words) / len(pieces)
    return (share < _FEW and between <= _BETWEEN_MARKS) or (share < _HARDLY_ANY and between >= _NO_MARKS)


def is_undecided(text: str) -> bool:
    """Whether nearly every sentence of a text offers alternatives."""
    said: list[Span] = sentences(text)
    if len(said) < _FEWEST_ALTERNATIVES:
        return False
    return sum(bool(_ALTERNATIVE.search(text, a, b)) for a, b in said) >= _MOSTLY * len(said)


def asked(text: str) -> list[Span]:
    """The sentences that ask or announce, where a text goes through questions and puts them off; none elsewhere.

    "I'd have to say how it is trained, and whether it needs labels" knows what to talk about, and says nothing of it.
    """
    said = sentences(text)
    asking = [len(_ASKING.findall(text, a, b)) for a, b in said]
    put_off = sum(bool(_PUTS_OFF.search(text[a:b])) for a, b in said)
    if (
        sum(asking) >= max(_FEWEST_ASKED, _ASKED_OF_WORDS * len(_WORD.findall(text)))
        and sum(map(bool, asking)) >= _ASKED_OF_SENTENCES * len(said)
        and put_off >= _PUT_OFF * len(said)
    ):
        return [(a, b) for a, b in said if _ANNOUNCES.search(text, a, b)]
    return []


def _is_code(text: str) -> bool:
    """Whether a text is Python, or a line that begins a block; terms with commas between them are none."""
    for program in (
        text,
        f"{text}\n    pass",
        f"try:\n    pass\n{text}\n    pass",
        f"if x:\n    pass\n{text}\n    pass",
    ):
        try:
            found = ast.parse(program).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return any(not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call | ast.Await) for node in found)
    return False

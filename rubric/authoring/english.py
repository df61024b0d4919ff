"""What can be told about a piece of English from its words alone: sentences, verbs, subjects, empty talk."""

from __future__ import annotations

import re

from rubric.authoring.vocabulary import (
    CONNECTIVE,
    EMPTY_TALK,
    EXAMPLE,
    FINITE,
    GENERIC,
    LOOKING_BACK,
    NO_SUBJECT,
    OPENINGS,
    VERBS,
)
from rubric.words import STOP, WORD, content_words

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|w\.r\.t|fig|eq|dr|no|al)\.|\b[A-Z]\.)$", re.IGNORECASE
)
_LONGEST_ABBREVIATION = 8
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9`*_\"'(\[]|\.[a-z_])")

_PRONOUN = re.compile(
    r"^(It|They)\s+(?=(?:\w+ly |also |then |thus |still |often |always |never |only |just )?([\w']+))"
)
_LATEX = {
    "sim": "about ",
    "approx": "about ",
    "times": "*",
    "cdot": "*",
    "le": "<=",
    "leq": "<=",
    "ge": ">=",
    "geq": ">=",
    "ll": "<<",
    "gg": ">>",
    "to": "->",
    "rightarrow": "->",
    "infty": "infinity",
    "left": "",
    "right": "",
    "quad": " ",
}


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph; a full stop after an abbreviation ends none."""
    result: list[str] = []
    begin = 0
    for match in _SENTENCE_END.finditer(paragraph):
        if _ABBREVIATION.search(paragraph[max(begin, match.start() - _LONGEST_ABBREVIATION) : match.start()]):
            continue
        result.append(paragraph[begin : match.end()].strip())
        begin = match.end()
    result.append(paragraph[begin:].strip())
    return [text for text in result if text]


def tidy(text: str) -> str:
    """Text without Markdown and with formulas in plain characters; code words stay as they are."""
    text = re.sub(r"!?\[([^\[\]]+)\]\((?:[^()\s]|\([^()]*\)){1,2000}\)", r"\1", text)
    parts = re.split(r"(`+[^`]+`+)", text)
    parts[::2] = [_unmarked(part) for part in parts[::2]]
    parts[1::2] = [part.strip("`") for part in parts[1::2]]
    return " ".join("".join(parts).split())


def _unmarked(text: str) -> str:
    text = re.sub(r"\$\$?([^$\n]+)\$\$?", lambda match: _formula(match[1]), text.replace(r"\$", "\0")).replace(
        "\0", "$"
    )
    text = re.sub(r"\*\*|^\s*#{1,6}\s+|^\s*>\s?|`", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])", r"\1", text)
    text = re.sub(r"(?<!\w)__(\w[^_]*\s[^_]*\w)__(?!\w)", r"\1", text)
    return re.sub(r"<br\s*/?>", " ", text)


def _formula(formula: str) -> str:
    formula = re.sub(r"\\(?:text|mathrm|mathbf|operatorname|mathcal)\s*\{([^{}]*)\}", r"\1", formula)
    formula = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)", formula)
    formula = re.sub(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"(\1)/(\2)", formula)
    formula = re.sub(r"\\([a-zA-Z]+)\s?", lambda match: _LATEX.get(match[1], match[1] + " "), formula)
    return re.sub(r"\\(.)", r"\1", formula).replace("{", "").replace("}", "").replace(" )", ")").strip()


def length(text: str) -> int:
    """How many words a text has."""
    return len(WORD.findall(text.lower()))


def has_verb(text: str, *, surely: bool = False) -> bool:
    """Whether a finite verb is among its words; surely so where its verbs are of the third person."""
    return any(word in (VERBS if surely else FINITE) for word in _words(text))


def tells(text: str) -> bool:
    """Whether a text has a verb or begins with one, so that it is more than a name."""
    first = re.split(r"\W", text, maxsplit=1)[0].lower()
    return has_verb(text) or first in OPENINGS or first.endswith("ing")


def is_empty_talk(text: str) -> bool:
    """Whether a sentence introduces, comments or asks instead of saying something."""
    return text.rstrip("\"') ").endswith("?") or bool(EMPTY_TALK.match(text) or EXAMPLE.match(text))


def is_example(text: str) -> bool:
    """Whether a sentence or a label begins an example."""
    return bool(EXAMPLE.match(text))


def says_something(text: str, known: frozenset[str]) -> bool:
    """Whether a text has words that are neither known nor said of everything."""
    return bool(content_words(text) - known - GENERIC)


def without_connective(text: str) -> str:
    """A sentence without the words that tie it to the one before and add nothing: "However, ", "Note that "."""
    shorter = CONNECTIVE.sub("", text)
    return text if shorter == text else capital(without_connective(shorter))


def looks_back(text: str) -> bool:
    """Whether a sentence begins by pointing at what was said before."""
    return bool(LOOKING_BACK.match(text))


def subject(sentence: str) -> str:
    """What a sentence speaks of: the words before its verb; empty where that is not simple."""
    if NO_SUBJECT.match(sentence):
        return ""
    words = sentence.split()
    for at, word in enumerate(words[:8]):
        bare = word.strip("*`\"'").lower()
        if bare in {"but", "or"}:
            return ""
        if at and (bare in VERBS or (bare in FINITE and words[at - 1].endswith("s"))):
            return " ".join(words[:at])
        if re.search(r"[,;:.)!?]$", word) and not re.search(r"\([^()]*\)$", word):
            return ""
    return ""


def with_subject(sentence: str, before: str) -> str:
    """A sentence whose "It" or "They" has become the subject of the one before; empty where it cannot."""
    match = _PRONOUN.match(sentence)
    if match is None or not before or (match[1] == "It" and not (match[2].endswith("s") or match[2].lower() in FINITE)):
        return ""
    last = re.sub(r"\s*\([^)]*\)$", "", before).split()[-1].strip("`*")
    plural = " and " in before or (last.endswith("s") and not last.endswith(("ss", "us", "is", "as")))
    if plural != (match[1] == "They"):
        return ""
    return f"{before} {sentence[len(match[1]) :].strip()}"


def capital(text: str) -> str:
    """The text with a capital in front, unless it begins with a code word."""
    return text[:1].upper() + text[1:] if re.match(r"[a-z]+(?:-[a-z]+)*[,:;.]?(?:\s|$)", text) else text


def small(text: str) -> str:
    """The text without the capital of a sentence's beginning, where its first word is surely no name."""
    first = re.split(r"[\s,:.-]", text, maxsplit=1)[0]
    word = first.lower()
    ordinary = word in FINITE or word in STOP or word.endswith(("ing", "ed", "ly")) or word in OPENINGS
    return text[:1].lower() + text[1:] if ordinary and first == word.capitalize() else text


def plain(label: str) -> str:
    """A label as it stands within a sentence: the capitals of a title gone, and a long form in brackets as well."""
    words = re.sub(r"\s*\(\w+(?:[\s-]\w+)+\)$", "", label).split()
    if len(words) == 1:
        return small(words[0])
    return " ".join(word.lower() if re.fullmatch(r"[A-Z][a-z]+(?:-[A-Z]?[a-z]+)*,?", word) else word for word in words)


def begins_with_verb(text: str) -> bool:
    """Whether the text begins with a verb of the third person: "Returns a view"."""
    first = re.split(r"[\s,.;:]", text, maxsplit=1)[0].lower()
    return first.endswith("s") and first in VERBS


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())

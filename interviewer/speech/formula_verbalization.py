"""Small formulas in words, before their symbols are lost: powers, growth, shapes, figures. Pure."""

from __future__ import annotations

import re

from rubric.words import NUMBER_WORDS, TENS_WORDS

_LETTERS = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ϵ": "epsilon",
    "η": "eta",
    "θ": "theta",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "ω": "omega",
    "Δ": "delta",
    "Σ": "the sum of",
    "∑": "the sum of",
    "∏": "the product of",
    "∂": "d",
    "∇": "the gradient of",
    "∞": "infinity",
    "≠": "is not",
    "±": "plus or minus",
    "∈": "in",
    "→": "to",
    "←": "from",
    "⊙": "times",
    "·": "times",
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")

_SCIENTIFIC = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[eE]([+-]?)(\d{1,3})(?!\w)")
_RAISED = re.compile(r"([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)")
_POWER = re.compile(
    r"(?<![\w.])([A-Za-z]|\d+)\s*(?:\^|\*\*(?=\s*[({]?-))\s*(?:(-?)(\w{1,8})|\((-?)(\w{1,8})\)|\{(-?)(\w{1,8})\})"
)
_ROOT = re.compile(r"(?<!\w)(?:math\.|torch\.|np\.)?sqrt\(([^()]{1,30})\)")
_THOUSANDS = re.compile(r"(?<![\d,.])(\d{1,3}),(?=\d{3}(?!\d))")
_ABOUT = re.compile(r"(?<![~\w])~(?=\d)")
_BIG_O = re.compile(r"(?<!\w)O\(([^()]{1,40})\)")
_SHAPE_PART = r"(?:[A-Z]|-?\d+|[a-zA-Z]_\w+|batch|time|seq|seq_len|dim|heads?|channels|height|width|hidden|vocab)"
_SHAPE = re.compile(rf"(?<!\w)[(\[]\s*+({_SHAPE_PART}(?:\s*+,\s*+{_SHAPE_PART})+)\s*+,?+\s*+[)\]]")
_BY = re.compile(r"(?<![\w.])(\d+)\s*[x×]\s*(?=\d)")
_TIMES = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[x×](?!\w)")
_QUOTIENT = re.compile(
    r"(?<=[\w)\]`]) / (?=[\w(\[`√])|(?<=\))/(?=[\w(√])|(?<=\w)/(?=[(√])"
    r"|(?<![\w/])(\d+|[a-zT])/(?=\d+(?![\w/]))|(?<![\w/])(\d+|[a-ln-z])/(?=[A-Za-z](?![\w/]))"
)
_DIFFERENCE = re.compile(r"(?<=\w|\)) [-−] (?=(?:\d+|[A-Za-z])\b|\()")
_RATIO = re.compile(r"\b(I)/(O)\b|\b(CI)/(CD)\b")
_ABBREVIATED = (
    ("A/B", "A B"),
    (" m/s", " meters per second"),
    ("w.r.t.", "with respect to"),
    ("i.i.d.", "I I D"),
    ("vs.", "versus"),
    ("approx.", "about"),
)


def formulas_said(text: str) -> str:
    """The text with small formulas in words; everything else stays as it is."""
    for short, long in _ABBREVIATED:
        text = text.replace(short, long)
    text = _RATIO.sub(lambda found: " ".join(part for group in found.groups() if group for part in group), text)
    text = _QUOTIENT.sub(lambda found: f"{found[1] or found[2] or ''} over ", text)
    text = _DIFFERENCE.sub(_difference, text)
    text = _RAISED.sub(lambda found: f"^{found[1].translate(_SUPERSCRIPTS)}", text)
    text = _SCIENTIFIC.sub(_scientific, text)
    text = _ROOT.sub(r"the square root of \1", text)
    text = _POWER.sub(_power, text)
    text = _BIG_O.sub(lambda found: f"O of {_growth(found[1])}", text)
    text = _SHAPE.sub(lambda found: re.sub(r"\s*,\s*", " by ", found[1].replace("-", "minus ")), text)
    text = _ABOUT.sub("about ", _THOUSANDS.sub(r"\1", text))
    text = _BY.sub(r"\1 by ", text)
    text = _TIMES.sub(lambda found: f"{in_words(found[1])} times", text)
    for letter, name in _LETTERS.items():
        text = text.replace(letter, f" {name} ")
    return text


def _difference(found: re.Match[str]) -> str:
    """A minus between figures or letters; between words it is a dash."""
    before = re.findall(r"\w+|\)", found.string[max(0, found.start() - 40) : found.start()])[-1:]
    return " minus " if before and (before[0] == ")" or before[0].isdecimal() or len(before[0]) == 1) else found[0]


def _scientific(found: re.Match[str]) -> str:
    factor, sign, exponent = found.groups()
    power = f"ten to the {'minus ' if sign == '-' else ''}{in_words(exponent)}"
    return power if factor in {"1", "1.0"} else f"{in_words(factor)} times {power}"


def _power(found: re.Match[str]) -> str:
    base, sign, exponent = found[1], found[2] or found[4] or found[6], found[3] or found[5] or found[7]
    base = in_words(base) if base == "10" else base
    if not sign and exponent in {"2", "3"}:
        return f"{base} {'squared' if exponent == '2' else 'cubed'}"
    return f"{base} to the {'minus ' if sign else ''}{in_words(exponent)}"


def _growth(inside: str) -> str:
    inside = in_words(inside.strip())
    return re.sub(r"\s*[*·×]\s*", " times ", inside)


def in_words(figure: str) -> str:
    """A figure in words up to 9,999; any other, and what is no figure, comes back as it is."""
    whole, _, decimals = figure.partition(".")
    if not whole.isdecimal() or len(whole) > 4 or (decimals and not decimals.isdecimal()):
        return figure
    if decimals:
        return f"{_whole(int(whole))} point {' '.join(NUMBER_WORDS[int(digit)] for digit in decimals)}"
    return _whole(int(whole))


def _whole(number: int) -> str:
    if number < 20:
        return NUMBER_WORDS[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS_WORDS[tens - 2] + (f" {NUMBER_WORDS[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    big, rest = divmod(number, size)
    return f"{_whole(big)} {name}" + (f" {_whole(rest)}" if rest else "")

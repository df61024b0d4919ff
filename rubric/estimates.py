"""Estimates in a design: what the arithmetic gives, and which numbers an answer tells. Pure.

A criterion may carry an estimate, ``2e6 * 300 / 2500 / 86400 = 2.8 days, within 40 %``: what is given, worked out. A
number of an answer counts where one of the estimate's units follows it. What cannot be read says nothing.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from rubric.words import NUMBER_WORDS, TENS_WORDS
from serving.frozen import FrozenModel


class Estimate(FrozenModel):
    """A number that a design has to come to.

    Attributes:
        derivation: how it is worked out, such as ``2e6 * 300 / 2500``.
        value: what that gives, in the first of the units.
        units: what may stand behind the number, the first of them for showing it.
        tolerance: by what share of the value a number may be off.

    """

    derivation: str = Field(min_length=1)
    value: float = Field(gt=0.0)
    units: tuple[str, ...] = Field(min_length=1)
    tolerance: float = Field(gt=0.0, le=1.0)

    def agrees_with(self, value: float) -> bool:
        """Whether a number, in the first of the units, is as near as the tolerance asks."""
        return abs(value - self.value) <= self.tolerance * self.value

    @property
    def shown(self) -> str:
        """The arithmetic in one line."""
        return f"{self.derivation} = {number_shown(self.value)} {self.units[0]}"


class EstimateState(StrEnum):
    """What an answer makes of an estimate."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_READ = "not read"


class EstimateReading(NamedTuple):
    """What an answer says on an estimate.

    Attributes:
        state: what it makes of it.
        said: the number that counts, in the estimate's first unit; ``None`` where none could be read.
        span: where it stands, in characters of the answer, the unit included.

    """

    state: EstimateState
    said: float | None = None
    span: tuple[int, int] | None = None


class Quantity(NamedTuple):
    """A number of a text with what stands behind it.

    Attributes:
        value: the number.
        start: its first character.
        end: behind its last.
        rest: the text behind it, a few words.

    """

    value: float
    start: int
    end: int
    rest: str


_WRITTEN = re.compile(
    r"(?P<value>.+?) = (?P<given>[\d.,]+(?:e\d+)?) (?P<units>.+), within (?P<tolerance>\d{1,3}) %", re.IGNORECASE
)
_ROUNDING = 0.03
"""How far the number that an estimate is written with may be from what its arithmetic gives."""


def read_estimate(text: str) -> Estimate:
    """The estimate that a line such as ``40 * 3 = 120 cards | GPUs, within 20 %`` stands for.

    Raises:
        ValueError: it does not read so, or its arithmetic gives something else.

    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"an estimate reads “40 * 3 = 120 cards | GPUs, within 20 %”, not “{text.strip()}”")
    value, given = worked_out(match["value"]), float(match["given"].replace(",", ""))
    if abs(value - given) > _ROUNDING * value:
        raise ValueError(f"{match['value']} gives {number_shown(value)}, not {match['given']}")
    units = tuple(unit.strip() for unit in match["units"].split("|"))
    return Estimate(derivation=match["value"], value=value, units=units, tolerance=int(match["tolerance"]) / 100)


_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def worked_out(arithmetic: str) -> float:
    """What numbers joined by + - * / ** and brackets give.

    Raises:
        ValueError: it is anything else, or cannot be worked out.

    """
    try:
        return _value(ast.parse(arithmetic.strip(), mode="eval").body)
    except (SyntaxError, ArithmeticError) as error:
        raise ValueError(f"“{arithmetic}” cannot be worked out") from error


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return float(_OPERATIONS[type(node.op)](_value(node.left), _value(node.right)))
    raise ValueError(f"“{ast.unparse(node)}” is no arithmetic")


def number_shown(value: float) -> str:
    """A number with three digits that count, in full from a thousandth to a billion."""
    if value >= 1e9 or value < 1e-3:
        return f"{value:.3g}"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 or rounded == int(rounded) else f"{rounded:g}"


def reading(estimate: Estimate, text: str, given: str = "") -> EstimateReading:
    """What a text says on an estimate: the number nearest to it of those with its unit.

    A total without a unit behind it counts where it agrees: "21 per zone, 63 in total" after "42 cards".

    Args:
        estimate: what is looked for.
        text: an answer.
        given: text of the question; a number that it gives in the same unit is not taken for a wrong result.

    """
    told = [(_in_unit(found, estimate.units), found) for found in quantities(text)]
    said = [(value, found) for value, found in told if value is not None]
    known = {value for found in quantities(given) if (value := _in_unit(found, estimate.units)) is not None}
    if not said:
        return EstimateReading(EstimateState.NOT_READ)
    value, found = min(said, key=lambda each: abs(each[0] - estimate.value))
    if estimate.agrees_with(value):
        return EstimateReading(EstimateState.AGREES, value, (found.start, _unit_end(found, estimate.units)))
    own = [(value, found) for value, found in said if value not in known]
    if not own:
        return EstimateReading(EstimateState.NOT_READ)
    agreeing = [each for each in quantities(text) if _TOTAL.match(each.rest) and estimate.agrees_with(each.value)]
    if agreeing:
        return EstimateReading(EstimateState.AGREES, agreeing[-1].value, (agreeing[-1].start, agreeing[-1].end))
    value, found = min(own, key=lambda each: abs(each[0] - estimate.value))
    return EstimateReading(EstimateState.DIFFERS, value, (found.start, _unit_end(found, estimate.units)))


_TOTAL = re.compile(
    r"[\s,]*(?:in (?:total|all|sum)|all in all|all told|altogether|overall|together|as a total|total)\b", re.IGNORECASE
)

_WORDS = {word: n for n, word in enumerate(NUMBER_WORDS) if n} | {word: 10 * n for n, word in enumerate(TENS_WORDS, 2)}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}
_ANY = rf"(?:{'|'.join(_WORDS)})(?!\w)"
_DIGITS = r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_POWER = r"e(?P<e>[+-]?\d{1,3})"
_SPOKEN_POWER = r"\s*(?:x|×|\*|·|times)\s*(?:10|ten)\s*(?:\^|\*\*|to the(?: power(?: of)?)?)\s*(?P<ten>[+-]?\d{1,3})"
_IN_WORDS = rf"(?P<tens>{'|'.join(TENS_WORDS)})[- ](?P<ones>{_ANY})|(?P<word>{_ANY})"
_NUMBER = re.compile(
    rf"(?<![\w.])(?:{_DIGITS}(?:{_POWER}|{_SPOKEN_POWER})?|{_IN_WORDS})(?P<scales>(?:\s*(?:{'|'.join(_SCALES)})\b)*)",
    re.IGNORECASE,
)
_REST = 40
_RANGE = re.compile(r"\s*(?:to|or|-|–)\s*$")


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text, in digits or in words; the lower end of a range has what stands behind the upper one."""
    found = list(_NUMBER.finditer(text))
    for place, match in enumerate(found):
        end = match.end()
        following = found[place + 1] if place + 1 < len(found) else None
        if following is not None and _RANGE.fullmatch(text[end : following.start()]):
            end = following.end()
        yield Quantity(_number(match), match.start(), end, text[end : end + _REST])


def _number(match: re.Match[str]) -> float:
    if match["digits"]:
        exponent = int(match["e"] or match["ten"] or 0)
        value = float(match["digits"].replace(",", "")) * 10.0**exponent
    elif match["tens"]:
        value = float(_WORDS[match["tens"].lower()] + _WORDS[match["ones"].lower()])
    else:
        value = float(_WORDS[match["word"].lower()])
    for scale in match["scales"].lower().split():
        value *= _SCALES[scale]
    return value


_FAMILIES: tuple[dict[str, float], ...] = (
    {
        **{f"{prefix}B": 1000.0**power for power, prefix in enumerate(("", "K", "M", "G", "T", "P"))},
        **{f"{prefix}iB": 1024.0**power for power, prefix in enumerate(("K", "M", "G", "T", "P"), 1)},
        **{f"{name}bytes": 1000.0**power for power, name in enumerate(("", "kilo", "mega", "giga", "tera", "peta"))},
    },
    {
        **{"ms": 1e-3, "milliseconds": 1e-3, "s": 1.0, "seconds": 1.0, "minutes": 60.0, "min": 60.0},
        **{"hours": 3600.0, "h": 3600.0, "days": 86400.0, "weeks": 604800.0, "months": 2.63e6, "years": 3.156e7},
    },
)
"""Units of one quantity, each with its size."""


def _in_unit(found: Quantity, units: tuple[str, ...]) -> float | None:
    """The number in the first of the units, where one of them, or another one of their family, stands behind it."""
    family = next((family for family in _FAMILIES if units[0] in family), None)
    if any(_behind(found.rest, unit) for unit in units if family is None or unit not in family):
        return found.value
    if family is None:
        return None
    # The longest first, so that “s” does not stand for “seconds”.
    unit = next((unit for unit in sorted(family, key=len, reverse=True) if _behind(found.rest, unit)), None)
    return found.value * family[unit] / family[units[0]] if unit else None


def _behind(rest: str, unit: str) -> re.Match[str] | None:
    """A unit right behind a number, or behind one word such as “about 40 such cards”."""
    plain = unit.removesuffix("s") if len(unit) > 2 else unit
    short = len(unit) <= 3 and unit[0].isupper()
    ending = "" if short or len(unit) <= 2 else "s?"
    between = r"[\s-]*" if len(unit) <= 3 else r"[\s-]*(?:[\w/]+\s+){0,1}"
    # A size is no rate: “5 GB/s” are not 5 GB. Of things that are counted, the estimate says which is meant.
    end = r"(?![\w/])" if any(unit in family for family in _FAMILIES) else r"(?!\w)"
    return re.match(rf"{between}{re.escape(plain)}{ending}{end}", rest, 0 if short else re.IGNORECASE)


def _unit_end(found: Quantity, units: tuple[str, ...]) -> int:
    family = next((tuple(family) for family in _FAMILIES if units[0] in family), ())
    known = sorted({*family, *units}, key=len, reverse=True)
    ends = [match.end() for unit in known if (match := _behind(found.rest, unit))]
    return found.end + (ends[0] if ends else 0)

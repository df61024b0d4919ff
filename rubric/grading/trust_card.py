"""The trust card of a judge: how far its marks were right on answers that it was never fitted to."""

from __future__ import annotations

from math import comb
from pathlib import Path

from pydantic import ValidationError

from rubric.fitted_weights import TRUST_CARD
from rubric.model import Unit
from serving.errors import ModelMissingError
from serving.frozen import FrozenModel


class Figure(FrozenModel):
    """A measured figure.

    Attributes:
        value: as measured.
        low, high: ends of its 95 % interval, by bootstrap over questions.

    """

    value: float
    low: float
    high: float


_FEWEST = 20
"""Points of which a share is told."""


CERTAINTY = 0.95
"""How certain a bound is."""


def at_least(right: int, of: int, certainty: float = CERTAINTY) -> float:
    """The share of right marks that there is at least, with this certainty, where so many of so many were right.

    The lower end of Clopper and Pearson's exact interval, one-sided: were the share lower, as many right ones as were
    counted would come about in at most 5 of 100 such samples. It takes the marks as independent of each other, which
    those of one answer are not quite.
    """
    low, high = 0.0, right / of if of else 0.0
    for _ in range(40):
        middle = (low + high) / 2
        as_many = sum(comb(of, n) * middle**n * (1 - middle) ** (of - n) for n in range(right, of + 1))
        low, high = (low, middle) if as_many > 1 - certainty else (middle, high)
    return low


class SecondReadings(FrozenModel):
    """What a second reading of disputed points is worth (``make dispute-bench``, ``rubric.grading.second_reading``).

    A mark is right where it credits a point that the label credits, or does not where the label does not.

    Attributes:
        marks: how many labeled points were read twice.
        wrong: how many of them the first reading had marked wrongly.
        mended: how many of these the second marked rightly.
        spoiled: how many that were right the second marked wrongly.

    """

    marks: int
    wrong: int
    mended: int
    spoiled: int

    @property
    def sentence(self) -> str:
        """The figures in words, for the report."""
        differ = self.mended + self.spoiled
        told = differ >= _FEWEST
        share = f" Where the two differed, the second was right in {self.mended / differ:.0%}." if told else ""
        return (
            f"Measured on {self.marks} labeled points of answers that the judge was never fitted to: the second "
            f"reading corrected {self.mended} of {self.wrong} wrong marks and spoiled {self.spoiled} of "
            f"{self.marks - self.wrong} right ones.{share}"
        )


class OtherWriters(FrozenModel):
    """What was measured of the judge on answers of other writers (``tests.benchmarks.other_writers``).

    Whoever wrote and labeled the answers that a judge is fitted to and chosen by shares habits with it; these share
    none, so its figures are those to expect for anybody's answers.

    Attributes:
        answers, questions, criteria: how many labeled ones it was measured on.
        figures: by the names that docs/benchmarks/judge.md explains.

    """

    answers: int
    questions: int
    criteria: int
    figures: dict[str, Figure]

    @property
    def sentence(self) -> str:
        """The figures in words, for the report."""
        right, sure = (_ranged(self.figures[name]) for name in ("right", "stated right"))
        told = round(self.figures["stated"].value * self.criteria)
        bound = at_least(round(self.figures["stated right"].value * told), told)
        return (
            f"On {self.answers} answers by other writers to {self.questions} other questions ({self.criteria} "
            f"criteria) it was right in {right} of the cases, and in {sure} of the {told} that it was sure of: with "
            f"{CERTAINTY:.0%} certainty in at least {bound:.0%}. Of the points that they contradicted it credited "
            f"{self.figures['contradicted, credited'].value:.0%}. Expect this for your own answers."
        )

    def differs(self, ours: Figure) -> str:
        """How far these figures are from those of our own answers, in words.

        Args:
            ours: how often the judge was right on them.

        """
        points = round(100 * ours.value) - round(100 * self.figures["right"].value)
        if points <= 0:
            return "That is no worse than on our own answers."
        return (
            f"On our own answers, whose wording is closer to what it learned from, it was right in {points} more of "
            "100 cases."
        )


class TrustCard(FrozenModel):
    """What was measured of one judge (``make grade-bench``).

    Attributes:
        judge: name and version of the judge, as in ``Engine.judge``.
        model: the model behind it.
        answers, questions, criteria: how many labeled ones it was measured on.
        coverage: share of answers whose true score lay in the interval given.
        figures: by the names that docs/benchmarks/judge.md explains.
        left_out: whether the judge was calibrated on these very answers, each question left out of the calibration
            that judged it; otherwise it was fitted to none of them.
        second: what its second readings are worth; ``None`` where that was not measured.
        others: what was measured on answers of other writers; ``None`` where nothing was.

    """

    judge: str
    model: str
    answers: int
    questions: int
    criteria: int
    coverage: Unit
    figures: dict[str, Figure]
    left_out: bool = False
    second: SecondReadings | None = None
    others: OtherWriters | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The card in words, for the report."""
        right, half, seventy = (
            _ranged(self.figures[name]) for name in ("right", "surer half right", "surer 70 % right")
        )
        apart = "each left out of the calibration that judged it" if self.left_out else "which it was never fitted to"
        return (
            f"Measured on {self.answers} answers to {self.questions} questions of the bank, {apart} "
            f"({self.criteria} criteria, marked by hand).",
            f"It was right about whether a point was made at all in {right} of the cases: in {half} of the half that "
            f"it was surest of, in {seventy} of the surest 70%.",
            f"The interval given held the true score in {self.coverage:.0%} of the answers.",
            f"Of the points that an answer contradicted, it still credited "
            f"{self.figures['contradicted, credited'].value:.0%}{self._stated}.",
            *([self.others.sentence, self.others.differs(self.figures["right"])] if self.others else []),
        )

    @property
    def _stated(self) -> str:
        stated = self.figures.get("contradicted, stated as credited")
        return "" if stated is None else f", and was sure of the credit for {stated.value:.0%}"


def _ranged(figure: Figure) -> str:
    return f"{figure.value:.0%} ({figure.low:.0%} to {figure.high:.0%})"


def save(card: TrustCard, path: Path = TRUST_CARD) -> None:
    """Write a card."""
    path.write_text(card.model_dump_json(indent=2) + "\n", encoding="utf-8")


def cards(path: Path = TRUST_CARD) -> tuple[TrustCard, ...]:
    """The cards that are known: none where no judge was measured.

    Raises:
        ModelMissingError: the file of the card is broken.

    """
    if not path.exists():
        return ()
    try:
        card = TrustCard.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError) as error:
        raise ModelMissingError(
            f"The judge's trust card {path} cannot be read.", hint="Get the file from the repository again."
        ) from error
    return (card,)

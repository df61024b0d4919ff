"""Estimates: what arithmetic gives, and which numbers an answer tells."""

from __future__ import annotations

import pytest

from rubric.estimates import EstimateState, number_shown, quantities, read_estimate, reading, worked_out

AGREES, DIFFERS, NOT_READ = EstimateState.AGREES, EstimateState.DIFFERS, EstimateState.NOT_READ
DAYS = read_estimate("6 * 70e9 * 15e12 / (4096 * 9e14) / 86400 = 19.8 days, within 30 %")
CARDS = read_estimate("100000 / (4000 * 0.6) = 42 cards | GPUs | replicas, within 20 %")
MEMORY = read_estimate("2e9 * 64 / 1e9 = 128 GB, within 20 %")
TOKENS = read_estimate("5e6 * 800 / 86400 * 4 = 185000 tokens, within 25 %")


def test_what_is_written_is_worked_out() -> None:
    assert DAYS.value == pytest.approx(19.78, abs=0.01)
    assert CARDS.units == ("cards", "GPUs", "replicas")
    assert CARDS.tolerance == 0.2
    assert MEMORY.shown == "2e9 * 64 / 1e9 = 128 GB"
    assert worked_out("(2 * 10 * 21600) ** 0.5") == pytest.approx(657.3, abs=0.1)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("40 * 3 = 130 cards, within 20 %", "gives 120, not 130"),
        ("40 * 3 = 120, within 20 %", "an estimate reads"),
        ("40 * 3 = 120 cards", "an estimate reads"),
        ("40 * x = 120 cards, within 20 %", "is no arithmetic"),
        ("40 / 0 = 120 cards, within 20 %", "cannot be worked out"),
        ("open('x') = 120 cards, within 20 %", "is no arithmetic"),
    ],
)
def test_what_does_not_add_up_is_refused(written: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_estimate(written)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("that's about 20 days", AGREES),
        ("twenty days or so", AGREES),
        ("three weeks", AGREES),
        ("1.7e6 seconds", AGREES),
        ("1.7 million seconds", AGREES),
        ("1.7 times ten to the 6 seconds", AGREES),
        ("470 hours", AGREES),
        ("18 to 22 days", AGREES),
        ("40 days", DIFFERS),
        ("2 months", DIFFERS),
        ("quite long", NOT_READ),
        ("about 20", NOT_READ),
    ],
)
def test_a_time_is_read_in_any_unit_of_time(said: str, state: EstimateState) -> None:
    assert reading(DAYS, said).state is state


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("forty-two cards", AGREES),
        ("42 H100 cards", AGREES),
        ("45-50 GPUs", AGREES),
        ("one GPU", DIFFERS),
        ("eighteen replicas", DIFFERS),
        ("4,096 GPUs", NOT_READ),
        ("42 requests", NOT_READ),
    ],
)
def test_a_number_counts_with_its_unit_and_not_where_the_question_gives_it(said: str, state: EstimateState) -> None:
    assert reading(CARDS, said, "You have 4,096 GPUs.").state is state


def test_the_nearest_number_counts_and_its_place_is_told() -> None:
    text = "Two copies take 256 GB, one takes 0.13 TB."
    found = reading(MEMORY, text)
    assert found.state is AGREES
    assert found.said == pytest.approx(130.0)
    assert found.span is not None
    assert text[slice(*found.span)] == "0.13 TB"


@pytest.mark.parametrize(
    "said", ["185,000 tokens a second", "185k tokens/s", "two hundred thousand tokens", "1.85e5 tokens"]
)
def test_large_numbers_are_read_as_people_say_them(said: str) -> None:
    assert reading(TOKENS, said).state is AGREES


def test_a_size_is_no_rate_unless_the_estimate_says_so() -> None:
    assert reading(MEMORY, "It reads 128 GB/s.").state is NOT_READ
    traffic = read_estimate("100000 * 2000 / 1e6 = 200 MB | MB/s, within 20 %")
    for said in ("200 MB/s", "200 MB a second", "0.2 GB each second"):
        assert reading(traffic, said).state is AGREES


def test_words_that_only_begin_like_a_number_are_none() -> None:
    assert [found.value for found in quantities("the tenth of one thousand often weighs eighty")] == [1000.0, 80.0]


@pytest.mark.parametrize(
    ("value", "shown"), [(19.78, "19.8"), (1120.0, "1,120"), (2.5e13, "2.5e+13"), (3.0, "3"), (0.5, "0.5")]
)
def test_a_number_is_shown_with_three_digits_that_count(value: float, shown: str) -> None:
    assert number_shown(value) == shown


def test_a_total_that_agrees_counts_without_a_unit_behind_it() -> None:
    cards = read_estimate("100000 / 2400 * 1.5 = 62.5 cards | GPUs, within 10 %")
    said = "That is 42 cards for the plain load. One zone may be gone, so 21 per zone, 63 in total."
    found = reading(cards, said)
    assert found.state is EstimateState.AGREES
    assert found.said == 63
    assert found.span is not None
    assert said[slice(*found.span)].strip() == "63"


def test_a_total_that_differs_says_nothing_for_the_number() -> None:
    cards = read_estimate("100000 / 2400 * 1.5 = 62.5 cards | GPUs, within 10 %")
    assert reading(cards, "That is 42 cards, and 120 dollars an hour in total.").state is EstimateState.DIFFERS

"""The attacks themselves: enough of them, of every sort, each beside an honest answer to the same question."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter

import pytest

from knowledge.bank.parser import load_bank
from knowledge.model import Question
from rubric.grading.grader import LONGEST_ANSWER
from tests.rubric.grading.attacks.suite import Attack, Family, attacks, controls

ATTACKS = attacks()
CONTROLS = controls()
HONEST = {control.question_id: control.text for control in CONTROLS if control.kind == "honest"}


def of(family: Family) -> list[Attack]:
    return [attack for attack in ATTACKS if attack.family is family]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@pytest.fixture(scope="module")
def bank() -> dict[str, Question]:
    return {question.id: question for question in load_bank()}


def test_there_are_enough_of_every_family() -> None:
    assert len(ATTACKS) >= 126
    counts = Counter(attack.family for attack in ATTACKS)
    assert set(counts) == set(Family)
    assert min(counts.values()) >= 3


def test_every_question_is_of_the_bank_and_has_ten_attacks_and_all_controls(bank: dict[str, Question]) -> None:
    counts = Counter(attack.question_id for attack in ATTACKS)
    assert len(counts) == 12
    assert min(counts.values()) >= 10
    kinds = Counter((control.question_id, control.kind) for control in CONTROLS)
    wanted = {(name, kind) for name in counts for kind in ("honest", "voice", "empty", "gibberish", "next")}
    assert kinds == Counter(wanted)
    for name in counts:
        assert bank[name].rubric is not None, name
    assert len({bank[name].kind for name in counts}) == 5


def test_no_text_is_there_twice() -> None:
    given = Counter(attack.answer for attack in ATTACKS)
    given.update(control.text for control in CONTROLS if control.kind != "empty")
    for attack in of(Family.ELSEWHERE):
        given.subtract([attack.answer])
    assert {text: count for text, count in given.items() if count not in {0, 1}} == {}


def test_what_a_fair_examiner_would_mark_is_in_the_answer() -> None:
    for attack in ATTACKS:
        assert attack.honest in attack.answer, attack
        assert attack.honest != attack.answer or not attack.honest, attack


def test_controls_are_answers_and_damaged_ones_are_the_same_answers() -> None:
    for control in CONTROLS:
        if control.kind == "honest":
            assert 60 <= len(control.text.split()) <= 120, control
        if control.kind == "voice":
            whole = words(HONEST[control.question_id].replace("'", ""))
            heard = words(control.text.replace("'", ""))
            alike = difflib.SequenceMatcher(None, whole, heard, autojunk=False).ratio()
            assert 0.75 <= alike <= 0.97, (control.question_id, alike)
            assert not re.search(r"[.,;:?!]", control.text), control


def test_an_answer_to_another_question_is_the_control_of_that_question() -> None:
    for attack in of(Family.ELSEWHERE):
        (other,) = [name for name, text in HONEST.items() if text == attack.text]
        assert other != attack.question_id


@pytest.mark.parametrize("family", [Family.HEDGING, Family.REVERSAL, Family.KEYWORDS, Family.FILLER, Family.QUESTION])
def test_some_families_earn_nothing(family: Family) -> None:
    assert {attack.honest for attack in of(family)} == {""}


def test_injections_come_bare_and_beside_honest_answers() -> None:
    beside = [attack for attack in ATTACKS if attack.honest]
    assert {HONEST[attack.question_id] == attack.honest for attack in beside} == {True, False}
    assert len({attack.family for attack in beside}) >= 8


def test_unicode_attacks_hold_what_their_family_says() -> None:
    texts = [attack.text for attack in of(Family.UNICODE)]
    everything = "".join(texts)
    names = {unicodedata.name(character, "") for character in everything}
    assert {"RIGHT-TO-LEFT OVERRIDE", "ZERO WIDTH SPACE", "ZERO WIDTH JOINER", "CYRILLIC SMALL LETTER A"} <= names
    assert any(name.startswith("MATHEMATICAL BOLD SMALL") for name in names)
    assert any(name.startswith("FULLWIDTH LATIN SMALL") for name in names)
    assert any(name.startswith("TAG LATIN SMALL") for name in names)
    assert all(not text.isascii() for text in texts)


def test_other_families_hold_what_they_say() -> None:
    assert not any(character.isalnum() for attack in of(Family.EMPTY) for character in attack.answer)
    assert all(attack.repeat == 50 for attack in of(Family.COPIES))
    lengths = [len(attack.answer) for attack in of(Family.LONG)]
    assert min(lengths) > 5_000
    assert max(lengths) > LONGEST_ANSWER > sorted(lengths)[-2] > LONGEST_ANSWER / 2
    assert all("\n\n" in attack.text for attack in of(Family.SPLIT))
    assert any("<|im_start|>" in attack.text for attack in of(Family.SYSTEM))
    assert any("\n>>>\n" in attack.text for attack in of(Family.DELIMITER))
    assert any(attack.text.startswith("{") for attack in of(Family.VERDICT))
    assert sum(not attack.text.isascii() for attack in of(Family.FOREIGN)) >= 4


def test_a_repeated_text_is_said_that_often() -> None:
    attack = Attack(question_id="q", family=Family.COPIES, text="Again.", honest="Again.", repeat=3)
    assert attack.answer == "Again. Again. Again."


def test_controls_without_content_have_none() -> None:
    assert {control.text for control in CONTROLS if control.kind == "empty"} == {""}
    assert all(len(words(control.text)) < 20 for control in CONTROLS if control.kind in {"gibberish", "next"})

"""Trust cards: kept with the judge they are about, and told in plain words."""

import json

import pytest

from rubric.fitted_weights import ADAPTER, CROSS_ENCODER, STATE_HEAD
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from rubric.grading.trust_card import Figure, OtherWriters, TrustCard, at_least, cards, save
from serving.errors import ModelMissingError
from serving.models.adapter import version_of
from serving.models.catalogue import JUDGE_ADAPTER

FIGURES = {
    "right": Figure(value=0.8, low=0.75, high=0.85),
    "surer half right": Figure(value=0.9, low=0.86, high=0.94),
    "surer 70 % right": Figure(value=0.87, low=0.83, high=0.9),
    "contradicted, credited": Figure(value=0.3, low=0.2, high=0.4),
}
ONE = TrustCard(judge="state-head 1", model="m", answers=8, questions=2, criteria=40, coverage=0.9, figures=FIGURES)


def test_a_card_comes_back_and_says_how_often_the_judge_was_right(tmp_path):
    save(ONE, tmp_path / "card.json")
    assert cards(tmp_path / "card.json") == (ONE,)
    said = " ".join(ONE.sentences)
    assert "8 answers to 2 questions" in said
    assert "made at all in 80% (75% to 85%)" in said
    assert "still credited 30%" in said


def test_answers_of_other_writers_are_told_as_what_to_expect(tmp_path):
    figures = {
        "right": Figure(value=0.75, low=0.7, high=0.8),
        "stated": Figure(value=30 / 31, low=0.9, high=1.0),
        "stated right": Figure(value=26 / 30, low=0.8, high=0.92),
        "contradicted, credited": Figure(value=0.4, low=0.3, high=0.5),
    }
    others = OtherWriters(answers=6, questions=3, criteria=31, figures=figures)
    save(ONE.model_copy(update={"others": others}), tmp_path / "card.json")
    (card,) = cards(tmp_path / "card.json")
    assert card.others == others
    told, differ = card.sentences[-2:]
    assert "75% (70% to 80%) of the cases, and in 87% (80% to 92%) of the 30" in told
    assert f"with 95% certainty in at least {at_least(26, 30):.0%}" in told
    assert "contradicted it credited 40%" in told
    assert "right in 5 more of 100 cases" in differ
    assert "no worse" in others.differs(Figure(value=0.7, low=0.6, high=0.8))
    assert len(card.sentences) == len(ONE.sentences) + 2


@pytest.mark.parametrize(
    ("right", "of", "bound"), [(10, 10, 0.7411), (0, 10, 0.0), (9, 10, 0.6058), (95, 100, 0.8977), (0, 0, 0.0)]
)
def test_a_bound_holds_with_the_certainty_that_is_told(right, of, bound):
    """The values are those of published tables of one-sided 95 % limits (Clopper and Pearson)."""
    assert at_least(right, of) == pytest.approx(bound, abs=5e-4)


def test_no_card_is_no_fault_but_a_broken_one_is(tmp_path):
    assert cards(tmp_path / "none.json") == ()
    (tmp_path / "broken.json").write_text("{}")
    with pytest.raises(ModelMissingError, match="trust card"):
        cards(tmp_path / "broken.json")


def test_the_committed_card_and_weights_belong_together():
    (card,) = cards()
    assert card.judge == StateJudge.name_of(load())
    note = json.loads(STATE_HEAD.with_suffix(".json").read_text())
    assert note["weights_sha256"].startswith(load().version)
    assert note["statement_encoder"] == version_of(ADAPTER)
    assert note["cross_encoder"] == version_of(CROSS_ENCODER)
    assert note["judge_adapter"] == version_of(JUDGE_ADAPTER)
    assert card.answers >= 150


def test_the_committed_card_tells_what_other_writers_answers_came_to():
    (card,) = cards()
    assert card.others is not None
    # A figure of ours is never to be told alone where one of other writers is lower.
    assert card.others.figures["right"].value < card.figures["right"].value
    assert card.others.sentence in card.sentences

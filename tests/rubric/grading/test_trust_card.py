"""Trust cards: kept with the judge they are about, and told in plain words."""

import json

import pytest

from rubric.fitted_weights import ADAPTER, CROSS_ENCODER, STATE_HEAD
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import load
from rubric.grading.trust_card import Figure, TrustCard, cards, save
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
    assert "rightly in 80% (75% to 85%)" in said
    assert "still credited 30%" in said


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

"""Each kind of follow-up has all that it needs: a rule, words, a label."""

from __future__ import annotations

import pytest

from interviewer.dialogue import follow_up_words
from interviewer.report.phrases.follow_ups import WHY_FOLLOWED_UP
from interviewer.session.follow_up_kinds import RULES, FollowUpKind, rule_of
from knowledge.bank.parser import load_bank

QUESTION = load_bank()[0]
assert QUESTION.rubric is not None
CRITERION = QUESTION.rubric.criteria[0]


@pytest.mark.parametrize("kind", FollowUpKind)
def test_a_kind_has_a_rule_words_and_a_label(kind: FollowUpKind) -> None:
    assert rule_of(kind).kind is kind, "session/follow_up_kinds.py has no rule"
    said = follow_up_words.follow_up(QUESTION, kind, CRITERION.id, quote="", turn=0, seed=0)
    assert said.endswith(("?", ".")), "dialogue/follow_up_words.py has no words"
    assert kind in WHY_FOLLOWED_UP, "report/phrases/follow_ups.py has no label"


def test_only_what_is_half_made_and_what_is_unsure_share_a_rank() -> None:
    ranks = [rule.rank for rule in RULES]
    assert sorted(set(ranks)) == list(range(len(FollowUpKind) - 1))
    assert rule_of(FollowUpKind.PARTIAL).rank == rule_of(FollowUpKind.UNSURE).rank

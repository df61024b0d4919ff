"""Grades: evidence for credit, doubt, and no number where none was made."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.grading.grader import LONGEST_ANSWER, GradeRequest, RubricGrader, score
from rubric.model import Criterion, CriterionVerdict, Rubric, Verdict
from serving.encoders.cached_encoder import CachedEmbedder
from serving.errors import ProtocolError, ServerGoneError
from tests.rubric.doubles import BagOfWords, FixedJudge, Recording, Unrelated

RUBRIC = Rubric(
    criteria=(
        Criterion(id="c1", text="Only leaf tensors keep their gradient.", weight=3),
        Criterion(id="c2", text="Calling retain_grad keeps it for others.", weight=1),
    )
)
ANSWER = "Well, only leaf tensors keep the gradient. You can call retain_grad on others. I like trains."


def graded(answer=ANSWER, judge=None, rubric=RUBRIC, question="Why is grad None?"):
    grader = RubricGrader(judge or FixedJudge(), BagOfWords(), Unrelated())
    return grader.grade(GradeRequest(question=question, rubric=rubric, answer=answer))


def test_credit_comes_with_the_words_that_earned_it():
    grade = graded()
    quotes = [[ANSWER[a:b] for a, b in verdict.evidence] for verdict in grade.criteria]
    assert "Well, only leaf tensors keep the gradient." in quotes[0]
    assert "You can call retain_grad on others." in quotes[1]
    assert grade.score == pytest.approx(0.75)
    assert [verdict.verdict for verdict in grade.criteria] == [Verdict.MET] * 2


def test_of_sentences_about_the_same_thing_the_one_with_the_words_of_the_point_is_shown():
    answer = "Leaf tensors, leaf tensors and keep. Their gradient is kept by only those leaf tensors that keep it."
    verdict = graded(answer).criteria[0]
    assert [answer[a:b] for a, b in verdict.evidence] == [
        "Their gradient is kept by only those leaf tensors that keep it."
    ]


@pytest.mark.parametrize(
    ("later", "words"),
    [
        ("Just the leaves.", "Just the leaves."),
        # What only asks is no words for a point, so those of before are named.
        ("Was it the leaves?", "Well, only leaf tensors keep the gradient."),
    ],
)
def test_what_earned_no_credit_before_is_not_shown_for_it_later(later, words):
    said = f"{ANSWER}\n\n{later}"
    grader = RubricGrader(FixedJudge(), BagOfWords(), Unrelated())
    request = GradeRequest(question="Why is grad None?", rubric=RUBRIC, answer=said, denied=(("c1", len(ANSWER)),))
    first, second = grader.grade(request).criteria
    assert [said[a:b] for a, b in first.evidence] == [words]
    assert "You can call retain_grad on others." in [said[a:b] for a, b in second.evidence]


def test_a_contradiction_is_shown_by_the_sentence_nearest_to_the_opposite():
    examples = {
        "met": ["only leaves keep gradients"],
        "contradicted": ["in truth every one of them keeps it"],
        "near": [],
    }
    rubric = Rubric(criteria=(Criterion(id="c1", text="Only leaf tensors keep grad.", examples=examples),))
    answer = "My tensors like to train. I had lunch. In truth every one of them keeps it."
    verdict = graded(answer, FixedJudge((0.1, 0.1, 0.2, 0.6)), rubric).criteria[0]
    assert verdict.verdict is Verdict.CONTRADICTED
    assert [answer[a:b] for a, b in verdict.evidence] == ["In truth every one of them keeps it."]


def test_after_preparing_only_the_answer_is_embedded():
    met = [f"only leaves keep gradients, said {number} times" for number in range(5)]
    examples = {"met": met, "contradicted": ["every tensor keeps it"], "near": ["tensors have gradients"]}
    rubric = Rubric(criteria=(Criterion(id="c1", text="Only leaf tensors keep grad.", examples=examples),))
    inner = Recording()
    grader = RubricGrader(FixedJudge(), CachedEmbedder(inner), Unrelated())
    request = GradeRequest(question="Why is grad None?", rubric=rubric, answer="Leaves keep it. Others do not.")
    grader.prepare(request.question, rubric.criteria)
    assert sorted(inner.asked) == sorted(
        [request.question, "Only leaf tensors keep grad.", *met, *examples["contradicted"], *examples["near"]]
    )
    inner.asked.clear()
    assert (
        grader.grade(request).criteria == RubricGrader(FixedJudge(), BagOfWords(), Unrelated()).grade(request).criteria
    )
    assert sorted(inner.asked) == sorted(["Leaves keep it.", "Others do not.", request.answer])


def test_near_even_odds_are_unsure():
    assert not graded(judge=FixedJudge((0.5, 0.05, 0.4, 0.05))).criteria[0].sure
    assert graded(judge=FixedJudge((0.9, 0.05, 0.03, 0.02))).criteria[0].sure


def test_credit_over_a_likely_contradiction_is_unsure_and_stays_credit():
    likely, unlikely = (graded(judge=FixedJudge(row)).criteria[0] for row in ((0.7, 0, 0, 0.3), (0.7, 0, 0.1, 0.2)))
    assert (likely.sure, unlikely.sure) == (False, True)
    assert likely.credit == unlikely.credit == pytest.approx(0.7)
    assert graded(judge=FixedJudge((0.1, 0.0, 0.2, 0.7))).criteria[0].sure


def test_a_contradiction_that_is_less_likely_than_not_is_unsure():
    rather, likely = (graded(judge=FixedJudge((0.1, 0.1, rest, 0.8 - rest))).criteria[0] for rest in (0.35, 0.25))
    assert rather.verdict is likely.verdict is Verdict.CONTRADICTED
    assert (rather.sure, likely.sure) == (False, True)
    assert rather.credit == likely.credit


@pytest.mark.parametrize("answer", ["", "   ", "...", "?!"])
def test_no_words_make_no_point_and_ask_no_model(answer):
    judge = FixedJudge()
    grade = graded(answer, judge)
    assert grade.score == 0.0
    assert all(verdict.verdict is Verdict.MISSING and not verdict.evidence for verdict in grade.criteria)
    assert not judge.asked


def test_a_judge_that_breaks_protocol_gives_unscored_and_no_number():
    grade = graded(judge=FixedJudge(error=ProtocolError("The model server's answer is not JSON.")))
    assert grade.score is None
    assert all(verdict.verdict is Verdict.UNSCORED and verdict.credit is None for verdict in grade.criteria)
    assert "not JSON" in grade.criteria[0].reason


def test_a_server_that_is_away_is_for_the_caller_to_try_again():
    with pytest.raises(ServerGoneError):
        graded(judge=FixedJudge(error=ServerGoneError("away")))


def test_an_answer_that_is_too_long_is_unscored_with_the_reason():
    grade = graded("word " * LONGEST_ANSWER)
    assert grade.score is None
    assert "100,000 characters" in grade.criteria[0].reason


def test_one_unscored_criterion_leaves_the_score_open():
    verdicts = (
        CriterionVerdict(id="c1", credit=1.0, verdict=Verdict.MET, sure=True, evidence=((0, 1),)),
        CriterionVerdict(id="c2", credit=None, verdict=Verdict.UNSCORED, sure=False, reason="away"),
    )
    assert score(RUBRIC, verdicts) is None


def test_credit_without_evidence_cannot_be_written_down():
    with pytest.raises(ValueError, match="without evidence"):
        CriterionVerdict(id="c1", credit=1.0, verdict=Verdict.MET, sure=True)


def test_the_record_says_who_made_the_mark():
    engine = graded().engine
    assert (engine.judge, engine.rubric_version) == ("fixed 1", RUBRIC.version)


@settings(max_examples=60)
@given(st.text(max_size=400))
def test_whatever_is_said_the_evidence_lies_within_it(answer):
    grade = graded(answer)
    for verdict in grade.criteria:
        assert all(answer[a:b].strip() for a, b in verdict.evidence)
        assert (verdict.verdict is Verdict.MISSING) or verdict.evidence


def test_an_answer_waits_until_the_embedding_model_is_there():
    inner = Recording()
    fetched = []

    def wait():
        assert not inner.asked
        fetched.append("model")

    grader = RubricGrader(FixedJudge(), inner, Unrelated(), wait=wait)
    grader.grade(GradeRequest(question="Why is grad None?", rubric=RUBRIC, answer=ANSWER))
    assert fetched == ["model"]
    assert inner.asked

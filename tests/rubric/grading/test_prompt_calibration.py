"""The calibration of a model that judges by prompt: fitted without the question it judges, kept, found again, used."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from interviewer.cli.container import Container
from rubric.grading import prompt_calibration
from rubric.grading.grader import GradeRequest
from rubric.grading.judges.prompted import PromptJudge, plain_chances
from rubric.grading.prompt_calibration import Measured, known_cards
from rubric.grading.signals import EXAMPLE_SIGNALS, TEXT_SIGNALS, CriterionView
from rubric.grading.trust_card import Figure, TrustCard, cards
from rubric.model import Criterion, Rubric
from rubric.training import fit_prompt_calibration
from rubric.training.fit_state_head import Table
from serving import paths

MODEL = "some/model"


def samples(count=240, *, bias=3.0, seed=0):
    """Samples whose odds tell the label but lean to Yes, as those of small models do, and signals that tell nothing."""
    draw = np.random.default_rng(seed)
    labels = draw.integers(4, size=count)
    odds = draw.normal(size=(count, 2)).astype(np.float32)
    odds[:, 0] += bias + np.where(labels <= 1, 1.5, -1.5)
    odds[:, 1] += np.where(labels == 3, 1.5, -1.5)
    data = Table(
        states=np.zeros((count, 1), dtype=np.float32),
        excerpts=("",) * count,
        text=draw.normal(size=(count, len(TEXT_SIGNALS))).astype(np.float32),
        examples=draw.normal(size=(count, len(EXAMPLE_SIGNALS))).astype(np.float32),
        labels=labels,
        weights=np.ones(count, dtype=np.float32),
        questions=tuple(f"q{number // 12}" for number in range(count)),
        answers=np.arange(count) // 4,
        credit_weights=np.ones(count, dtype=np.float32),
    )
    return odds, data


def right(chances, labels):
    return float(((chances[:, :2].sum(axis=1) >= 0.5) == (labels <= 1)).mean())


def measured(fitted):
    figure = Figure(value=0.8, low=0.7, high=0.9)
    names = ("right", "surer half right", "surer 70 % right", "contradicted, credited")
    card = TrustCard(
        judge=PromptJudge.name_of(fitted),
        model=fitted.model,
        answers=60,
        questions=20,
        criteria=240,
        coverage=0.9,
        figures=dict.fromkeys(names, figure),
        left_out=True,
    )
    return Measured(calibration=fitted, card=card)


def test_a_model_that_leans_to_yes_is_put_right():
    odds, data = samples()
    assert right(plain_chances(odds), data.labels) < 0.75
    assert right(fit_prompt_calibration.held_out(odds, data), data.labels) > 0.85


def test_no_question_is_judged_by_what_was_fitted_to_it():
    odds, data = samples()
    one = np.array([question == "q7" for question in data.questions])
    turned = data._replace(labels=np.where(one, 3 - data.labels, data.labels))
    same = fit_prompt_calibration.held_out(odds, data)[one] == fit_prompt_calibration.held_out(odds, turned)[one]
    assert same.all()
    told = data.text[:, [0]]
    assert (
        fit_prompt_calibration.left_out(told, data)[one] == fit_prompt_calibration.left_out(told, turned)[one]
    ).all()


def test_criteria_without_statements_are_judged_without_them():
    odds, data = samples()
    bare = data.examples.copy()
    bare[::2] = np.nan
    chances = fit_prompt_calibration.held_out(odds, data._replace(examples=bare))
    assert np.isfinite(chances).all()
    assert right(chances, data.labels) > 0.8


def test_it_is_kept_found_by_its_model_and_changes_what_the_judge_says(tmp_path):
    odds, data = samples()
    fitted = fit_prompt_calibration.fit(MODEL, odds, data)
    prompt_calibration.save(measured(fitted), tmp_path)
    found = prompt_calibration.find(MODEL, tmp_path)
    assert found == measured(fitted)
    assert prompt_calibration.find("another", tmp_path) is None
    assert known_cards(tmp_path) == (*cards(), found.card)
    assert "left out of the calibration" in found.card.sentences[0]

    class Even:
        def next_tokens(self, chats):
            return [{"Yes": -0.7, "No": -0.7} for _ in chats]

    view = CriterionView(data.text[0], None, (), np.zeros(1), np.zeros(1), ("",))
    criteria = (Criterion(id="c1", text="A point."),)
    judge = PromptJudge(Even(), model=MODEL, calibration=found.calibration)
    assert judge.name == f"prompt 1, calibrated {fitted.version}"
    assert judge.spread == fitted.spread
    chances = judge.probabilities("Why?", "because", criteria, [view])
    # Even odds of a model that leans to Yes are a No.
    assert chances[0, :2].sum() < 0.3
    assert chances.sum() == pytest.approx(1, abs=1e-5)


def test_a_calibration_for_other_signals_is_not_used(tmp_path):
    odds, data = samples()
    fitted = fit_prompt_calibration.fit(MODEL, odds, data._replace(examples=data.examples[:, :5]))
    prompt_calibration.save(measured(fitted), tmp_path)
    assert prompt_calibration.find(MODEL, tmp_path) is None
    assert prompt_calibration.kept(tmp_path) == ()


def test_a_broken_file_is_as_good_as_none(tmp_path):
    odds, data = samples()
    path = prompt_calibration.save(measured(fit_prompt_calibration.fit(MODEL, odds, data)), tmp_path)
    path.write_text("{")
    assert prompt_calibration.find(MODEL, tmp_path) is None
    assert prompt_calibration.kept(tmp_path) == ()


@pytest.fixture
def even_server():
    """A server that says Yes as often as No; its URL."""
    row = {"top_logprobs": [{"token": "Yes", "logprob": -0.7}, {"token": "No", "logprob": -0.7}]}
    said = {"data": [{"id": MODEL}], "choices": [{"logprobs": {"content": [row]}}]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            data = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self):
            self.do_GET()

        def log_message(self, *_):
            """Keep quiet."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_address[1]}"
    http.shutdown()
    http.server_close()


@pytest.mark.usefixtures("home", "embedder")
def test_marks_of_a_named_model_use_what_was_measured_of_it(even_server):
    odds, data = samples()
    fitted = fit_prompt_calibration.fit(MODEL, odds, data)
    rubric = Rubric(criteria=(Criterion(id="c1", text="Leaves keep their gradient."),))
    request = GradeRequest(question="Why?", rubric=rubric, answer="Leaves keep it.")
    engines = []
    for known in (False, True):
        if known:
            prompt_calibration.save(measured(fitted), paths.judges())
        container = Container(even_server)
        try:
            container.judge_service.start()
            engines.append(container.grader.grade(request).engine)
        finally:
            container.close()
    assert [engine.judge for engine in engines] == ["prompt 1", PromptJudge.name_of(fitted)]
    assert [engine.spread for engine in engines] == [None, fitted.spread]

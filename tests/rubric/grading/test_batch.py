"""Grading a file: order, resumption, and errors that name the line."""

import json

import pytest

from rubric.grading.batch import by_question, grade_file, read_jobs
from rubric.grading.grader import RubricGrader
from serving.errors import BadInputError, BadLineError, ServerGoneError
from tests.rubric.doubles import BagOfWords, FixedJudge, Unrelated

LINE = {
    "id": "a1",
    "question": "Why is grad None?",
    "reference": "Only leaves keep grad.",
    "criteria": [{"id": "c1", "text": "Only leaves keep grad.", "weight": 2, "examples": {"met": ["leaves keep it"]}}],
    "answer": "Only leaves keep it.",
}


def write(path, *lines):
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def run(source, target, judge=None):
    done = []
    grade_file(
        read_jobs(source),
        target,
        RubricGrader(judge or FixedJudge(), BagOfWords(), Unrelated()),
        lambda n, of: done.append((n, of)),
    )
    return [json.loads(line) for line in target.read_text().splitlines()], done


def test_each_line_is_graded_in_order_with_offsets_into_its_answer(tmp_path):
    lines = [{**LINE, "id": n, "answer": f"Answer {n}. Only leaves keep it."} for n in range(20)]
    rows, done = run(write(tmp_path / "f.jsonl", *lines), tmp_path / "g.jsonl")
    assert [row["id"] for row in rows] == list(range(20))
    assert done[-1] == (20, 20)
    verdict = rows[3]["criteria"][0]
    assert set(verdict) == {"id", "credit", "verdict", "sure", "evidence"}
    start, end = verdict["evidence"][0]
    assert lines[3]["answer"][start:end] == "Only leaves keep it."
    assert not (tmp_path / "g.jsonl.partial").exists()


def test_all_answers_to_a_question_are_graded_together_and_written_in_order(tmp_path):
    lines = [{**LINE, "id": n, "question": f"Why {n % 3}?", "answer": f"Leaves {n}."} for n in range(9)]
    source = write(tmp_path / "f.jsonl", *lines)
    together = [job.request.question for job in by_question(read_jobs(source))]
    assert together == ["Why 0?"] * 3 + ["Why 1?"] * 3 + ["Why 2?"] * 3
    rows, _ = run(source, tmp_path / "g.jsonl")
    assert [row["id"] for row in rows] == list(range(9))


def test_without_criteria_a_rubric_is_derived(tmp_path):
    line = {key: value for key, value in LINE.items() if key != "criteria"}
    rows, _ = run(write(tmp_path / "f.jsonl", line), tmp_path / "g.jsonl")
    assert [verdict["id"] for verdict in rows[0]["criteria"]] == ["c1"]


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    source = write(tmp_path / "f.jsonl", *({**LINE, "id": n, "answer": f"Leaves {n}"} for n in range(6)))

    class Breaks(FixedJudge):
        def probabilities(self, question, answer, criteria, views):
            if answer == "Leaves 4":
                raise KeyboardInterrupt
            return super().probabilities(question, answer, criteria, views)

    with pytest.raises(KeyboardInterrupt):
        run(source, tmp_path / "g.jsonl", Breaks())
    assert not (tmp_path / "g.jsonl").exists()
    with (tmp_path / "g.jsonl.partial").open("a") as file:
        file.write('{"digest": "cut off')
    judge = FixedJudge()
    rows, _ = run(source, tmp_path / "g.jsonl", judge)
    assert len(rows) == 6
    assert set(judge.asked) == {"Leaves 4", "Leaves 5"}


def test_an_answer_that_changed_is_graded_anew(tmp_path):
    run(write(tmp_path / "f.jsonl", LINE), tmp_path / "g.jsonl")
    judge = FixedJudge()
    run(write(tmp_path / "f.jsonl", {**LINE, "answer": "Something else."}), tmp_path / "g.jsonl", judge)
    assert judge.asked == ["Something else."]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{half", "not a JSON object"),
        ("[1]", "the line"),
        ({**LINE, "answer": None}, "answer"),
        ({"id": "a", "answer": "x"}, "question"),
        ({**LINE, "criteria": [{"id": "c1"}]}, "text"),
        ({**LINE, "criteria": [{"id": "c1", "text": "x", "weight": -1}]}, "weight"),
        ({**LINE, "criteria": [LINE["criteria"][0]] * 2}, "repeat"),
        ({**LINE, "criteria": [], "reference": ""}, "reference answer is empty"),
    ],
)
def test_a_bad_line_is_named_before_anything_is_graded(tmp_path, line, why):
    with pytest.raises(BadLineError, match="line 2") as caught:
        read_jobs(write(tmp_path / "f.jsonl", LINE, line))
    assert why in str(caught.value)


def test_files_that_cannot_be_used_are_told(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read"):
        read_jobs(tmp_path / "none.jsonl")
    with pytest.raises(BadInputError, match="no answer"):
        read_jobs(write(tmp_path / "f.jsonl", "", " "))
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe\x00garbage")
    with pytest.raises(BadLineError, match="line 1"):
        read_jobs(tmp_path / "b.jsonl")


def test_a_server_that_comes_back_is_waited_for(tmp_path):
    class Away(FixedJudge):
        times = 0

        def probabilities(self, question, answer, criteria, views):
            Away.times += 1
            if Away.times < 3:
                raise ServerGoneError("away")
            return super().probabilities(question, answer, criteria, views)

    rows, _ = run(write(tmp_path / "f.jsonl", LINE), tmp_path / "g.jsonl", Away())
    assert rows[0]["score"] == pytest.approx(0.75)

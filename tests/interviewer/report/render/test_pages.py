"""The first three pages of a report: how long they are, and what has no place on them."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape

import pypdfium2
import pytest

from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import common, overview, result, study
from interviewer.report.phrases.follow_ups import WHY_FOLLOWED_UP
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pages import plan_page, question_lines
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from interviewer.report.schema.question import TurnKind
from interviewer.session.follow_up_kinds import FollowUpKind
from knowledge.model import Kind
from rubric.model import Verdict
from tests.interviewer.report.hour import QUESTIONS, hour
from tests.interviewer.report.sample_session import DIGEST, LOADER, Telling, telling

MOST_WORDS = 1_200
HALF = {name: QUESTIONS[name] for name in list(QUESTIONS)[3:10]}

REPORTS: dict[str, Findings] = {
    "half an hour": findings("s1", hour(HALF).state),
    "an hour": findings("s1", hour().state),
    "a short one": findings("s1", telling().state),
}


@pytest.fixture(params=list(REPORTS))
def found(request: pytest.FixtureRequest) -> Findings:
    return REPORTS[request.param]


def front(report: Findings) -> str:
    """What is to be read in the HTML before the appendix, a block a line."""
    text = render_html(report)
    text = text[text.index("<article") : text.index('id="report-appendix"')]
    text = re.sub(r"<svg.*?</svg>|<(style|title)>.*?</\1>", " ", text, flags=re.DOTALL)
    blocks = re.split(
        r"</?(?:p|li|ol|ul|h\d|section|table|thead|tbody|tr|td|th|figure|figcaption|header|div)\b[^>]*>", text
    )
    words = (" ".join(unescape(re.sub(r"<[^>]*>", "", block)).split()) for block in blocks)
    return "\n".join(filter(None, words))


def test_half_an_hour_takes_about_half_an_hour() -> None:
    assert 25 * 60 < REPORTS["half an hour"].seconds < 35 * 60


def test_the_first_pages_are_short(found: Findings) -> None:
    assert 200 < len(front(found).split()) <= MOST_WORDS
    assert len(render_markdown(found).partition(f"## {common.APPENDIX}\n")[0].split()) <= MOST_WORDS


def test_in_print_the_plan_and_the_questions_begin_on_the_first_two_pages(found: Findings) -> None:
    document = pypdfium2.PdfDocument(render_pdf(found))
    try:
        pages = [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()
    assert result.gaps_title(found) in pages[0]
    begun = "".join(pages[:2])
    assert study.STUDY in begun
    assert overview.QUESTIONS in begun
    (appendix,) = (page for page in pages if f"{common.APPENDIX}\r\n" in page)
    assert not appendix.startswith(common.APPENDIX)


def test_nothing_is_said_twice(found: Findings) -> None:
    sentences = re.split(r"(?<=[.?!”])\s|\n", front(found))
    # Two questions may have equally many points met.
    counts = re.compile(r"Study |\d+ of \d+ met\b")
    told = Counter(sentence for sentence in sentences if len(sentence.split()) >= 6 and not counts.match(sentence))
    assert {sentence: times for sentence, times in told.items() if times > 1} == {}


def test_what_only_says_where_things_are_from_stands_in_the_appendix(found: Findings) -> None:
    text = front(found)
    assert not re.search(r"\.md\b|, line \d|app\.py|%|SHA|Credit \d|[0-9a-f]{12}", text)
    assert DIGEST not in text
    assert found.made.judges[0].judge not in text
    assert DIGEST in render_html(found)


def test_text_is_written_and_not_spelled_out(found: Findings) -> None:
    own = [*(line.title for line in question_lines(found)), *(entry.item.prompt for entry in plan_page(found).entries)]
    text = " ".join([*own, front(found).partition(overview.QUESTIONS)[2].partition(study.STUDY)[0]])
    assert "b float" not in text
    if any("mixed precision" in line.title for line in question_lines(found)[:1]):
        assert "bfloat16" in question_lines(found)[0].title


@pytest.mark.parametrize("render", [front, render_markdown])
def test_each_exercise_stands_under_its_gap(found: Findings, render: Callable[[Findings], str]) -> None:
    text = " ".join(render(found).replace("\\", "").split())
    for place, gap in enumerate(found.fix_first, 1):
        entry = plan_page(found).entries[place - 1]
        assert (entry.gap, entry.item.asked_id, entry.item.criterion_id) == (place, gap.asked_id, gap.criterion_id)
        named = text.index(f"Gap {place}, {gap.topic}")
        next_one = text.find(f"Gap {place + 1}, ", named)
        block = text[named:next_one]
        assert all(line.words in block and line.quoted[:60] in block for line in entry.lines)
        assert f"nswer question {gap.number} again." in block


def unsure() -> Findings:
    """A report on an answer that may lack everything."""
    tell = Telling()
    q = tell.ask(LOADER)
    marks = [(Verdict.MISSING, 0.4, ""), (Verdict.MISSING, 0.4, "")]
    tell.grade(q, tell.answer(q, "It depends."), marks, unsure=["blocked", "pinned"])
    tell.close(q)
    return findings("s1", tell.state)


@pytest.mark.parametrize("render", [front, render_markdown])
def test_where_the_judge_is_sure_of_nothing_what_to_look_at_again_is_advised_as_a_doubt(
    render: Callable[[Findings], str],
) -> None:
    report = unsure()
    assert report.gaps == ()
    assert [entry.gap for entry in plan_page(report).entries] == [1, 2]
    text = render(report)
    assert result.NO_GAP not in text
    assert study.NOTHING_SURE not in text
    assert "Possible gap 1" in text
    assert " Gap 1" not in text


def test_the_plan_holds_only_what_the_judge_was_sure_of(found: Findings) -> None:
    page = plan_page(found)
    assert all(entry.item.sure for entry in page.entries)
    assert all(not item.sure for item in page.to_check)
    planned = [*(entry.item for entry in page.entries), *page.to_check, *page.rest]
    assert sorted(item.key for item in planned) == sorted(item.key for item in found.study)


@pytest.mark.parametrize(
    ("spoken", "shown"),
    [
        ("How do b float sixteen and  half precision differ?", "How do bfloat16 and half precision differ?"),
        (
            "Backward only fills in dot grad, so loss dot backward does it.",
            "Backward only fills in .grad, so loss.backward does it.",
        ),
        ("What does it print dot grad of, and why?", "What does it print .grad of, and why?"),
        ("An array from numpy dot random.", "An array from numpy.random."),
        ("Plain words stay.", "Plain words stay."),
    ],
)
def test_what_is_worded_to_be_said_is_shown_as_one_writes_it(spoken: str, shown: str) -> None:
    assert common.written(spoken) == shown


@pytest.mark.parametrize(
    ("point", "shown"),
    [
        ("A scaler, as used with bfloat sixteen, does nothing.", "A scaler, as used with bfloat16, does nothing."),
        ("Float sixteen, b float sixteen, and float thirty-two differ.", "float16, bfloat16, and float32 differ."),
        ("Autograd stores it for sixteen steps.", "Autograd stores it for sixteen steps."),
    ],
)
def test_a_point_names_number_formats_as_one_writes_them(point: str, shown: str) -> None:
    assert common.plain(point) == shown


def test_times_are_told_in_the_zone_of_the_machine_which_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2026, 3, 31, 22, 30, tzinfo=UTC)
    for zone, told in (("Asia/Tokyo", "April 1, 2026, 7:30 AM JST"), ("UTC", "March 31, 2026, 10:30 PM UTC")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert common.moment(at) == told
    report = REPORTS["a short one"]
    assert report.started is not None
    assert report.model_dump(mode="json")["started"] == report.started.isoformat().replace("+00:00", "Z")


@pytest.mark.parametrize(
    ("most", "shown"), [(60, "Why is it so, and how do you find out?"), (30, "Why is it so…"), (20, "Why is it so…")]
)
def test_a_title_is_cut_behind_a_word_that_can_stand_last(most: int, shown: str) -> None:
    assert common.clipped("Why is it so, and how do you find out?", most) == shown


def test_the_end_of_one_short_word_is_not_cut_off_a_title() -> None:
    assert common.clipped("What do you do about it?", 21) == "What do you do about it?"
    assert common.clipped("What do you do about it now?", 21).endswith("…")


def test_every_kind_of_question_and_of_turn_has_its_word() -> None:
    assert set(common.KINDS) == set(Kind)
    assert set(common.TURNS) == set(TurnKind)
    assert set(WHY_FOLLOWED_UP) == set(FollowUpKind)


def test_a_point_that_says_it_stands_with_its_question(found: Findings) -> None:
    item = next(iter([*found.gaps, *found.strengths]))
    assert result.stated(found, item) == item.text
    said = result.stated(found, item.model_copy(update={"text": "It has two phases."}))
    title = common.question_title(found.questions[item.number - 1], 70)
    assert said == f"It has two phases (the question: “{title}”)."


def test_a_result_is_never_surer_than_the_judge() -> None:
    standing = REPORTS["an hour"].standing
    assert standing is not None
    sure = standing.model_copy(update={"reach": (0.93, 0.93), "interval": (0.8, 0.99)})
    assert sure.likely == (0.8, 0.99)
    assert "likely 80 to 99" in result.result(sure)
    assert standing.model_copy(update={"reach": None, "interval": None}).likely is None


@pytest.mark.parametrize(
    ("answering", "pauses", "told"),
    [
        (
            2_400.0,
            (780.0,),
            "The interview took 1 hour 5 minutes, with 40 minutes spent answering and 13 minutes idle.",
        ),
        (2_400.0, (), "The interview took 1 hour 5 minutes, with 40 minutes spent answering."),
        (0.0, (), "The interview took 1 hour 5 minutes."),
        (3_890.0, (), "The interview took 1 hour 5 minutes, nearly all of it spent answering."),
    ],
)
def test_where_the_time_went_is_one_sentence(answering: float, pauses: tuple[float, ...], told: str) -> None:
    assert overview.time_spent(3_900.0, answering, pauses, 0) == told
    assert overview.time_spent(3_900.0, answering, pauses, 70) == (
        f"{told} The questions were planned to take 1 hour 10 minutes."
    )

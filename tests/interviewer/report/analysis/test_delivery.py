"""How answers were spoken stands in the report, apart from every score."""

from __future__ import annotations

from pathlib import Path

from interviewer.engine.service import InterviewService
from interviewer.report.analysis.delivery import hanging, manner
from interviewer.report.analysis.findings import findings
from interviewer.report.phrases import delivery
from interviewer.report.render.html import render_html
from interviewer.report.render.markdown import render_markdown
from interviewer.report.render.pdf.document import render_pdf
from interviewer.report.schema.findings import Findings
from interviewer.session.events import AnswerGraded
from interviewer.session.plan import Plan
from interviewer.speech.delivery import Delivery
from interviewer.speech.spoken_answer import SpokenAnswer
from interviewer.storage.sqlite_journal import Journal
from rubric.model import Verdict
from serving.speech.stt.transcript import Word
from tests.interviewer.builders import KeywordGrader, Shelf, question
from tests.interviewer.report.sample_session import Telling
from tests.interviewer.report.sample_session import question as sample

SAID = "alpha <script>alert(1)</script> words " + "word " * 30


def spoken(*, pace: float, pause: float) -> SpokenAnswer:
    words = tuple(
        Word(text=text, start=place, end=place + 0.4, probability=0.2 if "script" in text else 0.9)
        for place, text in enumerate(SAID.split())
    )
    return SpokenAnswer(
        heard=SAID.strip(),
        written=SAID.strip(),
        words=words,
        delivery=Delivery(
            duration=30.0,
            words=32,
            pace=pace,
            talking=0.8,
            longest_pause=pause,
            longest_pause_at=12.0,
            pauses=1,
            fillers={"um": 3, "unwritten": 2},
            restarts=1,
            hedges={"i think": 2},
        ),
    )


def told(folder: Path, answers: list[SpokenAnswer | None]) -> Findings:
    bank = [question(f"q{n}", text=f"What is thing {n}?") for n in range(len(answers))]
    with (
        Journal(folder / "journal.db") as journal,
        InterviewService(journal, Shelf(bank), KeywordGrader(), patience_s=None) as service,
    ):
        session = service.start(Plan(question_ids=tuple(held.id for held in bank), follow_ups=0))
        for place, each in enumerate(answers):
            service.answer(session, SAID, f"a{place}", spoken=each, literally=True)
            service.advance(session)
        return findings(session, service.state(session))


def test_what_was_measured_is_added_up(tmp_path: Path) -> None:
    found = told(tmp_path, [spoken(pace=100, pause=1.5), None, spoken(pace=140, pause=6.0)]).manner
    assert found is not None
    assert (found.answers, found.words, found.seconds, found.pace) == (2, 64, 60.0, 120.0)
    assert found.fillers == (("um", 6), ("unwritten", 4))
    assert (found.longest_pause.number, found.longest_pause.seconds) == (3, 6.0)
    assert found.sure is not None
    assert 0.9 < found.sure < 1
    assert found.corrected == 0
    first = " ".join(delivery.summary(found))
    assert "120 words a minute: easy to follow." in first
    assert "6.0 seconds (question 3, answer 1). Say that you need a moment" in first
    assert "Fillers: “um” 6, 6.0 a minute." in first
    rest = " ".join(delivery.details(found))
    assert "2 spoken answers: 64 words in 1 min 0 s; you were talking 80% of that time." in rest
    assert "4 sounds between words were not recognized." in rest, "nobody knows what they were"
    assert "pause" not in rest, "it stands on the first page already"
    assert "Hedges: “I think” 4. Hedge only what you are not sure of." in rest
    few = found.model_copy(update={"hedges": (("maybe", 1),)})
    assert "Hedge only" not in " ".join(delivery.details(few)), "one is no habit"


def test_it_changes_no_score_and_stands_in_every_format_as_text(tmp_path: Path) -> None:
    with_voice = told(tmp_path / "voice", [spoken(pace=220, pause=0.5)])
    typed = told(tmp_path / "typed", [None])
    assert typed.manner is None
    assert with_voice.overall == typed.overall
    html = render_html(with_voice)
    assert f'id="report-spoken">\n<h2 class="section">{delivery.SPOKEN}</h2>' in html
    assert html.index("220 words a minute: fast") < html.index('id="report-appendix"')
    assert "<script>alert(1)" not in html
    assert f"## {delivery.SPOKEN}\n" in render_markdown(with_voice)
    assert delivery.SPOKEN not in render_html(typed)
    assert render_pdf(with_voice).startswith(b"%PDF")


def test_a_misheard_word_is_told_once_a_question_and_not_where_it_was_heard() -> None:
    tell = Telling()
    for said in ("auto grat keeps no gradient.", "Autograd keeps no gradient."):
        q = tell.ask(sample("q", [("one", "A.", 1), ("two", "B.", 1)]))
        tell.grade(q, tell.answer(q, said), [(Verdict.MISSING, 0.1, ""), (Verdict.MISSING, 0.1, "")])
        graded = tell.events[-1]
        assert isinstance(graded, AnswerGraded)
        doubted = tuple(each.model_copy(update={"doubtful": ("autograd",)}) for each in graded.grade.criteria)
        tell.events[-1] = graded.model_copy(update={"grade": graded.grade.model_copy(update={"criteria": doubted})})
    assert hanging(tell.state.asked) == ("question 1: autograd",)


def test_a_moment_is_told_with_the_answer_it_is_in() -> None:
    tell = Telling()
    q = tell.ask(sample("q", [("one", "A.", 1)]))
    for pause in (1.5, 5.0):
        tell.answer(q, SAID)
        answer = tell.events[-1]
        tell.events[-1] = answer.model_copy(update={"spoken": spoken(pace=120, pause=pause)})
    found = manner(tell.state.asked)
    assert found is not None
    assert (found.longest_pause.number, found.longest_pause.answer) == (1, 2)
    assert delivery.example(found.examples[0]).startswith("Longest pause: question 1, answer 2, at 0:12")

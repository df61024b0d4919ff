"""What the reader is fitted to: questions with their criteria, statements, labeled answers and excerpts of these.

A corpus is made once, with the sentence encoder, and written as JSON lines; the fit then needs no encoder, and draws
the same examples whenever it is taken up again. A fifth of the questions is held out of a fit, whatever they come from;
of SemEval's, half.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rubric.grading import excerpts, signals
from rubric.grading.claims import claims
from rubric.grading.signals import AnswerView
from rubric.model import Criterion, Span, Verdict
from rubric.training.labeled_answers import Answer
from serving.atomic import replacement
from serving.encoders.sentence_encoder import Embedder
from serving.frozen import FrozenModel

Source = Literal["bank", "graded", "semeval"]

HELD_OUT = {"bank": 5, "graded": 5, "semeval": 2}
"""Of how many questions of a source one is held out."""

MOST_DISTRACTORS = 8

MOST_OF_A_QUESTION = 20
"""Answers to a question of SemEval that are kept; there are up to a hundred, much alike."""

SAME = 0.85
"""Similarity from which a statement on another criterion may well make the point too (cosine)."""

_JOINS = re.compile(r"[,;]?\s+(?:because|since|so that|so|which|and|but|while|whereas|instead of|rather than)\s")
_FEWEST_KEPT, _FEWEST_CUT = 5, 4
_LOST, _ABOUT = 0.10, 0.35
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)

SEMEVAL_LABELS: dict[str, tuple[Verdict, ...]] = {
    "correct": (Verdict.MET,),
    "contradictory": (Verdict.CONTRADICTED,),
    # The marks do not tell an incomplete answer from one on something else.
    "incorrect": (Verdict.PARTIAL, Verdict.MISSING),
}


class Excerpt(FrozenModel):
    """Words that a criterion is read beside.

    Attributes:
        words: sentences of an answer, a line each.
        allowed: the verdicts that are right; more than one where the label does not tell them apart.
        kind: ``answer``: what is nearest in a labeled answer; ``evidence``: the words that its label rests on;
            ``left out``: what is nearest without these; ``reference``: what is nearest in the reference.

    """

    words: str
    allowed: tuple[Verdict, ...]
    kind: Literal["answer", "evidence", "left out", "reference"]


class Point(FrozenModel):
    """A criterion and what can be read beside it.

    Attributes:
        criterion: with its statements, if it has any.
        parts: statements that make a part of the point only.
        distractors: statements on other criteria of the question, the nearest first.
        excerpts: of answers.

    """

    criterion: Criterion
    parts: tuple[str, ...] = ()
    distractors: tuple[str, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()


class Entry(FrozenModel):
    """A question of the corpus.

    Attributes:
        id: unique within its source.
        source: where it comes from.
        text: as asked.
        points: its criteria.

    """

    id: str
    source: Source
    text: str
    points: tuple[Point, ...]

    @property
    def held_out(self) -> bool:
        """Whether nothing may be fitted to it."""
        return held_out(self.id, HELD_OUT[self.source])


def held_out(question_id: str, parts: int) -> bool:
    """Whether a question is among the one of ``parts`` that is held out; the same for the same id."""
    return int.from_bytes(hashlib.sha256(question_id.encode()).digest()[:4]) % parts == 0


def entry(
    question_id: str,
    source: Source,
    question: str,
    criteria: Sequence[Criterion],
    answers: Sequence[Answer],
    *,
    embedder: Embedder,
    reference: str = "",
    reasons: Mapping[str, Mapping[str, str]] | None = None,
) -> Entry:
    """A question with the excerpts of its answers.

    Args:
        question_id: see ``Entry``.
        source: see ``Entry``.
        question: as asked.
        criteria: the question's.
        answers: labeled, with the same criteria, but for such as came to the question after they were labeled.
        embedder: of the fitted encoder.
        reference: makes every point; empty where there is none.
        reasons: by the answer's text, for each criterion's id why it is labeled so, with the words quoted.

    """
    signals.prepare(question, criteria, embedder)
    seen = [signals.view(claimed(answer), embedder) for answer in answers]
    told = " ".join(_FENCED.sub(" ", reference).replace("`", "").split())
    of_reference = signals.view(told, embedder) if told else None
    points = []
    labels = [dict(zip((item.id for item in each.criteria), each.labels, strict=True)) for each in answers]
    for criterion in criteria:
        found: list[Excerpt] = []
        for view, answer, labeled in zip(seen, answers, labels, strict=True):
            if criterion.id not in labeled:
                continue
            why = (reasons or {}).get(answer.text, {}).get(criterion.id, "")
            found += _excerpts(view, criterion, labeled[criterion.id], why, embedder)
        if of_reference is not None:
            text = signals.read_beside(of_reference, criterion, embedder)
            found.append(Excerpt(words=text, allowed=(Verdict.MET,), kind="reference"))
        points.append(
            Point(
                criterion=criterion.model_copy(update={"probe": "", "proof": ""}),
                parts=parts_of(criterion, embedder),
                distractors=distractors(criterion, criteria, embedder),
                excerpts=tuple(found),
            )
        )
    return Entry(id=question_id, source=source, text=question, points=tuple(points))


def claimed(answer: Answer) -> str:
    """What an answer claims; all of it where that is nothing."""
    found = claims(answer.text, answer.question)
    return answer.text if found.silent else found.text


def _excerpts(
    view: AnswerView, criterion: Criterion, label: Verdict, why: str, embedder: Embedder
) -> Iterator[Excerpt]:
    near = excerpts.nearness(signals.similarity(view, criterion, embedder), len(view.spans))

    def of(chosen: Sequence[int]) -> str:
        return excerpts.text_of(view.text, view.spans, chosen)

    chosen = excerpts.nearest(view.spans, near)
    yield Excerpt(words=of(chosen), allowed=(label,), kind="answer")
    rests_on = quoted(view.text, view.spans, why)
    if label is Verdict.MISSING or rests_on is None:
        return
    if tuple(sorted(rests_on)) != chosen:
        yield Excerpt(words=of(sorted(rests_on)), allowed=(label,), kind="evidence")
    left = excerpts.nearest(view.spans, near, without=rests_on) if len(rests_on) < len(view.spans) else ()
    if left:
        # Who makes a point sometimes makes some of it twice.
        allowed = (Verdict.MISSING, Verdict.PARTIAL) if label is Verdict.MET else (Verdict.MISSING,)
        yield Excerpt(words=of(left), allowed=allowed, kind="left out")


def quoted(text: str, spans: Sequence[Span], why: str) -> frozenset[int] | None:
    """Numbers of the sentences that a reason quotes; ``None`` where it quotes nothing, or something not found."""
    said = _plain(text)
    found: set[int] = set()
    for quote in _QUOTED.findall(why):
        wanted = _plain(quote).strip(" .,;")
        begin = said.find(wanted)
        if begin < 0 or not wanted:
            return None
        end = begin + len(wanted)
        found |= {number for number, (start, stop) in enumerate(spans) if begin < stop and end > start}
    return frozenset(found) or None


def _plain(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'").lower()


def distractors(criterion: Criterion, siblings: Sequence[Criterion], embedder: Embedder) -> tuple[str, ...]:
    """Statements on other criteria of the question, nearest to the point first, without those that may make it."""
    texts = [
        text
        for other in siblings
        if other.id != criterion.id
        for text in (*other.examples.met, *other.examples.contradicted, *other.examples.near)
    ]
    if not texts:
        return ()
    own = [criterion.text, *criterion.examples.met, *criterion.examples.contradicted]
    near = (embedder.embed(texts) @ embedder.embed(own).T).max(axis=1)
    order = [int(place) for place in np.argsort(-near, kind="stable") if near[place] < SAME]
    return tuple(texts[place] for place in order[:MOST_DISTRACTORS])


def parts_of(criterion: Criterion, embedder: Embedder) -> tuple[str, ...]:
    """What is left of statements that meet a point of two parts when the second part is cut off.

    A cut counts where the encoder tells that it costs something: what is left is about the point, and less near to it.
    """
    if not _JOINS.search(criterion.text):
        return ()
    cut: list[tuple[str, str]] = []
    for text in (criterion.text, *criterion.examples.met):
        for match in _JOINS.finditer(text):
            head, tail = text[: match.start()], text[match.end() :]
            if len(head.split()) >= _FEWEST_KEPT and len(tail.split()) >= _FEWEST_CUT:
                cut.append((text, head.rstrip(" ,;:") + "."))
    if not cut:
        return ()
    point = embedder.embed([criterion.text])[0]
    before = embedder.embed([text for text, _ in cut]) @ point
    after = embedder.embed([head for _, head in cut]) @ point
    keep = (before - after >= _LOST) & (after >= _ABOUT)
    return tuple(dict.fromkeys(head for (_, head), kept in zip(cut, keep, strict=True) if kept))


def semeval_entries(rows: Iterable[Mapping[str, Any]], embedder: Embedder) -> Iterator[Entry]:
    """The questions of SemEval-2013 task 7: each answer is read beside the reference that it is nearest to."""
    of: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["answer"].strip() and row["references"]:
            of.setdefault(row["qid"], []).append(row)
    for question_id, everything in of.items():
        draw = random.Random(question_id)  # noqa: S311 - no secret
        given = draw.sample(everything, min(MOST_OF_A_QUESTION, len(everything)))
        references = list(dict.fromkeys(given[0]["references"]))
        near = embedder.embed([row["answer"] for row in given]) @ embedder.embed(references).T
        beside = near.argmax(axis=1)
        yield Entry(
            id=question_id,
            source="semeval",
            text=given[0]["question"],
            points=tuple(
                Point(
                    criterion=Criterion(id=f"r{number}", text=text),
                    excerpts=tuple(
                        Excerpt(words=row["answer"].strip(), allowed=SEMEVAL_LABELS[row["label"]], kind="answer")
                        for row, place in zip(given, beside, strict=True)
                        if place == number
                    ),
                )
                for number, text in enumerate(references)
                if (beside == number).any()
            ),
        )


def save(entries: Iterable[Entry], path: Path) -> None:
    """Write a corpus."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacement(path) as partial, partial.open("w", encoding="utf-8") as stream:
        for each in entries:
            stream.write(json.dumps(each.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) + "\n")


def load(path: Path) -> list[Entry]:
    """Read a corpus."""
    return [Entry.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line]

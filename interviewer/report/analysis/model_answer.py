"""The answer rewritten in one voice: what the person said right, in their order, with what was missing put in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interviewer.report.schema.question import CriterionFinding, Quote, StrongPart
from interviewer.session.events import AnswerGiven
from interviewer.speech.inverse_normalization import inverse_normalize
from knowledge.model import Kind, Question
from rubric.grading.evidence import sentences
from rubric.model import Criterion, Verdict
from rubric.words import content_words

_KEPT = {Verdict.MET, Verdict.PARTIAL}
_ADDED = {Verdict.PARTIAL, Verdict.MISSING, Verdict.CONTRADICTED}

_SAYS_ENOUGH = 0.5
"""Share of a criterion's content words that a sentence of the reference has to hold to say the point."""

_SAYS_LITTLE_ELSE = 0.3
"""Share of such a sentence's content words that the criterion has to hold: the rest would repeat other points."""

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"\n\s*\n|^\s*(?:#{1,6}\s.*$|[-*+]\s+|\d+[.)]\s+|>\s?|\|.*$)", re.MULTILINE)
_EMPHASIS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}")
_LEANS = re.compile(
    r"(?:it|its|this|that|these|those|they|their|there|such|otherwise|so|then|but|and|here|both|instead|also|again)\b",
    re.IGNORECASE,
)
"""How a sentence begins that leans on the one before it, which will not stand there."""

_ABOUT_SOMEBODY = re.compile(r"[A-Z][a-z]+s\s")
"""How a criterion begins that tells what an answer does ("Names a result") instead of the point itself."""

_NOT_VERBS = ("Gradients", "Parameters", "Tensors", "Weights", "Buckets", "Positions", "Powers", "Workers", "This")


def strong_answer(
    criteria: Sequence[CriterionFinding], question: Question, answers: Sequence[AnswerGiven]
) -> tuple[StrongPart, ...]:
    """The person's credited sentences in the order they said them, with ours where something was missing or wrong.

    A sentence by which a point was contradicted is left out, whatever else it earned, and the right one stands in its
    place. What is missing follows the point before it in the rubric. Nothing is put in for a point that the person
    says they made.

    Args:
        criteria: of one question, with the current verdicts; the person's own verdict decides where there is one.
        question: as it was asked; ours are sentences of its reference, or of its rubric.
        answers: all that was said, in order.

    """
    if question.kind is Kind.BEHAVIORAL or not criteria:
        return ()
    wrong = [quote for found in criteria if found.settled is Verdict.CONTRADICTED for quote in found.quotes]
    parts = _kept(criteria, wrong, answers)
    places = {answer.id: place for place, answer in enumerate(answers)}
    told: dict[str, int] = {}
    for found in criteria:
        doubtful = not found.sure and found.self_assessed is None and found.settled is Verdict.MET
        if found.contested or not (found.settled in _ADDED or doubtful):
            continue
        text = _ours(found, question)
        if text in told:
            at = next(place for place, part in enumerate(parts) if part.quote is None and part.text == text)
            parts[at] = parts[at].model_copy(update={"numbers": (*parts[at].numbers, found.number)})
            continue
        told[text] = found.number
        addition = StrongPart(text=text, origin="ours", numbers=(found.number,))
        parts.insert(_place(parts, found, places), addition)
    return tuple(parts)


def _kept(
    criteria: Iterable[CriterionFinding], wrong: Sequence[Quote], answers: Sequence[AnswerGiven]
) -> list[StrongPart]:
    """The person's own sentences that earned credit, each once, in the order in which they were said."""
    parts: list[StrongPart] = []
    for found in criteria:
        if found.settled not in _KEPT:
            continue
        for quote in found.quotes:
            if any(_overlap(quote, other) for other in wrong):
                continue
            same = next((at for at, part in enumerate(parts) if part.quote and _overlap(part.quote, quote)), None)
            if same is None:
                parts.append(StrongPart(text=quote.text, origin="yours", numbers=(found.number,), quote=quote))
            else:
                numbers = tuple(dict.fromkeys((*parts[same].numbers, found.number)))
                parts[same] = parts[same].model_copy(update={"numbers": numbers})
    order = {answer.id: place for place, answer in enumerate(answers)}
    return sorted(parts, key=lambda part: (order[part.quote.answer_id], part.quote.start) if part.quote else (0, 0))


def _place(parts: Sequence[StrongPart], found: CriterionFinding, order: dict[str, int]) -> int:
    """Where what is added for a point belongs: behind its half, where its opposite was said, or after its neighbor."""
    own = [at for at, part in enumerate(parts) if found.number in part.numbers]
    if own:
        return own[-1] + 1
    if found.settled is Verdict.CONTRADICTED and found.quotes:
        said = (order[found.quotes[0].answer_id], found.quotes[0].start)
        before = [
            at for at, part in enumerate(parts) if part.quote and (order[part.quote.answer_id], part.quote.start) < said
        ]
        return before[-1] + 1 if before else 0
    for number in range(found.number - 1, 0, -1):
        neighbor = [at for at, part in enumerate(parts) if number in part.numbers]
        if neighbor:
            return neighbor[-1] + 1
    return 0


def _ours(found: CriterionFinding, question: Question) -> str:
    """How the point is said: by the reference where one of its sentences says it alone, else by the rubric."""
    point = next((c for c in question.rubric.criteria if c.id == found.id), None) if question.rubric else None
    said = None if question.flags else _of_reference(found.text, question.reference)
    if said is not None:
        return said
    return _of_rubric(found, point)


def _of_rubric(found: CriterionFinding, point: Criterion | None) -> str:
    examples = point.examples.met if point else ()
    begins = found.text.split(" ", 1)[0]
    if examples and _ABOUT_SOMEBODY.match(found.text) and begins not in _NOT_VERBS:
        return inverse_normalize(examples[0])
    return found.text


def _of_reference(criterion: str, reference: str) -> str | None:
    """The sentence of a reference that says a criterion and little else; ``None`` where none does."""
    wanted = content_words(criterion)
    best: tuple[float, str] | None = None
    for sentence in reference_sentences(reference):
        held = content_words(sentence)
        common = len(wanted & held)
        if not common or _LEANS.match(sentence):
            continue
        enough, alone = common / len(wanted), common / len(held)
        if enough >= _SAYS_ENOUGH and alone >= _SAYS_LITTLE_ELSE and (best is None or enough + alone > best[0]):
            best = (enough + alone, sentence)
    return best[1] if best else None


def reference_sentences(reference: str) -> tuple[str, ...]:
    """The sentences of a reference in Markdown, without code blocks, headings, tables, and emphasis."""
    blocks = _BLOCK.split(_FENCE.sub("\n\n", reference))
    lines = (" ".join(_EMPHASIS.sub("", block).split()) for block in blocks)
    found = (line[start:end] for line in lines for start, end in sentences(line))
    return tuple(each for each in found if each[-1] in ".!?" and not each[0].islower())


def _overlap(one: Quote, other: Quote) -> bool:
    return one.answer_id == other.answer_id and one.start < other.end and other.start < one.end

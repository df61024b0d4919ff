"""The answer rewritten as it could be spoken: the person's right sentences, with what was missing put in. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from interviewer.report.analysis.quotes import overlap
from interviewer.report.schema.question import CriterionFinding, Quote, StrongPart
from interviewer.session.events import AnswerGiven
from interviewer.speech.inverse_normalization import inverse_normalize
from interviewer.text import capitalized
from interviewer.understanding.correction_cues import takes_back
from interviewer.understanding.fluent_speech import fluent
from interviewer.understanding.stop_words import stems
from knowledge.model import Kind, Question
from rubric.grading.evidence import sentences
from rubric.model import Verdict
from rubric.words import content_words

_FEWEST_WORDS, _MOST_WORDS = 4, 45
"""Words of a sentence that can be read out: fewer are a fragment, more are a run of sentences without full stops."""

_SAYS_ENOUGH = 0.5
"""Share of a criterion's content words that a sentence of the reference has to hold to say the point."""

_SAYS_LITTLE_ELSE = 0.3
"""Share of such a sentence's content words that the criterion has to hold: the rest would repeat other points."""

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"\n\s*\n|^\s*(?:#{1,6}\s.*$|[-*+]\s+|\d+[.)]\s+|>\s?|\|.*$)", re.MULTILINE)
_EMPHASIS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}")
_LEANS = re.compile(
    r"(?:it|its|it's|this|that|that's|these|those|they|they're|their|them|there|such|otherwise|so|then|but|and|or|"
    r"because|which|where|while|here|both|instead|also|again|however|therefore|still|the (?:first|second|third|latter|"
    r"former|same|others?)|each (?:gets|has|is|of them|one)|not (?!all|every|each|any|only|one)"
    r"|would|could|should|said|asked)\b",
    re.IGNORECASE,
)
"""How a sentence begins that leans on the one before it, which will not stand there, or that lacks who does it."""

_BEFORE_IT = re.compile(
    r"^(?:(?:ok(?:ay)?|well|yeah|yes|right|sure|like|so|and|basically|actually|i mean|you know|i think|i guess|"
    r"i believe|i'd say|i would say)\b(?: that\b)?[,.]?\s+)+",
    re.IGNORECASE,
)
"""What is said at the beginning of a sentence and adds nothing to it. It earned its credit all the same."""

_FILLER = re.compile(
    r"(?:um+|uh+|hm+|ok(?:ay)?|well|yes|yeah|yep|no|nope|right|sure|like|sorry|let me)\b(?!-)", re.IGNORECASE
)
_HEDGED = re.compile(
    r"\b(?:i think|i guess|i believe|i suppose|i'm not sure|i don't know|no idea|probably|maybe|perhaps|somehow|or so|"
    r"kind of|sort of|um|uh)\b",
    re.IGNORECASE,
)
_OF_THE_TALK = re.compile(
    r"\b(?:i(?:'ve| have)? (?:already )?(?:said|told|mentioned|explained)|said (?:that|it|this) (?:already|before)"
    r"|you asked (?:me|about|how|what|whether|why)|your question)\b",
    re.IGNORECASE,
)
"""What is about the conversation and no part of an answer."""

_FAULT = re.compile(
    r"\bmy (?:own )?(?:mistake|bug|error|fault|slip)\b|\bi (?:forgot|misread|mixed up|got (?:it|that|this) wrong"
    r"|was wrong|made (?:a|an|the) (?:mistake|error|slip))\b|\bmistake of mine\b",
    re.IGNORECASE,
)
"""How a fault is confessed, which is right to say and no part of a strong answer."""

_SAID_AGAIN = 0.8
"""Share of a sentence's words that another sentence has to hold to say it again."""

_SENTENCE_END = re.compile(r"(?<=[.!?])(?=\s)|\n")

_ABOUT_SOMEBODY = re.compile(r"[A-Z][a-z]+s\s")
"""How a criterion begins that tells what an answer does ("Names a result") instead of the point itself."""

_NOT_VERBS = ("Gradients", "Parameters", "Tensors", "Weights", "Buckets", "Positions", "Powers", "Workers", "This")


def strong_answer(
    criteria: Sequence[CriterionFinding],
    question: Question,
    answers: Sequence[AnswerGiven],
    about_faults: Collection[str] = (),
) -> tuple[StrongPart, ...]:
    """The answer as it could be spoken: every point in the order of the rubric, each in whole sentences.

    A point that was surely made is said in the person's own sentences, where these can be read out as they are; any
    other in a sentence of the reference, or of the rubric. A sentence by which a point was contradicted is left out,
    whatever else it earned. A point that the person says they made, or that nobody asked for, adds nothing.

    Args:
        criteria: of one question, with the current verdicts; the person's own verdict decides where there is one.
        question: as it was asked; ours are sentences of its reference, or of its rubric.
        answers: all that was said, in order.
        about_faults: ids of the answers that say what is wrong with the person's code: no sentence of these is kept.

    Returns:
        Nothing unless every point can be said in whole sentences that stand on their own, and one of them at least is
        the person's.

    """
    if question.kind is Kind.BEHAVIORAL or not criteria:
        return ()
    texts = {answer.id: answer.text for answer in answers if answer.id not in about_faults}
    wrong = [quote for found in criteria if found.settled is Verdict.CONTRADICTED for quote in found.quotes]
    parts: list[StrongPart] = []
    for found in criteria:
        if found.contested or found.never_asked or found.settled is Verdict.UNSCORED:
            continue
        made = found.settled is Verdict.MET and (found.sure or found.self_assessed is not None)
        own = _own_sentences(found.quotes, wrong, texts) if made else ()
        text = None if own else _ours(found, question)
        if not own and text is None:
            return ()
        for quote in own:
            _say(parts, StrongPart(text=as_meant(quote.text), origin="yours", numbers=(found.number,), quote=quote))
        if text is not None:
            _say(parts, StrongPart(text=text, origin="ours", numbers=(found.number,)))
    parts = _once(parts)
    return tuple(parts) if any(part.quote for part in parts) else ()


def _once(parts: Sequence[StrongPart]) -> list[StrongPart]:
    """The parts without sentences of the person's that another one of theirs says again and more."""
    told = [(place, stems(part.text)) for place, part in enumerate(parts) if part.quote]
    own = [(place, words) for place, words in told if len(words) >= _FEWEST_WORDS]

    def again(place: int, words: frozenset[str]) -> int | None:
        """The place of a sentence that holds this one; of two that hold each other the first stays."""
        for other, held in own:
            whole = other != place and len(words & held) >= _SAID_AGAIN * len(words)
            if whole and (len(held) > len(words) or (len(held) == len(words) and other < place)):
                return other
        return None

    kept = dict(enumerate(parts))
    for place, words in own:
        holder = again(place, words)
        if holder is not None and holder in kept:
            said = kept.pop(place)
            numbers = tuple(sorted({*kept[holder].numbers, *said.numbers}))
            kept[holder] = kept[holder].model_copy(update={"numbers": numbers})
    return [kept[place] for place in sorted(kept)]


def _say(parts: list[StrongPart], part: StrongPart) -> None:
    """Put a sentence behind the others; one that is there already makes one point more."""
    for at, other in enumerate(parts):
        if other.text == part.text and other.quote == part.quote:
            parts[at] = other.model_copy(update={"numbers": (*other.numbers, *part.numbers)})
            return
    parts.append(part)


def _own_sentences(quotes: Sequence[Quote], wrong: Sequence[Quote], texts: Mapping[str, str]) -> tuple[Quote, ...]:
    """The whole sentences that evidence lies in; none where one of them cannot be read out as it is."""
    found: list[Quote] = []
    for quote in quotes:
        text = texts.get(quote.answer_id, "")
        for whole in _around(quote, text):
            if _is_taken_back(whole, text):
                return ()
            follows = bool(found) and found[-1].answer_id == whole.answer_id and found[-1].end + 1 == whole.start
            reads_alone = not whole.text[0].islower() and _reads_alone(as_meant(whole.text), follows=follows)
            if not reads_alone or any(overlap(whole, other) for other in wrong):
                return ()
            if whole not in found:
                found.append(whole)
    return tuple(found)


def _is_taken_back(sentence: Quote, text: str) -> bool:
    """Whether a sentence confesses a fault, or the one behind it says that it was wrong."""
    following = text[sentence.end :].lstrip()
    return _FAULT.search(sentence.text) is not None or takes_back(sentence.text) or takes_back(following)


def as_meant(sentence: str) -> str:
    """A sentence as it was meant: without what is said before one has begun, fillers, and words said twice."""
    return capitalized(_BEFORE_IT.sub("", fluent(sentence)))


def _around(quote: Quote, text: str) -> Iterable[Quote]:
    """The sentences of an answer that a quotation touches, from full stop to full stop."""
    edges = [0, *(mark.end() for mark in _SENTENCE_END.finditer(text)), len(text)]
    for start, end in pairwise(edges):
        said = text[start:end]
        begin = start + len(said) - len(said.lstrip())
        if said.strip() and begin < quote.end and quote.start < end:
            stripped = said.strip()
            yield quote.model_copy(update={"start": begin, "end": begin + len(stripped), "text": stripped})


def _reads_alone(sentence: str, *, follows: bool = False) -> bool:
    """Whether a sentence can be read out as it is.

    It begins with a capital letter and ends in a full stop, is neither a fragment nor endless, hedges nothing, and
    leans on nothing that was said before it, unless it follows that.
    """
    words = sentence.split()
    return (
        _FEWEST_WORDS <= len(words) <= _MOST_WORDS
        and not sentence[0].islower()
        and sentence.endswith((".", "!"))
        and not _HEDGED.search(sentence)
        and not _OF_THE_TALK.search(sentence)
        and not _FILLER.match(sentence)
        and (follows or not _LEANS.match(sentence))
    )


def _ours(found: CriterionFinding, question: Question) -> str | None:
    """How the point is said: by the reference where one of its sentences says it alone, else by the rubric.

    ``None`` where neither says it in a sentence that stands on its own.
    """
    point = next((c for c in question.rubric.criteria if c.id == found.id), None) if question.rubric else None
    said = None if question.flags else _of_reference(found.text, question.reference)
    if said is not None:
        return said
    begins = found.text.split(" ", 1)[0]
    describes = _ABOUT_SOMEBODY.match(found.text) is not None and begins not in _NOT_VERBS
    if not describes:
        return None if _LEANS.match(found.text) else found.text
    examples = map(inverse_normalize, point.examples.met if point else ())
    return next(filter(_reads_alone, examples), None)


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

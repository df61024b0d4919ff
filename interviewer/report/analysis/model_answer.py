"""The answer rewritten as it could be spoken: what the person said, with what was missing put in. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from interviewer.report.analysis.quotes import overlap
from interviewer.report.schema.question import CriterionFinding, Quote, StrongPart
from interviewer.scoring.admissions import admits_not_knowing
from interviewer.session.events import AnswerGiven
from interviewer.speech.inverse_normalization import inverse_normalize
from interviewer.text import capitalized, plain
from interviewer.understanding.correction_cues import mends_earlier, takes_back
from interviewer.understanding.fluent_speech import fluent
from interviewer.understanding.intent import Intent
from interviewer.understanding.intent_classifier import ahead, intent_of
from interviewer.understanding.stop_words import stems
from interviewer.understanding.turn_parts import adds_first, says_so_already
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

_POINTS_BACK = re.compile(
    r"(?:it|its|it's|this|that|that's|these|those|they|they're|their|them|such|otherwise|then|here|both|instead|also|again|"
    r"however|therefore|still|times|plus|going back|back to|the (?:first|second|third|latter|former|same|others?)|"
    r"each (?:gets|has|is|of them|one)|would|could|should|said|asked)\b"
    r"|(?:on|in|at|with|without|as|for|after|before|from|by|to|under|during|if|when|once|since)\s+(?:[^\s,;:]+\s+){1,4}"
    r"(?:it|it's|they|they're|them|each of them)\b",
    re.IGNORECASE,
)
"""How a sentence begins that nobody understands without the one before it."""

_ON_THE_SUBJECT = re.compile(r"(?:[^\s,;:]+\s+){0,5}it(?:'s)?\b", re.IGNORECASE)
"""How one begins that may mean what the question is on, and not the sentence before it."""

_NAMES_NOTHING = re.compile(r"(?:[^\s,;:]+\s+){0,3}(?:it|it's|its|they|they're|their|them)\b", re.IGNORECASE)
"""How a statement of somebody's begins that does not say what it is on."""

_ORDINAL = re.compile(
    r"^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|finally|lastly)\s*[,:]\s+", re.IGNORECASE
)
"""How one counts what is said; what is counted before and behind it may be left out."""

_GOES_ON = re.compile(
    r"[^,.:;]*\b(?:too|also|either|as well|another|a (?:second|third|fourth|further) \w+)\b(?=[\s,.:;])", re.IGNORECASE
)
"""How a sentence of a reference begins that goes on from one before it."""

_BECAUSE = re.compile(r"^because,?\s+(?=[^,]*$|[^,]*,\s*(?:like|so|and|but|or|which|not)\b)", re.IGNORECASE)
"""How a reason is given to somebody who asked for it, where it is all of a sentence."""

_LEADS_IN = re.compile(
    r"^(?:(?:then|also|again|next|after that)\b,?\s+|[^:.?!]{0,40}\b(?:briefly|roughly|in short|shortly)\s*:\s+)",
    re.IGNORECASE,
)
"""What only joins a sentence to the one before it."""

_BEFORE_IT = re.compile(
    r"^(?:(?:ok(?:ay)?|all right|well|yeah|yes|right|sure|like|so|and|basically|actually|i mean|you know|i think|"
    r"i guess|i believe|i'd say|i would say)\b(?: that\b)?[,.]?\s+)+",
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


_Wrong = tuple[Quote, CriterionFinding | None]
"""Words that are not to be said again, and the point that they contradict, where there is one."""


def strong_answer(
    criteria: Sequence[CriterionFinding],
    question: Question,
    answers: Sequence[AnswerGiven],
    beside: Collection[str] = (),
    doubted: Collection[Quote] = (),
) -> tuple[StrongPart, ...]:
    """The answer as it could be spoken: what the person said, in their order, with what was wanting put in.

    Theirs are the sentences that surely earned credit: whatever else was said may be wrong, and nobody is to learn it
    by heart. Left out are questions, what is about the conversation, what was taken back, what is doubted, and
    sentences by which a point was surely contradicted, in whose place the point stands. So it does in the place of a
    sentence that points back to one that is left out. Every point that was not surely made as a whole follows at the
    end, in the order of the rubric. A point that the person says they made, or that nobody asked for, adds nothing.

    Args:
        criteria: of one question, with the current verdicts; the person's own verdict decides where there is one.
        question: as it was asked; ours are sentences of its reference, or of its rubric.
        answers: all that was said, in order.
        beside: ids of the answers that are no part of it: what they said to faults of their code, or to what goes
            beyond the question.
        doubted: statements of theirs that the judge doubts.

    Returns:
        Nothing for a story, and where nothing of the person's is left.

    """
    if question.kind is Kind.BEHAVIORAL or not criteria:
        return ()
    asked_for = [each for each in criteria if not each.contested and not each.never_asked]
    opposed = [found for found in asked_for if found.settled is Verdict.CONTRADICTED and found.decided]
    wrong: list[_Wrong] = [(quote, found) for found in opposed for quote in found.quotes]
    wrong += [(quote, None) for quote in doubted]
    said = [answer for answer in answers if answer.id not in beside]
    parts = _told(said, asked_for, wrong, question, alone=True)
    if not any(part.quote for part in parts):
        parts = _told(said, asked_for, wrong, question, alone=False)
    if not any(part.quote for part in parts):
        return ()
    if all(map(_surely_made, asked_for)):
        # Nothing is wanting: what cannot be said by itself is left out, and not said anew.
        return tuple(part for part in parts if part.quote)
    told = {number for part in parts if not part.quote for number in part.numbers}
    for found in asked_for:
        if found.number not in told and not _surely_made(found) and (text := _ours(found, question)) is not None:
            _add(parts, text, found.number)
    return tuple(parts)


def _surely_made(found: CriterionFinding) -> bool:
    """Whether nothing of a point is to be put in."""
    return found.settled is Verdict.UNSCORED or (found.settled is Verdict.MET and found.decided)


def _told(
    answers: Sequence[AnswerGiven],
    criteria: Sequence[CriterionFinding],
    wrong: Sequence[_Wrong],
    question: Question,
    *,
    alone: bool,
) -> list[StrongPart]:
    """What of the answers may be said again, with what is right in the place of what may not.

    A sentence that points back to one left out may only where none else is there: it may point to the question.
    """
    parts: list[StrongPart] = []
    for answer in answers:
        _say_all(parts, answer, criteria, wrong, question, alone=alone)
    return _filled(_once(parts), criteria, question)


def _say_all(
    parts: list[StrongPart],
    answer: AnswerGiven,
    criteria: Sequence[CriterionFinding],
    wrong: Sequence[_Wrong],
    question: Question,
    *,
    alone: bool,
) -> None:
    """Put the sentences of an answer behind the others; in the place of what is wrong stands what is right."""
    credited = [found for found in criteria if found.settled in _CREDITED and found.decided]
    kept = False
    for whole in _whole_sentences(answer):
        against = [found for quote, found in wrong if overlap(whole, quote)]
        made: tuple[int, ...] = ()
        if against:
            opposed = next(filter(None, against), None)
            text = _ours(opposed, question) if opposed is not None else None
            if opposed is not None and text is not None:
                _add(parts, text, opposed.number)
        elif _belongs(whole, answer.text) and not _misheard(whole.text, answer):
            made = tuple(found.number for found in credited if any(overlap(whole, quote) for quote in found.quotes))
        if made:
            said = _finished(as_meant(whole.text) if kept else _by_itself(as_meant(whole.text)))
            subject = not alone and _ON_THE_SUBJECT.match(said) is not None
            kept = kept or subject or not _POINTS_BACK.match(said)
            parts.append(
                StrongPart(text=said, origin="yours", numbers=made, quote=whole)
                if kept
                else StrongPart(text="", origin="ours", numbers=made)
            )
        else:
            kept = False


def _by_itself(sentence: str) -> str:
    """A sentence without what only joins it to the one before."""
    return capitalized(_LEADS_IN.sub("", sentence))


def _filled(parts: Sequence[StrongPart], criteria: Sequence[CriterionFinding], question: Question) -> list[StrongPart]:
    """The parts, with the points in the place of sentences that had to be left out, where no other part makes them."""
    told = {number for part in parts if part.text for number in part.numbers}
    filled: list[StrongPart] = []
    for part in parts:
        if part.text:
            filled.append(part)
            continue
        for found in criteria:
            if found.number in part.numbers and found.number not in told:
                text = _ours(found, question)
                told.add(found.number)
                if text is not None:
                    _add(filled, text, found.number)
    return filled


_CREDITED = {Verdict.MET, Verdict.PARTIAL}


def _add(parts: list[StrongPart], text: str, number: int) -> None:
    """Put a sentence of ours behind the others; one that is there already makes one point more."""
    for at, other in enumerate(parts):
        if other.text == text and other.quote is None:
            numbers = tuple(dict.fromkeys((*other.numbers, number)))
            parts[at] = other.model_copy(update={"numbers": numbers})
            return
    parts.append(StrongPart(text=text, origin="ours", numbers=(number,)))


def _whole_sentences(answer: AnswerGiven) -> Iterator[Quote]:
    edges = [0, *(mark.end() for mark in _SENTENCE_END.finditer(answer.text)), len(answer.text)]
    for start, end in pairwise(edges):
        said = answer.text[start:end]
        begin = start + len(said) - len(said.lstrip())
        if text := said.strip():
            yield Quote(answer_id=answer.id, start=begin, end=begin + len(text), text=text)


def _belongs(sentence: Quote, text: str) -> bool:
    """Whether a sentence says something on the subject that still stands."""
    meant = as_meant(sentence.text)
    return (
        len(meant.split()) >= _FEWEST_WORDS
        and not meant.endswith("?")
        and not _OF_THE_TALK.search(meant)
        and intent_of(meant) not in _SAYS_NOTHING
        and not admits_not_knowing(meant)
        and not says_so_already(meant)
        and not adds_first(sentence.text)
        and not mends_earlier(ahead(plain(sentence.text)))
        and not _is_taken_back(sentence, text)
    )


_SAYS_NOTHING = {Intent.WAIT, Intent.THINKING}


def _misheard(sentence: str, answer: AnswerGiven) -> bool:
    """Whether recognition guessed at words of a spoken sentence, so that nobody may ever have said it."""
    if answer.spoken is None:
        return False
    guessed = {_bare(word.text) for word in answer.spoken.words if word.probability < _GUESSED}
    return sum(_bare(word) in guessed for word in sentence.split() if len(_bare(word)) > 1) >= _MOST_GUESSED


_GUESSED, _MOST_GUESSED = 0.4, 2
"""Probability below which a word was guessed, and how many such words make a sentence unfit to be said again."""


def _bare(word: str) -> str:
    return word.strip(" .,;:!?").lower()


def _finished(sentence: str) -> str:
    """A sentence with its full stop."""
    return sentence if sentence.endswith((".", "!", ":", "…")) else f"{sentence.rstrip(' ,;')}."


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


def _is_taken_back(sentence: Quote, text: str) -> bool:
    """Whether a sentence confesses a fault, or the one behind it says that it was wrong."""
    following = text[sentence.end :].lstrip()
    return _FAULT.search(sentence.text) is not None or takes_back(sentence.text) or takes_back(following)


def as_meant(sentence: str) -> str:
    """A sentence as it was meant: without what is said before it has begun, fillers, and words said twice."""
    return capitalized(_BECAUSE.sub("", _ORDINAL.sub("", _BEFORE_IT.sub("", fluent(sentence)))))


def _reads_alone(sentence: str) -> bool:
    """Whether a sentence can be read out as it is.

    It begins with a capital letter and ends in a full stop, is neither a fragment nor endless, hedges nothing, and
    leans on nothing that was said before it.
    """
    words = sentence.split()
    return (
        _FEWEST_WORDS <= len(words) <= _MOST_WORDS
        and not sentence[0].islower()
        and sentence.endswith((".", "!"))
        and not _HEDGED.search(sentence)
        and not _OF_THE_TALK.search(sentence)
        and not _FILLER.match(sentence)
        and not _LEANS.match(sentence)
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
    if not describes and not _POINTS_BACK.match(found.text):
        return found.text
    wanted = content_words(found.text)
    examples = [each for each in map(inverse_normalize, point.examples.met if point else ()) if _reads_alone(each)]
    alone = [each for each in examples if not _POINTS_BACK.match(each) and not _NAMES_NOTHING.match(each)]
    alone = [each for each in alone if len(sentences(each)) == 1] or alone
    # What points back leaves open what it is on: of several ways to say it the one that names most of it.
    return max(alone, key=lambda each: len(wanted & content_words(each)), default=None)


def _of_reference(criterion: str, reference: str) -> str | None:
    """The sentence of a reference that says a criterion and little else; ``None`` where none does."""
    wanted = content_words(criterion)
    best: tuple[float, str] | None = None
    for sentence in reference_sentences(reference):
        held = content_words(sentence)
        common = len(wanted & held)
        if not common or _LEANS.match(sentence) or _GOES_ON.match(sentence):
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

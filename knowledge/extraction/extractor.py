"""Blocks -> questions, by the structure of the document.

Questions are found by their marks (``knowledge.extraction.question_markers``), which must make sense together:
numbers count up and start again only below a new heading, a list within an answer is none, a question stands above
its answer. What stands before the first question, between sections and behind the last answer (navigation, notes on
the author, adverts) belongs to no question. Structured entries bring their rubrics with them
(``knowledge.bank.parser``).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from knowledge.bank.parser import Origin, entries, entry_sections
from knowledge.documents.formats.result import QuestionPair
from knowledge.documents.reader import BlockKind, Document, parse
from knowledge.documents.rows import Row, Sort, render, rows_of
from knowledge.extraction.classification import kind_of, level_of, topic_of
from knowledge.extraction.code_blocks import code_block, put_together
from knowledge.extraction.question_markers import Mark, Style, asks, is_answer_label, marks, without_answer_label
from knowledge.extraction.subjects import with_subject
from knowledge.model import CodeBlock, Level, Question, Source, kind_named

MOST_SKIPPED = 3
"""Numbers that may be missing between two questions of a section; pages lose a few when they are copied."""

_LONGEST_HEADING = 300
"""Characters of a heading that its questions keep: a paragraph with a rule below is a heading too, however long."""

_FURNITURE = re.compile(
    r"(?:key takeaways?|related (?:articles?|posts?|reading|resources|topics)|further reading|about the authors?|"
    r"methodology applied|explore this topic|more (?:resources|from)\b|share this|subscribe|sponsored|"
    r"advertisements?|table of contents|paid contributor)",
    re.IGNORECASE,
)
_LISTING = re.compile(r"\b(questions?|challenges?|problems?|exercises?|tasks?|quiz|faqs?)\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(faqs?|easy|medium|hard|beginner|intermediate|advanced)\b|\bquestions? \d+", re.IGNORECASE)
_LIST_MARK = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+")


class Placed(NamedTuple):
    """A question with the lines of the document that it was made of.

    Attributes:
        question: the question.
        line: its first line, counted from 1.
        answer: first and last line of its answer, a label such as ``Answer:`` left out; ``None`` where there is none,
            or all of it stands on the question's line.

    """

    question: Question
    line: int
    answer: tuple[int, int] | None = None


class _Found(NamedTuple):
    """A question's place in the rows.

    Attributes:
        mark: where it begins.
        start: index of the first row that is no longer the answer before: its section's heading, or its own row.
        section: index of the heading it stands right below, if it does.

    """

    mark: Mark
    start: int
    section: int | None


def questions(document: Document, origin: Origin = "given") -> list[Question]:
    """All questions of a document in its order; none is fine.

    Raises:
        BadLineError: a structured entry is malformed.

    """
    return [placed.question for placed in placed_questions(document, origin)]


def placed_questions(document: Document, origin: Origin = "given") -> list[Placed]:
    """All questions of a document in its order, with their lines; the lines of a list of pairs are its entries.

    Raises:
        BadLineError: a structured entry is malformed.

    """
    if document.pairs:
        return list(_distinct([Placed(_of_pair(document, pair), n) for n, pair in enumerate(document.pairs, 1)]))
    sections = entry_sections(document)
    structured = zip(entries(document, origin), sections, strict=True)
    entered = [Placed(question, section.heading.line) for question, section in structured]
    taken = {line for section in sections for line in range(section.heading.line, section.end + 1)}
    rows = [row for row in rows_of(document) if row.line not in taken]
    return sorted([*entered, *_distinct(_loose(rows, document))], key=lambda placed: placed.line)


def question_id(path: str, text: str) -> str:
    """The id of a document's question: sixteen hex digits of file name and question, case and space left out."""
    name = re.split(r"[\\/]", path)[-1]
    return hashlib.sha256(f"{name}\n{' '.join(text.split()).lower()}".encode()).hexdigest()[:16]


def spoken_form(text: str) -> str:
    """A question's text without Markdown."""
    plain = re.sub(r"!?\[([^\[\]]*)\]\([^)]{0,2000}\)", r"\1", text)
    plain = re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", plain)
    plain = re.sub(r"(?<![\w*])\*(?=[^\s*])([^*]+)(?<=\S)\*(?!\w)", r"\1", plain)
    return " ".join(re.sub(r"[`$]", "", plain).split())


def _distinct(found: Sequence[Placed]) -> Iterator[Placed]:
    """The questions, with ids that tell apart the same words asked twice in one document."""
    seen: Counter[str] = Counter()
    for placed in found:
        question = placed.question
        seen[question.id] += 1
        count = seen[question.id]
        if count > 1:
            question = question.model_copy(update={"id": f"{question.id}-{count}"})
        yield placed._replace(question=question)


def _loose(rows: Sequence[Row], document: Document) -> list[Placed]:
    chosen = _chosen(rows)
    ends = _ends(rows, chosen)
    result: list[Placed] = []
    for found, end, section in zip(chosen, ends, _trails(rows, chosen, ends), strict=True):
        placed = _placed(document, found.mark, rows, _answer(rows, found.mark, end), section)
        result.append(placed._replace(question=_named(placed.question, result[-1].question if result else None)))
    return result + _listed(rows, chosen, ends, document)


def _placed(
    document: Document, mark: Mark, rows: Sequence[Row], answer: Sequence[Row], section: tuple[str, ...]
) -> Placed:
    answer, code = put_together(answer, document)
    reference = "\n\n".join(part for part in (mark.answer, render(answer, document)) if part)
    line = rows[mark.first].line
    question = _question(
        document,
        mark.text,
        _unlabeled(reference),
        code,
        document.source(line, section),
    )
    said = [row.line for row in answer if row.sort is not Sort.BLANK and without_answer_label(row.text)]
    return Placed(question, line, (said[0], said[-1]) if said else None)


def _named(question: Question, before: Question | None) -> Question:
    """A question that names what it is about; the id stays that of the document's words."""
    section = question.source.section
    beside = before.text if before is not None and before.source.section == section else ""
    text = with_subject(question.text, section, f"{beside}\n{question.reference}")
    return question.model_copy(update={"text": text, "spoken": spoken_form(text) or text})


def _of_pair(document: Document, pair: QuestionPair) -> Question:
    """The question of a table's row or a list's entry, with what its fields say of it."""
    answer = parse(pair.answer, document.path)
    section = (pair.section,) if pair.section else ()
    source = Source(path=document.path, line=pair.line, section=section, **pair.place.model_dump())
    blocks = (block for block in answer.blocks if block.kind is BlockKind.CODE and block.text.strip())
    code = [code_block(block, answer).model_copy(update={"line": None, "lines": ()}) for block in blocks]
    question = _question(document, pair.question, pair.answer, code, source)
    said = {
        "text": pair.question,
        "kind": kind_named(pair.kind.lower().replace("-", " ")) or question.kind,
        "topic": pair.topic.lower() or question.topic,
        "level": next((level for level in Level if level == pair.level.lower()), None)
        or level_of([pair.level])
        or question.level,
    }
    return question.model_copy(update=said)


def _question(document: Document, text: str, reference: str, code: Sequence[CodeBlock], source: Source) -> Question:
    text = " ".join(text.split())
    kind = kind_of(text, source.section)
    return Question(
        id=question_id(document.path, text),
        text=text,
        spoken=spoken_form(text) or text,
        reference=reference,
        code=tuple(code),
        kind=kind,
        topic=topic_of(text, source.section, kind),
        level=level_of(source.section),
        source=source,
    )


def _unlabeled(reference: str) -> str:
    first, _, rest = reference.partition("\n")
    return f"{without_answer_label(first)}\n{rest}".strip("\n").rstrip()


def _chosen(rows: Sequence[Row]) -> list[_Found]:
    """The marks that are questions."""
    chosen: list[_Found] = []
    candidates = marks(rows)
    for mark in candidates:
        section = _section_above(rows, mark, chosen)
        if _accepted(mark, section, chosen, candidates):
            chosen.append(_Found(mark, mark.first if section is None else section, section))
    return chosen


def _accepted(mark: Mark, section: int | None, chosen: Sequence[_Found], candidates: Sequence[Mark]) -> bool:
    if mark.style is Style.PREFIX:
        return True
    last = chosen[-1].mark if chosen else None
    if last is None:
        # A numbered or bold line before the first “Q1.” is a question only below a heading.
        strongest = min(candidate.style.value for candidate in candidates)
        return mark.number in {None, 1} and (section is not None or mark.style.value == strongest)
    if section is not None and mark.number in {None, 1}:
        return True
    if mark.style is not last.style:
        return False
    return mark.style is Style.HEADING or _counts_on(last, mark)


def _counts_on(last: Mark, mark: Mark) -> bool:
    """Whether a mark's number follows that of the question before, or neither has one."""
    if mark.number is None or last.number is None:
        return mark.number is last.number
    missing = mark.number - last.number - 1
    return missing == 0 or (0 < missing <= MOST_SKIPPED and mark.text.endswith("?"))


def _section_above(rows: Sequence[Row], mark: Mark, chosen: Sequence[_Found]) -> int | None:
    """The index of the heading right above a mark, with at most one paragraph of introduction between."""
    least = chosen[-1].mark.after if chosen else 0
    above = _previous(rows, mark.first, least)
    if above is None:
        return None
    if rows[above].sort is Sort.HEADING:
        deeper = mark.style is not Style.HEADING or rows[above].level < rows[mark.first].level
        return above if deeper else None
    fresh = mark.number == 1 or (mark.number is None and (not chosen or chosen[-1].mark.number is not None))
    if _is_bare_heading(rows, above) and (fresh or _PLACE.search(rows[above].text)):
        return above
    return _above_introduction(rows, above, least) if mark.number == 1 else None


def _above_introduction(rows: Sequence[Row], last: int, least: int) -> int | None:
    """The index of the heading right above a paragraph, given by its last row, that introduces a section."""
    if rows[last].sort is not Sort.TEXT or rows[last].text.endswith(":"):
        return None
    first = last
    while first > least and rows[first - 1].sort is Sort.TEXT:
        first -= 1
    heading = _previous(rows, first, least)
    if heading is None or last - first > 3:
        return None
    return heading if rows[heading].sort is Sort.HEADING or _is_bare_heading(rows, heading) else None


def _previous(rows: Sequence[Row], index: int, least: int) -> int | None:
    """The index of the row with text before a row, rules and blank lines skipped."""
    for before in range(index - 1, least - 1, -1):
        if rows[before].sort not in {Sort.BLANK, Sort.RULE}:
            return before
    return None


def _is_bare_heading(rows: Sequence[Row], index: int) -> bool:
    """Whether a row is a heading without a mark: one short line of its own that is no sentence."""
    row = rows[index]
    if row.sort is not Sort.TEXT or len(row.text) > 80 or len(row.text.split()) > 12:
        return False
    if not row.text[0].isupper() or row.text[-1] in ".,;:?!*" or "`" in row.text or "|" in row.text:
        return False
    if len(row.text) == 1 or is_answer_label(row.text):
        return False
    wrapped = index > 0 and rows[index - 1].sort is Sort.TEXT and not rows[index - 1].text.endswith((".", "?", ":"))
    return not wrapped


def _ends(rows: Sequence[Row], chosen: Sequence[_Found]) -> list[int]:
    """The index of the first row behind the answer of each question."""
    level = _section_level(rows, chosen)
    headed = _headings_in_answers(rows, chosen)
    ends = []
    for position, found in enumerate(chosen):
        following = chosen[position + 1] if position + 1 < len(chosen) else None
        is_last = following is None or following.section is not None
        own = rows[found.mark.first]
        least = max(level, own.level) if own.sort is Sort.HEADING else level
        answer = range(found.mark.after, following.start if following else len(rows))
        ending = (
            index
            for index in answer
            if _ends_answer(rows, index, found.mark, level=least, is_last=is_last, headed=headed)
        )
        ends.append(next(ending, answer.stop))
    return ends


def _ends_answer(rows: Sequence[Row], index: int, mark: Mark, *, level: int, is_last: bool, headed: bool) -> bool:
    """Whether a row is no longer the answer.

    Args:
        rows: the document.
        index: the row.
        mark: the question's.
        level: headings of this level or above end an answer.
        is_last: whether this is the last question of its section, behind which furniture may follow.
        headed: whether other answers of the document hold headings without marks.

    """
    row = rows[index]
    if row.sort is Sort.HEADING:
        return row.level <= level or _FURNITURE.match(row.text) is not None
    if not is_last or row.sort is not Sort.TEXT:
        return False
    if len(row.text) <= 80 and _FURNITURE.match(row.text):
        return True
    return not headed and index > mark.after and _is_bare_heading(rows, index)


def _section_level(rows: Sequence[Row], chosen: Sequence[_Found]) -> int:
    """The deepest level of the marked headings above questions; 0 where there is none."""
    return max((rows[found.section].level for found in chosen if found.section is not None), default=0)


def _headings_in_answers(rows: Sequence[Row], chosen: Sequence[_Found]) -> bool:
    """Whether answers of this document hold headings without marks, seen in those that have a clear end."""
    return any(
        _is_bare_heading(rows, index)
        for found, following in pairwise(chosen)
        if following.section is None
        for index in range(found.mark.after, following.start)
    )


def _answer(rows: Sequence[Row], mark: Mark, end: int) -> list[Row]:
    answer = list(rows[mark.after : end])
    drop = {Sort.BLANK, Sort.RULE}
    while answer and answer[0].sort in drop:
        del answer[0]
    while answer and answer[-1].sort in drop:
        del answer[-1]
    return [row for row in answer if not (row.sort is Sort.TEXT and _is_advert(row.text))]


def _is_advert(text: str) -> bool:
    """Whether a line within an answer only points to other pages."""
    return _FURNITURE.match(text) is not None and ("|" in text or text.endswith(":"))


def _trails(rows: Sequence[Row], chosen: Sequence[_Found], ends: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """The headings above each question, outermost first; those within answers are none."""
    answered = {i for found, end in zip(chosen, ends, strict=True) for i in range(found.mark.first, end)}
    trail: list[Row] = []
    bare: int | None = None
    reached = 0
    for found in chosen:
        for index in range(reached, found.mark.first):
            if rows[index].sort is Sort.HEADING and index not in answered:
                trail = [kept for kept in trail if kept.level < rows[index].level] + [rows[index]]
        reached = found.mark.first
        bare = found.section if found.section is not None else bare
        own = rows[found.mark.first]
        names = [row.text for row in trail if own.sort is not Sort.HEADING or row.level < own.level]
        if bare is not None and rows[bare].sort is Sort.TEXT and not (trail and trail[-1].line > rows[bare].line):
            names += [*_level_tag(rows, bare), rows[bare].text]
        yield tuple(name[:_LONGEST_HEADING].strip("*_ ") for name in names)


def _level_tag(rows: Sequence[Row], heading: int) -> list[str]:
    """A difficulty that stands alone on the line above a heading."""
    above = _previous(rows, heading, 0)
    if above is None or not level_of([rows[above].text]) or len(rows[above].text.split()) > 1:
        return []
    return [rows[above].text]


def _listed(rows: Sequence[Row], chosen: Sequence[_Found], ends: Sequence[int], document: Document) -> list[Placed]:
    """Questions without answers: items of a list below a heading that announces such, outside all answers."""
    answered = {i for found, end in zip(chosen, ends, strict=True) for i in range(found.mark.first, end)}
    result = []
    trail: list[Row] = []
    heading = ""
    index = 0
    while index < len(rows):
        row = rows[index]
        if row.sort is Sort.HEADING:
            trail = [kept for kept in trail if kept.level < row.level] + [row]
            heading = row.text
        elif row.sort is Sort.TEXT and _is_bare_heading(rows, index):
            heading = row.text
        after = index
        while after < len(rows) and rows[after].sort is Sort.ITEM and after not in answered:
            after += 1
        if after > index + 1 and _LISTING.search(heading):
            above = tuple(kept.text[:_LONGEST_HEADING] for kept in trail)
            last = heading[:_LONGEST_HEADING]
            section = above if above and above[-1] == last else (*above, last)
            result += [_placed(document, mark, rows, [], section) for mark in _items(rows, index, after)]
        index = max(after, index + 1)
    return result


def _items(rows: Sequence[Row], first: int, after: int) -> list[Mark]:
    """The outer items of a list that ask something; none where they are not the most of it."""
    marks_found = []
    outer = [index for index in range(first, after) if rows[index].indent <= 1]
    for index in outer:
        text = _LIST_MARK.sub("", rows[index].text, count=1).strip("*_ ")
        if asks(text):
            marks_found.append(Mark(index, index + 1, Style.NUMBER, None, text))
    return marks_found if 2 * len(marks_found) > len(outer) > 1 else []

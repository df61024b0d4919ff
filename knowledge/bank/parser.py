"""Structured entries -> questions with rubrics, strictly: what does not fit is an error with its line.

An entry is a heading, a list that begins with ``- id:``, and subsections one level deeper, as CONTRIBUTING.md
shows. It may stand in any document; the product's own entries are the documents in ``knowledge/bank``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

from pydantic import ValidationError

from knowledge.documents.reader import Block, BlockKind, Document, read
from knowledge.model import CodeBlock, Kind, Level, Question, Requirement
from rubric.coding.task import CodingTask, Mutant
from rubric.estimates import Estimate, read_estimate
from rubric.model import AskedBy, Criterion, DesignStage, Examples, Rubric
from serving.errors import BadInputError, BadLineError

BANK = Path(__file__).parent
"""The folder of the product's own questions."""

MOST_PROCESSES = 4
"""Of a coding question's tests, beside their own; memory is shared out among them."""

Origin = Literal["bank", "given"]

_FIELDS = ("id", "kind", "level", "minutes", "topic", "processes", "forbidden")
_CODE_SECTIONS = ("starter", "solution", "tests")
_OPTIONAL_CODE = ("blank", "checks")
_SECTIONS = (
    "spoken",
    "shown",
    "reference",
    "criteria",
    "requirements",
    "change",
    "deep dives",
    "hint",
    "misconception",
    "why it matters",
    "step down",
    "follow-on",
    *_CODE_SECTIONS,
    *_OPTIONAL_CODE,
    "mutants",
    "reading",
)
_STATEMENTS = ("met", "contradicted", "near")
_SINGLE = ("stage", "asked by", "estimate", "probe")
_DIVES = ("first", "second")
_CRITERION = re.compile(r"(?P<id>[\w-]+)(?:\s+\(weight\s+(?P<weight>\d+(?:\.\d+)?)\))?")
_FORBIDDEN = re.compile(r"\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_ITEM = re.compile(r"[-*+]\s+(?P<key>[A-Za-z][\w -]*?):(?:\s+(?P<value>.*))?$")


class Field(NamedTuple):
    """One ``- key: value`` item."""

    key: str
    value: str
    line: int


class Section(NamedTuple):
    """A heading and what stands below it, up to the next heading that is not deeper."""

    heading: Block
    blocks: tuple[Block, ...]

    @property
    def end(self) -> int:
        """Last line."""
        return self.blocks[-1].end if self.blocks else self.heading.end

    def raw(self, document: Document) -> str:
        """The source text below the heading."""
        return document.raw(self.heading.end + 1, self.end)

    def prose(self, document: Document) -> str:
        """The text below the heading as one line."""
        return " ".join(self.raw(document).split())


def load_bank(folder: Path = BANK) -> tuple[Question, ...]:
    """All questions of the product's own bank, by file name and then by place; it is read once.

    Raises:
        BadLineError: an entry is malformed, or a section of the second level is no entry.
        BadInputError: a file cannot be read.

    """
    return _own() if folder == BANK else _loaded(folder)


@functools.cache
def _own() -> tuple[Question, ...]:
    return _loaded(BANK)


def _loaded(folder: Path) -> tuple[Question, ...]:
    return tuple(question for path in sorted(folder.glob("*.md")) for question in load_file(path))


def bank_criteria() -> dict[str, tuple[str, tuple[Criterion, ...]]]:
    """Text and criteria of the bank's questions by id: what labeled answers to them are read with."""
    return {held.id: (held.text, held.rubric.criteria) for held in load_bank() if held.rubric}


def load_file(path: Path) -> list[Question]:
    """The questions of one bank file.

    Raises:
        BadLineError: an entry is malformed, or a section of the second level is no entry.
        BadInputError: the file cannot be read.

    """
    document = read(path, path.name)
    sections = entry_sections(document)
    known = {section.heading.line for section in sections}
    for block in document.blocks:
        if block.kind is BlockKind.HEADING and block.level == 2 and block.line not in known:
            raise BadLineError(path.name, block.line, f"the section “{block.text}” has no “- id:” list")
    return [_question(document, section, "bank") for section in sections]


def entries(document: Document, origin: Origin = "given") -> list[Question]:
    """The structured entries of a document, in order; none is fine.

    Raises:
        BadLineError: an entry is malformed.

    """
    return [_question(document, section, origin) for section in entry_sections(document)]


def entry_sections(document: Document) -> list[Section]:
    """The parts of a document that are structured entries."""
    found = []
    for position, block in enumerate(document.blocks):
        if block.kind is not BlockKind.HEADING or block.level == 6:
            continue
        section = _section(document.blocks, position)
        if _is_entry(section):
            found.append(section)
    return found


def _is_entry(section: Section) -> bool:
    first = section.blocks[0] if section.blocks else None
    if first is None or first.kind is not BlockKind.LIST:
        return False
    return re.match(r"[-*+]\s+id:", first.text) is not None


def _section(blocks: Sequence[Block], position: int) -> Section:
    heading = blocks[position]
    end = position + 1
    while end < len(blocks) and not (blocks[end].kind is BlockKind.HEADING and blocks[end].level <= heading.level):
        end += 1
    return Section(heading, tuple(blocks[position + 1 : end]))


def _children(section: Section, level: int) -> Iterator[Section]:
    for position, block in enumerate(section.blocks):
        if block.kind is BlockKind.HEADING and block.level == level:
            yield _section(section.blocks, position)


def _fields(document: Document, block: Block, allowed: Sequence[str]) -> list[Field]:
    """The items of a list of ``- key: value``; a value may run over several lines."""
    fields: list[Field] = []
    for number, line in enumerate(block.text.split("\n"), block.line):
        match = _ITEM.fullmatch(line.strip()) if re.match(r"\s{0,1}[-*+]\s", line) else None
        if match and match["key"] in allowed:
            fields.append(Field(match["key"], (match["value"] or "").strip(), number))
        elif re.match(r"\s*[-*+]\s", line):
            raise _bad(document, number, f"expected “- {' | '.join(allowed)}: …”, found “{line.strip()}”")
        elif fields:
            last = fields[-1]
            fields[-1] = last._replace(value=f"{last.value} {line.strip()}".strip())
    for field in fields:
        if not field.value:
            raise _bad(document, field.line, f"“{field.key}” is empty")
    return fields


def _bad(document: Document, line: int, why: str) -> BadInputError:
    hint = "CONTRIBUTING.md shows an entry."
    if document.is_text:
        return BadLineError(document.path, line, why, hint=hint)
    return BadInputError(f"{document.source(line, ()).place}: {why}", hint=hint)


def _question(document: Document, section: Section, origin: Origin) -> Question:
    values = _head(document, section)
    parts = _parts(document, section)
    line = section.heading.line
    for name in ("spoken", "reference", "criteria"):
        if name not in parts:
            raise _bad(document, line, f"“{section.heading.text}” has no section “{name.capitalize()}”")
    text = {name: part.prose(document) for name, part in parts.items()}
    reference = parts["reference"]
    kind = Kind(values.get("kind", Kind.CONCEPT))
    task = _task(document, section, parts, kind, values)
    return Question(
        id=values["id"],
        text=parts["shown"].raw(document) if "shown" in parts else text["spoken"],
        spoken=text["spoken"],
        title=section.heading.text.strip(),
        reference=reference.raw(document),
        code=tuple(code_of(reference.blocks)),
        kind=kind,
        topic=values["topic"],
        level=Level(values["level"]) if "level" in values else None,
        minutes=int(values.get("minutes", 4)),
        source=document.source(line, _above(document, section.heading)),
        rubric=_rubric(document, parts["criteria"], origin),
        hint=text.get("hint", ""),
        misconception=text.get("misconception", ""),
        why_it_matters=text.get("why it matters", ""),
        requirements=tuple(_requirements(document, parts.get("requirements"))),
        change=text.get("change", ""),
        deep_dives=_deep_dives(document, parts.get("deep dives")),
        step_down=text.get("step down", ""),
        follow_on=text.get("follow-on", ""),
        task=task,
        reading=_reading(parts.get("reading")),
    )


def code_of(blocks: Sequence[Block]) -> Iterator[CodeBlock]:
    """The code blocks among blocks; their line is that of the code, not of the fence."""
    for block in blocks:
        if block.kind is BlockKind.CODE:
            yield CodeBlock(text=block.text, language=block.language, line=block.line + block.fenced)


def _head(document: Document, section: Section) -> dict[str, str]:
    """The values of an entry's list, each checked, with the document's topic where it has none."""
    fields = _fields(document, section.blocks[0], _FIELDS)
    seen: dict[str, str] = {}
    for field in fields:
        if field.key in seen:
            raise _bad(document, field.line, f"“{field.key}” stands there twice")
        seen[field.key] = field.value
        _check_value(document, field)
    seen.setdefault("topic", str(document.meta.get("topic") or ""))
    if not seen["topic"]:
        raise _bad(
            document,
            section.heading.line,
            "no topic: neither “- topic:” here nor “topic:” at the top of the file",
        )
    return seen


def _check_value(document: Document, field: Field) -> None:
    allowed: dict[str, Any] = {"kind": Kind, "level": Level, "asked by": AskedBy, "stage": DesignStage}
    if field.key in allowed:
        try:
            allowed[field.key](field.value)
        except ValueError as error:
            choices = ", ".join(allowed[field.key])
            raise _bad(document, field.line, f"{field.key} “{field.value}” is none of {choices}") from error
    if field.key == "minutes" and not (field.value.isdecimal() and 1 <= int(field.value) <= 60):
        raise _bad(document, field.line, f"minutes “{field.value}” is not a whole number from 1 to 60")
    if field.key == "processes" and field.value not in {str(number) for number in range(1, MOST_PROCESSES + 1)}:
        raise _bad(document, field.line, f"processes “{field.value}” is not a whole number from 1 to {MOST_PROCESSES}")
    if field.key == "forbidden":
        for name in field.value.split(","):
            if not _FORBIDDEN.fullmatch(name.strip().strip("`")):
                why = f"forbidden “{name.strip()}” is not a name such as sorted, heapq or .sort"
                raise _bad(document, field.line, why)
    if field.key == "id" and not re.fullmatch(r"[a-z0-9][a-z0-9-]*", field.value):
        raise _bad(document, field.line, f"id “{field.value}” may hold a-z, 0-9 and hyphens only")


def _parts(document: Document, section: Section) -> dict[str, Section]:
    """The subsections by lower-case name; empty ones count as left out."""
    parts: dict[str, Section] = {}
    for child in _children(section, section.heading.level + 1):
        name = child.heading.text.strip().lower()
        if name not in _SECTIONS:
            known = ", ".join(known.capitalize() for known in _SECTIONS)
            raise _bad(document, child.heading.line, f"unknown section “{child.heading.text}”; known: {known}")
        if name in parts:
            raise _bad(document, child.heading.line, f"section “{child.heading.text}” stands there twice")
        if child.blocks:
            parts[name] = child
    return parts


def _rubric(document: Document, section: Section, origin: Origin) -> Rubric:
    children = list(_children(section, section.heading.level + 1))
    if not children:
        raise _bad(document, section.heading.line, "no criteria: each is a heading such as “#### c1 (weight 3)”")
    criteria = tuple(_criterion(document, child) for child in children)
    try:
        return Rubric(criteria=criteria, origin=origin)
    except ValidationError as error:
        _invalid(document, section.heading.line, error)


def _criterion(document: Document, section: Section) -> Criterion:
    heading = section.heading
    match = _CRITERION.fullmatch(heading.text.strip())
    if match is None:
        raise _bad(document, heading.line, f"a criterion reads “#### c1 (weight 3)”, not “{heading.text}”")
    proofs = list(_children(section, heading.level + 1))
    blocks = section.blocks[: section.blocks.index(proofs[0].heading)] if proofs else section.blocks
    prose = [block for block in blocks if block.kind is BlockKind.PARAGRAPH]
    lists = [block for block in blocks if block.kind is BlockKind.LIST]
    if other := [block for block in blocks if block not in prose and block not in lists]:
        raise _bad(document, other[0].line, f"a criterion holds text and a list, no {other[0].kind}")
    if not prose:
        raise _bad(document, heading.line, f"criterion {match['id']} has no statement")
    fields = [field for block in lists for field in _fields(document, block, (*_SINGLE, *_STATEMENTS))]
    single: dict[str, str] = {}
    for field in fields:
        if field.key in single:
            raise _bad(document, field.line, f"criterion {match['id']} has a second “{field.key}”")
        if field.key in _SINGLE:
            single[field.key] = field.value
            _check_value(document, field)
    said = {key: tuple(field.value for field in fields if field.key == key) for key in _STATEMENTS}
    try:
        return Criterion(
            id=match["id"],
            text=" ".join(" ".join(block.text for block in prose).split()),
            weight=float(match["weight"] or 1),
            asked_by=AskedBy(single.get("asked by", AskedBy.OPENING)),
            stage=DesignStage(single["stage"]) if "stage" in single else None,
            estimate=next((_estimate(document, field) for field in fields if field.key == "estimate"), None),
            probe=single.get("probe", ""),
            examples=Examples.model_validate(said),
            proof=_proof(document, proofs),
        )
    except ValidationError as error:
        _invalid(document, heading.line, error)


def _estimate(document: Document, field: Field) -> Estimate:
    try:
        return read_estimate(field.value)
    except ValueError as error:
        raise _bad(document, field.line, str(error)) from error


def _deep_dives(document: Document, section: Section | None) -> tuple[str, ...]:
    """The two parts that a person may choose from, as they are said; none where the entry has no such section."""
    if section is None:
        return ()
    lists = [block for block in section.blocks if block.kind is BlockKind.LIST]
    fields = [field for block in lists for field in _fields(document, block, _DIVES)]
    if tuple(field.key for field in fields) != _DIVES:
        raise _bad(document, section.heading.line, "“Deep dives” holds “- first: …” and “- second: …”")
    return tuple(field.value for field in fields)


def _requirements(document: Document, section: Section | None) -> Iterator[Requirement]:
    """What is told to whoever asks for it; none where the entry has no such section."""
    for block in section.blocks if section is not None else ():
        for item in re.split(r"^[-*+]\s+", block.text, flags=re.MULTILINE)[1:]:
            about, _, said = " ".join(item.split()).partition(": ")
            phrases = tuple(filter(None, map(str.strip, about.split(","))))
            if not phrases or not said:
                raise _bad(document, block.line, "“Requirements” holds “- words, words: what is told”")
            yield Requirement(about=phrases, said=said)


def _proof(document: Document, sections: Sequence[Section]) -> str:
    """The code below a criterion's heading “Proof”; empty where it has none."""
    for number, section in enumerate(sections):
        heading = section.heading
        if number or heading.text.strip().lower() != "proof":
            why = f"a criterion has one section at most, “Proof”: no place for “{heading.text}”"
            raise _bad(document, heading.line, why)
        if [(block.kind, block.language) for block in section.blocks] != [(BlockKind.CODE, "python")]:
            raise _bad(document, heading.line, "“Proof” holds one python fence and nothing else")
    return sections[0].blocks[0].text if sections else ""


def _invalid(document: Document, line: int, error: ValidationError) -> NoReturn:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    raise _bad(document, line, f"{place + ': ' if place else ''}{first['msg']}") from error


def _task(
    document: Document,
    section: Section,
    parts: dict[str, Section],
    kind: Kind,
    values: dict[str, str],
) -> CodingTask | None:
    given = [name for name in (*_CODE_SECTIONS, *_OPTIONAL_CODE) if name in parts]
    if not given:
        return None
    line = parts[given[0]].heading.line
    if kind not in {Kind.CODING, Kind.DEBUGGING}:
        raise _bad(document, line, f"“{parts[given[0]].heading.text}” in a {kind} entry")
    if lacking := ", ".join(name.capitalize() for name in _CODE_SECTIONS if name not in given):
        raise _bad(document, section.heading.line, f"“{section.heading.text}” lacks {lacking}")
    source = {}
    for name in given:
        fences = [block for block in parts[name].blocks if block.kind is BlockKind.CODE]
        if len(fences) != 1 or fences[0].language != "python":
            raise _bad(document, parts[name].heading.line, f"“{name.capitalize()}” holds one python fence")
        source[name] = fences[0].text
    mutants = tuple(_mutants(document, parts.get("mutants")))
    forbidden = tuple(name.strip().strip("`") for name in values.get("forbidden", "").split(",") if name.strip())
    return CodingTask(**source, mutants=mutants, processes=int(values.get("processes", 0)), forbidden=forbidden)


def _mutants(document: Document, section: Section | None) -> Iterator[Mutant]:
    """Wrong solutions: each a heading and a diff of our own."""
    for child in _children(section, section.heading.level + 1) if section else ():
        fences = [block for block in child.blocks if block.kind is BlockKind.CODE]
        if len(fences) != 1 or fences[0].language != "diff":
            raise _bad(document, child.heading.line, f"the mutant “{child.heading.text}” holds one diff fence")
        yield Mutant(name=child.heading.text.strip(), diff=fences[0].text)


def _reading(section: Section | None) -> tuple[str, ...]:
    if section is None:
        return ()
    items: list[str] = []
    for line in "\n".join(block.text for block in section.blocks).split("\n"):
        if match := re.match(r"\s*[-*+]\s+(.*)", line):
            items.append(match[1].strip())
        elif items:
            items[-1] = f"{items[-1]} {line.strip()}".strip()
    return tuple(items)


def _above(document: Document, heading: Block) -> tuple[str, ...]:
    """The headings above a heading, outermost first."""
    trail: list[Block] = []
    for block in document.blocks:
        if block.line >= heading.line:
            break
        if block.kind is BlockKind.HEADING:
            trail = [kept for kept in trail if kept.level < block.level] + [block]
    return tuple(block.text for block in trail if block.level < heading.level)

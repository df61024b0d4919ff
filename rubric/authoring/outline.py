"""A reference answer taken apart: each piece of its text with the labels it stands under.

Headings, lines that end in a colon, bold leads of bullets and first cells of table rows are labels. Code, diagrams,
formulas on lines of their own and what stands under "Example" are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rubric.authoring.english import begins_with_verb, has_verb, is_example, length, looks_back, sentences, tells, tidy
from rubric.authoring.vocabulary import FINITE, OPENINGS, UNSPOKEN_LABEL

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_BULLET = re.compile(r"^(\s*)(?:[-*+•‣◦–]|\d{1,2}[.)]|\(?[a-z]\))\s+(?=\S)")
_BOLD_LABEL = re.compile(r"\*\*\s*+(?:\d{1,2}[.)]\s*+)?([^*\n]{2,60}?)\s*+:\s*+\*\*:?|\*\*([^*\n]{2,60}?)\*\*\s*:")
_BOLD_LEAD = re.compile(
    r"^\*\*(?:\d{1,2}[.)]\s*+)?([^*]{2,80}?)\s*+(?::\s*+\*\*|\*\*\s*+(?::|\([^)]*\)\s*:|[–—]|-\s))\s*(.*)$", re.DOTALL
)
_BOLD_ONLY = re.compile(r"^\*\*([^*]{2,80})\*\*\s*:?$")
_RUN_IN = re.compile(r"^((?:`[^`]+`|[^.:!?;`|]|\.(?=\w))([^.:!?;|]|\.(?=\w)){1,50}?):\s+(?=\S)")
_LABELED_LINE = re.compile(r"^\s*\**[A-Z][\w+/-]*(?: [\w+/-]+){0,2}:\**\s+\S")
_RULE = re.compile(r"^\s*+\|?+\s*+:?+-{2,}+[-:| ]*+$")
_NUMBERED = re.compile(
    r"^(?:(?:step|stage|phase|point|reason|method|technique|option|approach|tip)\s++)?\d{1,2}(?:\s*+[.):-]\s++|\s++)",
    re.IGNORECASE,
)
_CALL = re.compile(r"([A-Za-z_][\w.]*)\(")
_ASSIGNED = re.compile(r"[A-Za-z_][\w.]*\s*=\s*(?:[\d.]+(?:e-?\d+)?|True|False|None|'[^']*'|\"[^\"]*\")\s*,?$")
_CODE_ALONE = re.compile(r"`[^`]*[(=\[][^`]*`[.,;]?")
_CODE_WORD = re.compile(r"\S*[_=(]|\S+:(?:\s|$)")
_NUMBERED_BOLD = re.compile(r"\*\*\s*\d{1,2}[.)]")
_RELATION = re.compile(
    r":\s|\b(?:than|instead of|because|so that|to (?:avoid|prevent|reduce|keep|hide|save))\b", re.IGNORECASE
)
_FAULT = re.compile(r"(?:problem|bug|fault|cause|fix|solution|mistake)\b[^:]{0,20}:\s+", re.IGNORECASE)
_CHOICE = re.compile(
    r"(?:(?:option|method|approach|way|step|solution)\s*\w?|warning|caution|note|tip)\s*[:.)]\s+", re.IGNORECASE
)
_OF_THE_MOMENT = re.compile(r"\b(?:above|below|now|here)\b", re.IGNORECASE)
_MEANS = re.compile(r"(?:use|apply|combine)\b", re.IGNORECASE)
_CODE = "\0"
_LABEL = 10
"""Words of a comment that can stand over others."""
_SHORT = 5
"""Words from which a bullet is more than a name."""

_ASIDE = re.compile(
    r"^(?:use cases?|applications?|uses|further reading|reading|history|trivia|alternatives?|see also)$", re.IGNORECASE
)
_SKIPPED = re.compile(
    r"^.*\b(?:examples?|sample|snippet|code|references?|further reading|resources|links|see also|sources?|demo)"
    r"(?:\s*(?:usage|code|output))?$",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """A piece of a reference.

    Attributes:
        labels: what it stands under, outermost first, its own lead last; those that say nothing left out.
        text: a paragraph or the body of a bullet, Markdown.
        section: counts the labeled parts of the reference from 0.
        bold: whether something in it is in bold.
        aside: whether it stands under a label that promises no point of the answer itself, such as "Use cases".
        whole: whether it is one statement, however long.
        prose: whether it is a paragraph, in which only the first sentence leans on the labels.

    """

    labels: tuple[str, ...]
    text: str
    section: int
    bold: bool = False
    aside: bool = False
    whole: bool = False
    prose: bool = False


class _Block(NamedTuple):
    kind: str
    text: str
    indent: int = 0


@dataclass
class _Place:
    """Where the reader is in the reference.

    Attributes:
        heading: the last heading written as one; a line that only looks like one is no longer so after its list.
        marked: whether that heading is marked as one.
        group: a label that was followed by another at once, and so stands over it.
        label: the last label.
        parents: bullets with bullets under them, with their indentation.
        after_label: whether nothing came since the last label.
        listed: whether bullets came since the last label.

    """

    heading: str = ""
    marked: bool = False
    group: str = ""
    label: str = ""
    parents: list[tuple[int, str]] = field(default_factory=list)
    section: int = 0
    aside: bool = False
    skipping: bool = False
    after_label: bool = False
    listed: bool = False

    def enter_heading(self, text: str, *, marked: bool) -> None:
        self.heading, self.group, self.marked = text, "", marked
        self._enter("", text)

    def enter_label(self, text: str) -> None:
        if self.after_label:
            self.group = self.label
        elif not spoken(text):
            self.group = ""
        self._enter(text, text)
        self.after_label = True

    def enter_run_in(self, text: str, *, alone: bool) -> None:
        """A label with its text on one line holds for nothing else; one alone holds for what follows."""
        self._enter(text if alone else "", text)
        if not alone and not self.aside:
            self.group = ""
            self.heading = self.heading if self.marked else ""

    def end_list(self) -> None:
        """What stands below a list stands no longer under the line that led to the list."""
        if self.listed:
            self.label, self.aside, self.listed = "", False, False

    def end_example(self) -> None:
        if self.skipping:
            self.label, self.skipping = "", False

    def _enter(self, label: str, raw: str) -> None:
        self.label, self.parents, self.listed = label, [], False
        self.section += 1
        self.aside, self.skipping = bool(_ASIDE.match(spoken(raw))), _leads_to_example(raw)

    def labels(self, *own: str) -> tuple[str, ...]:
        led, said = any(own), any(map(spoken, own))
        # "Causes" under "Tools" speaks of no tool, and "Time complexity" under "Applications" of no application.
        above = "" if led and (not said or _ASIDE.match(spoken(self.label))) else self.label
        found = [self.heading, self.group, above, *(text for _, text in self.parents), *own]
        return tuple(dict.fromkeys(spoken(text) for text in found if spoken(text)))


def _leads_to_example(label: str) -> bool:
    plain = tidy(label).strip(" :")
    return is_example(plain) or bool(_SKIPPED.match(plain))


def without_code(reference: str) -> str:
    """The reference without its fenced code."""
    return _FENCE.sub("\n\n", reference)


def spoken(label: str) -> str:
    """A label as part of a statement, without markup and number; empty where it says nothing."""
    text = _NUMBERED.sub("", tidy(label).strip(" :-–—"), count=1).strip(" :-–—")
    return "" if UNSPOKEN_LABEL.match(text) else text


def entries(reference: str) -> list[Entry]:
    """What could hold points, in the reference's order; short bullets of one list as one entry."""
    return _gathered(_entries(_blocks(reference)))


def named_faults(reference: str) -> list[Entry]:
    """Comments of the reference's code that say what is wrong in it or how it is mended."""
    return [
        entry
        for entry in comments(reference)
        if (fault := _FAULT.match(entry.text)) and tells(entry.text[fault.end() :])
    ]


def comments(reference: str) -> list[Entry]:
    """What the comments of the reference's code explain, with the name of what stands on their line."""
    result: list[Entry] = []
    for section, block in enumerate(_FENCE.finditer(reference)):
        label = ""
        for before, text in _commented(block[2]):
            if not text:
                label = ""
            elif not before and text.endswith(":"):
                label = "" if is_example(text) or length(text) > _LABEL else text.rstrip(":")
            elif _explains(text, listed=bool(label)) and (_first(text) in OPENINGS or not _ASSIGNED.match(before)):
                result.append(Entry(tuple(filter(None, (label, _named(before)))), text, section, whole=True))
    return result


def _commented(code: str) -> Iterator[tuple[str, str]]:
    """Code before and text of each comment, comments of several lines as one; a line without any gives two blanks."""
    pending = ""
    for line in code.splitlines():
        before, mark, comment = line.strip().partition("# ")
        text = re.sub(r"^(?:[-=*•>#]+\s+|\d{1,2}[.):]\s+)*", "", comment, count=1).strip(" -=#") if mark else ""
        goes_on = text[:1].islower() and not _CODE_WORD.match(text)
        if pending and not before and goes_on and not pending.endswith(":"):
            pending = f"{pending} {text}"
            continue
        if pending:
            yield "", pending
            pending = ""
        if before or not text:
            yield before, text
        else:
            pending = text
    if pending:
        yield "", pending


def _named(code: str) -> str:
    """What a line of code calls or sets; empty for one that only opens a block."""
    if code.startswith(("def ", "class ", "for ", "if ", "else", "try", "return ", "with ", "import ", "from ")):
        return ""
    call = _CALL.findall(code)
    target = re.match(r"([A-Za-z_][\w.]*)\s*=", code)
    return f"{call[-1]}()" if call else target[1] if target else ""


def _explains(comment: str, *, listed: bool) -> bool:
    """Whether a comment says something about the code; one that only names what follows is a heading.

    Args:
        comment: without its mark.
        listed: whether it stands under a comment that leads to it.

    """
    body = _CHOICE.sub("", comment, count=1)
    code = len(re.findall(r"[=(){}\[\]<>*+/^]", comment))
    return (
        (listed or tells(body) or bool(_RELATION.search(body)))
        and not (begins_with_verb(body) and body != comment)
        and not looks_back(comment)
        and not _OF_THE_MOMENT.search(comment)
        and length(comment) >= 4
        and comment.lstrip("'\"`")[:1].isalpha()
        and code <= length(comment) / 2
        and not is_example(comment)
    )


def _blocks(reference: str) -> list[_Block]:
    """Titles, paragraphs, bullets, rows of tables and marks where code was, each on one line."""
    result: list[_Block] = []
    fresh = True
    text = _FENCE.sub(f"\n\n{_CODE}\n\n", reference)
    table = False
    for line in text.splitlines():
        bullet = _BULLET.match(line)
        row = not bullet and (line.lstrip().startswith("|") or (table and line.count("|") >= 1))
        table = row
        if not line.strip() or set(line.strip()) <= set("-=_*#~"):
            fresh = True
        elif line.strip() == _CODE:
            result.append(_Block("code", ""))
            fresh = True
        elif line.lstrip().startswith("#"):
            result.append(_Block("heading", line.strip(" #")))
            fresh = True
        elif row:
            result.append(_Block("row", line))
            fresh = True
        elif bullet:
            result.append(_Block("bullet", line[bullet.end() :].strip(), len(bullet[1].expandtabs(4))))
            fresh = False
        elif fresh or (result[-1].kind == "paragraph" and (result[-1].text.endswith(":") or _LABELED_LINE.match(line))):
            result.append(_Block("paragraph", line.strip().removeprefix("> ")))
            fresh = False
        else:
            result[-1] = result[-1]._replace(text=f"{result[-1].text} {line.strip()}")
    return result


def _entries(blocks: list[_Block]) -> Iterator[Entry]:
    place = _Place()
    header: list[str] = []
    for at, block in enumerate(blocks):
        following = blocks[at + 1] if at + 1 < len(blocks) else _Block("end", "")
        if block.kind != "row":
            header = []
        if block.kind == "code":
            place.end_example()
            place.after_label = False
        elif block.kind == "heading":
            place.enter_heading(block.text, marked=True)
        elif block.kind == "row":
            cells = [cell.strip() for cell in block.text.strip().strip("|").split("|")]
            if not header:
                place.section += 1
                header = cells
            elif not _RULE.match(block.text):
                yield from _row(header, cells, place)
        elif block.kind == "bullet":
            place.after_label = False
            place.listed = True
            if not place.skipping:
                yield from _bullet(block, following, place)
        elif not re.search(r"[↓↑│└├]|^\W*→|^[^.]*→[^.]*$", block.text) and not re.fullmatch(r"\$.*\$", block.text):
            yield from _paragraph(block.text, following, place)


def _row(header: list[str], cells: list[str], place: _Place) -> Iterator[Entry]:
    """A row of a table; one whose columns all say the same sets nothing apart."""
    first, *rest = cells
    if len(rest) == 1 and rest[0]:
        yield Entry(place.labels(first), rest[0], place.section)
    elif len({cell.lower() for cell in rest if cell}) > 1:
        pairs = zip(header[1:], rest, strict=False)
        text = "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
        yield Entry(place.labels(first), text, place.section, whole=True)


def _bullet(block: _Block, following: _Block, place: _Place) -> Iterator[Entry]:
    place.parents = [(indent, text) for indent, text in place.parents if indent < block.indent]
    (lead, body), *further = _pieces(block.text) if _NUMBERED_BOLD.search(block.text) else [_lead(block.text)]
    children = following.kind == "bullet" and following.indent > block.indent
    if children and (not body or (not lead and length(body) <= 6)):
        place.parents.append((block.indent, lead or body.rstrip(":")))
        place.section += not place.parents[:-1]
        return
    for own, text in [(lead, body), *further]:
        if not _leads_to_example(own) and not _CODE_ALONE.fullmatch(text):
            aside = bool(_ASIDE.match(spoken(own))) or (place.aside and not spoken(own))
            yield Entry(place.labels(own), text or own, place.section, "**" in block.text, aside)


def _paragraph(text: str, following: _Block, place: _Place) -> Iterator[Entry]:
    bold = _BOLD_ONLY.match(text)
    names_code = following.kind == "code" and _names_means(text)
    if bold or (text.endswith(":") and length(text) <= 6 and len(sentences(text)) == 1 and not names_code):
        label = (bold[1] if bold else text).strip(" :")
        # A whole sentence ("Memory has several levels:") leads to a list and stands over nothing.
        place.enter_label("" if has_verb(label, surely=True) else label)
        return
    place.after_label = False
    if _is_title(text) and following.kind != "end":
        place.enter_heading(text if following.kind == "bullet" else "", marked=False)
        return
    place.end_list()
    for lead, body in _pieces(text):
        if lead:
            place.enter_run_in(lead, alone=not body)
        if not place.skipping:
            yield from _prose(lead, body, following, place)
        elif lead and body:
            place.skipping = False


def _prose(lead: str, body: str, following: _Block, place: _Place) -> Iterator[Entry]:
    kept = sentences(body)
    if kept and kept[-1].endswith(":"):
        # What leads to code may be the point itself ("Use a deque:"); what leads to a list never is.
        last = kept.pop()
        if following.kind == "code" and _names_means(last):
            kept.append(last.rstrip(":") + ".")
    if kept:
        aside = bool(_ASIDE.match(spoken(lead)))
        yield Entry(place.labels(lead), " ".join(kept), place.section, "**" in body or bool(lead), aside, prose=True)


def _names_means(sentence: str) -> bool:
    """Whether a sentence that leads to code names what the code does it with."""
    return "**" in sentence or "`" in sentence or bool(_MEANS.match(sentence))


def _pieces(paragraph: str) -> Iterable[tuple[str, str]]:
    """A paragraph cut before its bold labels: label (or nothing) and text."""
    marks = [
        mark
        for mark in _BOLD_LABEL.finditer(paragraph)
        if paragraph[mark.end() :].strip()
        and (paragraph[: mark.start()].rstrip()[-1:] in ("", *".!?:;)") or _NUMBERED_BOLD.match(mark[0]))
    ]
    head = paragraph[: marks[0].start()] if marks else paragraph
    if head.strip():
        yield _lead(head.strip())
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(paragraph)], strict=False):
        yield (mark[1] or mark[2]).strip(), paragraph[mark.end() : end].strip()


def _lead(text: str) -> tuple[str, str]:
    """The label a text begins with, in bold or before a colon, and the rest."""
    if bold := _BOLD_LEAD.match(text):
        return bold[1].strip(), bold[2].strip()
    if only := _BOLD_ONLY.match(text):
        return only[1].strip(), ""
    run_in = _RUN_IN.match(text)
    if (
        run_in
        and length(run_in[1]) <= 6
        and (not has_verb(run_in[1], surely=True) or UNSPOKEN_LABEL.match(tidy(run_in[1])))
    ):
        return run_in[1].strip(), text[run_in.end() :].strip()
    return "", text


def _is_title(text: str) -> bool:
    words = re.findall(r"[A-Za-z]\w*", tidy(text))
    named = [word for word in words if word[0].isupper() or len(word) <= 3 or word in {"using", "with", "from"}]
    return (
        not re.search(r"[.!?:;]\W*$", text)
        and 0 < len(words) <= 9
        and len(named) >= 0.8 * len(words)
        and not has_verb(text)
    )


def _gathered(found: Iterable[Entry]) -> list[Entry]:
    """Neighbors under one label that are too short to be points become one."""
    result: list[Entry] = []
    for entry in found:
        before = result[-1] if result else None
        if (
            before is not None
            and entry.labels
            and before.labels == entry.labels
            and before.section == entry.section
            and length(entry.text) < _SHORT
            and not {_first(entry.text), _first(before.text)} & FINITE
            and length(before.text.rsplit(", ", 1)[-1]) < _SHORT
        ):
            result[-1] = before._replace(text=f"{before.text.rstrip('.')}, {entry.text}", whole=True)
        else:
            result.append(entry)
    return result


def _first(text: str) -> str:
    return re.split(r"\W", text, maxsplit=1)[0].lower()

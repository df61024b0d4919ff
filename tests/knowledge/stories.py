"""One set of questions, set in every layout met in practice and written in every format."""

from __future__ import annotations

import html
import io
from typing import NamedTuple

from docx import Document as Word
from docx.text.paragraph import Paragraph as WordParagraph
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import Flowable, Paragraph, Preformatted, SimpleDocTemplate, Spacer

CODE = "def halve(x):\n    if x > 1:\n        return x / 2\n\n    return x"
LONG_CODE = "def many(x):\n" + "\n".join(f"    x = step_{n}(x)" for n in range(60)) + "\n    return x"

STYLES = ("numbered", "q-dot", "q-colon", "bold", "heading", "faq")


class Part(NamedTuple):
    """A piece of a story: ``kind`` is title, section, question, answer, list, subheading, code or around."""

    kind: str
    text: str


QUESTIONS = [
    ("Basics", "What is the difference between a view and a copy of a tensor, and which of the two shares memory?"),
    ("Basics", "How does autograd know which gradients to keep?"),
    ("Basics", "Explain when you would call contiguous on a tensor that was transposed."),
    ("System Design", "Design a service that answers many thousand requests a second."),
    ("System Design", "How would you share the work of training between the nodes of a cluster?"),
]

STORY = [
    Part("title", "Collected Questions for Engineers"),
    Part("around", "Read this page with care before you go to your own interview."),
    Part("section", "Basics"),
    Part("question", QUESTIONS[0][1]),
    Part("answer", "A view looks at the same storage through other strides, and a copy has storage of its own."),
    Part("list", "Ask for the view.|Change one number.|Look at the base."),
    Part("code", CODE),
    Part("answer", "That is what makes views cheap."),
    Part("question", QUESTIONS[1][1]),
    Part("subheading", "The short version"),
    Part("answer", "Only leaves keep them. Everything else is let go of as soon as it was used."),
    Part("question", QUESTIONS[2][1]),
    Part("answer", "Before a view whose strides do not fit."),
    Part("code", LONG_CODE),
    Part("section", "System Design"),
    Part("question", QUESTIONS[3][1]),
    Part("answer", "Replicas behind a balancer, batches within each replica."),
    Part("question", QUESTIONS[4][1]),
    Part("answer", "Shard the data, gather the gradients."),
    Part("section", "Related Articles"),
    Part("around", "What an engineer of this kind earns: between one sum and another."),
    Part("section", "About the author"),
    Part("around", "She has held interviews for years."),
]


def marked(style: str, text: str, in_section: int, in_all: int) -> str:
    """A question with the mark of a style, formats left out."""
    return {
        "numbered": f"{in_section}. {text}",
        "q-dot": f"Q{in_all}. {text}",
        "q-colon": f"Q{in_all}: {text}",
        "bold": f"Q: {text}",
        "heading": text,
        "faq": f"Q: {text}",
    }[style]


def parts(style: str) -> list[Part]:
    """The story with its questions marked; the first line of a FAQ's answers has its mark too."""
    result: list[Part] = []
    in_section = in_all = 0
    for part in STORY:
        in_section = 0 if part.kind == "section" else in_section
        if part.kind == "question":
            in_section, in_all = in_section + 1, in_all + 1
            result.append(Part("question", marked(style, part.text, in_section, in_all)))
        elif style == "faq" and part.kind == "answer" and result[-1].kind == "question":
            result.append(Part("answer", f"A: {part.text}"))
        else:
            result.append(part)
    return result


def as_markdown(style: str) -> str:
    """As Markdown; long questions run over two lines."""
    lines: list[str] = []
    for kind, text in parts(style):
        if kind == "question":
            first, second = text[: text.find(" ", 60)], text[text.find(" ", 60) + 1 :]
            wrapped = (
                f"{first}\n{second}" if len(text) > 80 and style in {"numbered", "q-dot", "q-colon", "faq"} else text
            )
            lines.append({"bold": f"**{text}**", "heading": f"### {text}"}.get(style, wrapped))
        elif kind == "list":
            lines += [f"{number}. {item}" for number, item in enumerate(text.split("|"), 1)]
        elif kind == "code":
            middle = len(text) // 2 + text[len(text) // 2 :].find("\n")
            # A page break stands in the middle of the longer one.
            cut = f"{text[:middle]}\n```\n\n```{text[middle:]}" if len(text) > 200 else text
            lines.append(f"```\n{cut}\n```")
        else:
            lines.append({"title": "# ", "section": "## ", "subheading": "#### "}.get(kind, "") + text)
        lines.append("")
    return "\n".join(lines)


def as_html(style: str) -> str:
    """As a page with navigation, scripts and adverts around and between."""
    body: list[str] = []
    for kind, text in parts(style):
        safe = html.escape(text)
        if kind == "question":
            tag = {"bold": "<p><strong>{}</strong></p>", "heading": "<h3>{}</h3>"}.get(style, "<p>{}</p>")
            body.append(tag.format(safe))
            body.append('<div class="ad-slot"><p>What would you do with a faster course? Buy it!</p></div>')
        elif kind == "list":
            body.append("<ol>" + "".join(f"<li>{html.escape(item)}</li>" for item in text.split("|")) + "</ol>")
        elif kind == "code":
            colored = safe.replace("def", '<span class="k">def</span>')
            body.append(f'<div class="highlight"><pre><code class="language-python">{colored}</code></pre></div>')
        else:
            tag = {"title": "h1", "section": "h2", "subheading": "h4"}.get(kind, "p")
            body.append(f"<{tag}>{safe}</{tag}>")
    return (
        "<!doctype html><html><head><title>1. What is a title?</title><style>p{}</style></head><body>"
        "<nav><ul><li><a href='/'>1. What is home?</a></li></ul></nav><header>Q: Who are we?</header>"
        "<ul><li><a href='#a'>What is a view?</a></li><li><a href='#b'>What is kept?</a></li>"
        "<li><a href='#c'>What is shared?</a></li></ul>"
        f"<main>{''.join(body)}</main><aside><h3>What else do we sell?</h3></aside>"
        "<script>document.write('Q: What is a script?')</script>"
        "<footer><h3>Do you like cookies?</h3></footer></body></html>"
    )


def as_docx(style: str) -> bytes:
    """As a Word file; numbered questions are numbered by Word, code is known by its font."""
    word = Word()
    for kind, text in parts(style):
        if kind == "question" and style == "numbered":
            word.add_paragraph(text.split(" ", 1)[1], style="List Number")
        elif kind == "question" and style == "heading":
            word.add_heading(text, 3)
        elif kind == "question":
            word.add_paragraph().add_run(text).bold = style == "bold"
        elif kind == "list":
            for item in text.split("|"):
                word.add_paragraph(item, style="List Bullet")
        elif kind == "code":
            for line in text.split("\n"):
                _mono(word.add_paragraph(), line)
        elif kind in {"title", "section", "subheading"}:
            word.add_heading(text, {"title": 1, "section": 2, "subheading": 4}[kind])
        else:
            word.add_paragraph(text)
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def _mono(paragraph: WordParagraph, text: str) -> None:
    paragraph.add_run(text).font.name = "Courier New"


def as_pdf(style: str) -> bytes:
    """As a PDF on small pages, with a head and a foot on each; the long code runs over a page break."""
    styles = getSampleStyleSheet()
    heading = {"title": styles["Title"], "section": styles["Heading2"], "subheading": styles["Heading4"]}
    sub = ParagraphStyle("sub", parent=styles["Normal"], fontName="Helvetica-Bold")
    code = ParagraphStyle("own code", parent=styles["Code"], fontSize=8, leading=10)
    flow: list[Flowable] = []
    for kind, text in parts(style):
        safe = html.escape(text)
        if kind == "question":
            look = {"bold": sub, "heading": styles["Heading3"]}.get(style, styles["Normal"])
            flow.append(Paragraph(safe, look))
        elif kind == "list":
            flow += [Paragraph(f"{n}. {item}", styles["Normal"]) for n, item in enumerate(text.split("|"), 1)]
        elif kind == "code":
            flow.append(Preformatted(text, code))
        else:
            flow.append(Paragraph(safe, heading.get(kind, styles["Normal"])))
        flow.append(Spacer(1, 6))
    file = io.BytesIO()

    def around(canvas: object, document: object) -> None:
        canvas.drawString(40, 575, "Collected Questions, edition 3")  # type: ignore[attr-defined]
        canvas.drawString(200, 20, f"Page {document.page}")  # type: ignore[attr-defined]

    SimpleDocTemplate(file, pagesize=A5).build(flow, onFirstPage=around, onLaterPages=around)
    return file.getvalue()

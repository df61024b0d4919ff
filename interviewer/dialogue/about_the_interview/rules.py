"""What is told to whoever asks how the interview itself works: a rule for each thing that people ask. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.session.plan import Plan
from interviewer.text import in_words
from interviewer.understanding.closing_request import Closing, ClosingRequest
from knowledge.model import Kind

_REPORT_COMES = "Your report comes right after this, on this machine."
_REPORT_HAS_IT = "Your report has that: what to fix first, and a plan for practicing it."
_STAYS_HERE = "Everything stays on your machine, unless you pass it on."
_WAS_CHOSEN = "The kinds of questions were chosen before we started, and I follow that plan."

_GRADED = (
    r"\b(?:(?:grad|scor|judg|evaluat)(?:e|es|ed|ing)|mark(?:s|ed)?|(?:does|do|will|would) (?:this|it|that) count)\b"
)
_FROM_THE_START = r"\b(?:warm-?\s?up|intro(?:duction)?|small talk|from the (?:very )?(?:start|beginning))\b"

_ON_THE_INTERVIEW = tuple(
    (re.compile(form, re.IGNORECASE), reply)
    for form, reply in (
        (
            r"\b(?:grad|mark|scor|judg|evaluat|count)\w*\b[^.?!]*\b(?:follow-?\s?ups?|hints?)\b",
            "It all counts. The report separates what you said right away from what came after a follow-up or a hint.",
        ),
        (
            r"\b(?:grad|mark|scor|judg|evaluat|count)\w*\b[^.?!]*\b(?:long|longer|short|shorter|length)\b",
            "What counts is which points an answer makes, not how long it is.",
        ),
        (
            rf"{_GRADED}[^.?!]*{_FROM_THE_START}|{_FROM_THE_START}[^.?!]*{_GRADED}"
            r"|\bdoes the (?:warm-?\s?up|intro(?:duction)?) (?:already |also )?count\b",
            "Only answers to the questions are graded, point by point. A warm-up isn't.",
        ),
        (
            r"\b(?:grad(?:e|es|ed|ing)|mark(?:s|ed|ing)?|scor(?:e|es|ed|ing)|judg(?:e|es|ed|ing)|weigh|evaluat\w+)\b",
            "Each answer is graded point by point against a rubric, and the report shows every mark.",
        ),
        (
            r"\b(?:how|too) (?:technical|deep|detailed|long|short|much detail)\b|\blevel of detail\b",
            "As technical as you'd be with a colleague. A minute or two for an answer is plenty.",
        ),
        (
            r"\b(?:same|different|another|other|new|reuse|own) (?:stor(?:y|ies)|example)\b"
            r"|\b(?:talk about|use|reuse|take) (?:that|this|the) (?:one |same )?(?:stor(?:y|ies)|project|example)\b",
            "Use whichever story fits. You can use the same one more than once.",
        ),
        (
            r"\b(?:run|runs|execute|executes|test|tests)\b[^.?!]*\b(?:code|editor|type|typed|submit\w*)\b",
            "Yes. What you submit runs in a sandbox, against tests.",
        ),
        (
            r"\bwhere (?:do|should|can) i (?:put|write|type|enter|paste|submit|hand in) (?:in )?"
            r"(?:my |the |this |that )?(?:code|solution|program|function|class)\b"
            r"|\beditor\b[^.?!]*\b(?:i type|see what|extra box|another box|write here)\b"
            r"|\b(?:did|do) you (?:get|see|have|receive) (?:my|the) (?:code|solution|program)\b",
            "Your code goes into the editor beside this conversation. Only what you submit there is run and counted.",
        ),
        (
            r"\bquestions? (?:about|on) [^.?!]{2,40} instead\b|\b(?:different|another) (?:question|topic) instead\b",
            "The questions were chosen before we started. If you'd rather not take this one, just say so.",
        ),
        (
            r"\bi don'?t know\b[^?]*\b(?:so often|too often|a lot|many times)\b",
            "It's fine to say so. What counts is what you do know.",
        ),
        (
            r"\b(?:when|where|how|by)\b[^?]*\b(?:get|see|receive|find|sent|mail|e-?mail)\b[^?]*"
            r"\b(?:results?|feedback|report|marks?|here)\b",
            _REPORT_COMES,
        ),
        (
            r"\b(?:more|mostly|only|all)(?: about)? (?:coding|system design|design|theory|knowledge|practical)\b",
            _WAS_CHOSEN,
        ),
        (
            r"\binterrupt\b|\bwhen i(?:'m| am) (?:done|finished)\b",
            "Keep talking until you're done. I'll wait.",
        ),
        (
            r"\b(?:can|may|if|okay|ok|fine)\b[^?]*\bi (?:go|get|be) (?:quite |very |really |too |more )?"
            r"(?:low[- ]level|deep|deeper|technical|into (?:the )?details?)\b",
            "Yes, go as deep as you like.",
        ),
        (
            r"\bthink(?:ing)? (?:out loud|aloud)\b",
            "Yes, please think out loud.",
        ),
        (
            r"\b(?:hints?|ask (?:you )?for help|(?:can|may|could) i ask (?:you )?(?:back|questions)|stuck)\b",
            "Yes, ask for a hint, or ask what I mean, whenever you like.",
        ),
        (
            r"\b(?:design|coding|behaviou?ral) (?:questions?|rounds?|ones?)\b|\bnext (?:one|question)\b|\bcoming up\b"
            r"|\b(?:be|do) (?:a |an |some )?(?:system )?design\b",
            _WAS_CHOSEN,
        ),
        (
            r"\b(?:split|divid|spread|allocat)\w*(?: up)? (?:the|our|my|these) (?:[\w-]+ )?(?:minutes|time|hour)\b",
            "Each question has its own time, shown beside it, and I'll move us on when it's up.",
        ),
        (
            r"\bquestions?\b[^.?!]{0,30}\b(?:about|on) my (?:own )?(?:projects?|work|background|experience|jobs?|cv)\b"
            r"|\bquestions?\b[^.?!]{0,60}\bor (?:rather |are they )?(?:more )?general\b",
            "Mostly general ones. Bring in your own work wherever it fits.",
        ),
        (
            r"\b(?:split|structured|organi[sz]ed|the whole way|be (?:more )?about|focus on|what to expect"
            r"|how (?:does|will) (?:this|it|the (?:interview|hour)) (?:work|go|be))\b",
            "I'll ask one question at a time, with follow-ups, and leave time for yours at the end.",
        ),
        (
            r"\b(?:are you (?:a |an )?(?:real|human|person|bot|ai|machine|program)|who are you|do you do (?:this|these)"
            r"|how many of these (?:interviews )?do you)\b",
            "I'm a program.",
        ),
        (
            r"\b(?:do|did|have|are) you (?:guys |people |all )?"
            r"(?:yourself |yourselves |also |ever |actually |personally )*(?:work\w*|used?|using|train\w*|buil[dt]\w*"
            r"|enjoy\w*|r[au]n|deal\w*|do(?:ing)? (?:this|these|that))\b"
            r"|\byour (?:own )?(?:team|company|job|day|work|projects?|experience|colleagues)\b",
            "I'm a program, so I have no work of my own to tell you about.",
        ),
        (
            r"\b(?:i|me|my)\b[^.?!]*\b(?:work on|improve|practi[cs]e|study|get better|learn|read|prepare)\b"
            r"[^.?!]*\b(?:after (?:this|that|today)|next|now|from here|first|most)\b",
            _REPORT_HAS_IT,
        ),
        (
            r"\b(?:questions?|topics?)\b[^.?!]*\b(?:background|fixed|adapt\w*|depend\w*|random|based on|tailored)\b",
            "The topics and the level were chosen before we started. My follow-ups go by what you say.",
        ),
        (
            r"\brecord(?:ed|ing)\b|\b(?:who|anyone|anybody)\b[^.?!]*\b(?:see|hear|listen|read)\b",
            _STAYS_HERE,
        ),
        (
            r"\b(?:meant|made|intended) for\b|\b(?:machine[- ]learning|ml) people\b",
            "It's for PyTorch and deep-learning jobs. Role, topics, and level are chosen before it starts.",
        ),
    )
)
"""What is told of the interview itself, by what is asked."""


_SURELY = tuple(
    (re.compile(form, re.IGNORECASE), reply)
    for form, reply in (
        (
            r"\bcount(?:s|ed)? against me\b|\b(?:bad|worse|a problem)\b[^.?!]*\b(?:that|if|when) i ask\b"
            r"|\bmy (?:own )?questions?(?: back)? (?:count|matter|cost)\b",
            "Your questions don't count against you. Only your answers are graded.",
        ),
        (
            r"\b(?:will|do|can|would) (?:i|you) (?:be told|be shown|get told|learn|see|find out|tell me|show me)\b"
            r"[^.?!]*\b(?:which|what|where)\b[^.?!]*\b(?:i|my)\b[^.?!]*\b(?:wrong|right|off|mistaken?|mistakes|missed)\b",
            "Yes. The report says what was wrong or missing when it's sure, and what to look up when it isn't.",
        ),
        (
            r"\b(?:how|on what basis) (?:do|did|are|were) (?:you|the questions)\b[^.?!]*\b(?:pick|picked|choose|chose"
            r"|chosen|select|selected|decide|come up)\b[^.?!]*\b(?:questions?|topics?|ask|next|come up)\b"
            r"|\bhow (?:are|were) the (?:questions|topics)\b[^.?!]*\b(?:picked|chosen|selected|made)\b"
            r"|\bwhy (?:did|do|am) i (?:get|getting)\b[^.?!]*\bquestions?\b",
            "They come from a bank for PyTorch and deep-learning jobs, based on the role, topics, and level chosen "
            "before we started. My follow-ups go by what you say.",
        ),
        (
            r"\bwhen (?:will|do|can|would) i\b[^.?!]*\b(?:how (?:i|it) (?:did|went)|results?|feedback|report|marks?)\b",
            _REPORT_COMES,
        ),
        (
            r"\b(?:does|do|will|can|is) (?:a|any|some) (?:real |other )?(?:person|human|people|recruiter|company)\b"
            r"[^.?!]*\b(?:listen\w*|read\w*|see\w*|hear\w*|get\w*)\b"
            r"|\bwhat happens (?:with|to) (?:my|the|these) (?:answers|recordings?|data|words)\b",
            _STAYS_HERE,
        ),
        (
            r"\border of (?:my|the) (?:answers|points|sentences)\b|\b(?:which|what) order i\b",
            "Only what you say counts, not the order you say it in.",
        ),
        (
            r"\b(?:mistake|error|something|thing)s?\b[^.?!]*\bi (?:took back|take back|corrected|put right|withdrew)\b",
            "Anything you correct yourself counts as corrected.",
        ),
        (
            r"\bi couldn'?t (?:hand|submit|send)\b[^.?!]*\b(?:can|could|may) i (?:still|now)\b",
            "No, that question is closed. You can practice it again after the interview.",
        ),
        (
            r"\bwhat (?:would|should|do) (?:you|i|a|an|one)\b[^.?!]*\b(?:learn|study|read|practi[cs]e|work on)\b"
            r"[^.?!]*\b(?:first|most|next|after (?:this|that|today))\b"
            r"|\bhow do i (?:find out|know)\b[^.?!]*\bi (?:should|need to|have to) (?:work|practi[cs]e|learn|study)\b",
            _REPORT_HAS_IT,
        ),
        (
            r"\b(?:which|what)\b[^.?!]*\b(?:points?|things?|numbers?)\b[^.?!]*\b(?:(?:hoping|looking) for|expect\w*)"
            r"\b[^.?!]*\bi (?:did(?:n't| not)|left|missed)\b"
            r"|\bwhat would (?:a|an|the) (?:top|perfect|ideal|strong|better|good)(?:er)? answer\b[^.?!]*\bmine\b",
            "Your report lists them: every point, what you said on it, and a model answer.",
        ),
    )
)
"""What is told before anything is looked up, since it can only be meant of the interview."""


def surely_on_the_interview(text: str) -> str:
    """What is told to whoever can only mean the interview itself; empty where they may mean the subject."""
    return next((reply for form, reply in _SURELY if form.search(text)), "")


def on_the_interview(text: str, plan: Plan | None = None) -> str:
    """What is told to whoever asks how the interview works; empty where it is something else.

    A plan tells how many questions of a kind are coming.
    """
    if plan is not None and (told := _on_a_kind(text, [item.kind for item in plan.agenda])):
        return told
    found = (reply for form, reply in _ON_THE_INTERVIEW if form.search(text))
    return surely_on_the_interview(text) or next(found, "")


_KINDS = (
    (
        re.compile(r"\b(?:coding|write (?:any |some )?code|programming|(?:any|about|on) code)\b", re.IGNORECASE),
        frozenset({Kind.CODING, Kind.DEBUGGING}),
        "coding",
    ),
    (re.compile(r"\b(?:system )?design\b", re.IGNORECASE), frozenset({Kind.SYSTEM_DESIGN}), "system design"),
    (re.compile(r"\bbehaviou?ral\b", re.IGNORECASE), frozenset({Kind.BEHAVIORAL}), "behavioral"),
)
_IS_COMING = re.compile(r"\b(?:will|are|going to|is|do|how many|any|should i expect)\b[^.?!]*\?\s*$", re.IGNORECASE)


def _on_a_kind(text: str, planned: Sequence[Kind | None]) -> str:
    """How many questions of a kind are coming, told to whoever asks whether any is; empty where that is not known."""
    found = next(((kinds, name) for form, kinds, name in _KINDS if form.search(text)), None)
    if found is None or not planned or None in planned or not _IS_COMING.search(text):
        return ""
    name, count = found[1], sum(kind in found[0] for kind in planned)
    if count == len(planned):
        return f"All of the questions are {name} questions."
    if count <= 1:
        return f"One of the questions is a {name} question." if count else f"No {name} question is planned this time."
    return f"{in_words(count).capitalize()} of the questions are {name} questions."


def beside_an_answer(closing: ClosingRequest) -> str:
    """What is told to whoever asks at the end of an answer how the interview works; empty where they do not."""
    asks = closing.kind is Closing.FORMAT or (
        closing.kind in {Closing.SUBJECT, Closing.VIEW} and _OF_ANSWERS.search(closing.words)
    )
    return on_the_interview(closing.words) if asks else ""


_OF_ANSWERS = re.compile(
    r"\bhow (?:long|deep|detailed|technical)\b[^.?!]*\b(?:should|answers?|story|stories|want|like|expect)\b"
    r"|\b(?:hand in|submit|run|execute)\b[^.?!]*\b(?:code|type|typed|write)\b"
    r"|\bwhere (?:do|should|can) i (?:put|write|type|enter|paste)\b[^.?!]*\b(?:code|solution|program)\b"
    r"|\bthe editor\b[^.?!]*\b(?:i type|see|box)\b",
    re.IGNORECASE,
)

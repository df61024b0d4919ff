"""Whether an utterance puts right or completes an earlier answer, or takes back what was said before. Pure rules."""

from __future__ import annotations

import re

from interviewer.text import plain
from interviewer.understanding import question_references

_OTHER = rf"(?:{question_references.QUESTION}|{question_references.ANSWER})"
_TO_IT = (
    r"(?:(?:my|the) answer (?:i gave )?(?:to|on|for|about|in) |what i (?:said|told you) (?:on|about|to|in|for) "
    r"|something (?:on|about) )?"
)
_MENDING = (
    r"(?:\b(?:i|it|that|this|answer)(?:'s| is| was)? (?:not right|wrong|incorrect|mistaken)\b"
    r"|\bi (?:was|am) (?:wrong|mistaken)\b"
    r"|\bi (?:got|had) .{0,20}(?:wrong|mixed)|\bmistaken?\b|\bi (?:meant|misspoke|confused)\b|\bmixed\b|\bit reads\b"
    r"|\bshould (?:be|have|read|say)\b|\bcorrect(?:ion)?\b|\bscratch\b|\btake back\b|\bi (?:forgot|left out|missed)\b"
    r"|\bi (?:said|wrote) .*\b(?:but|wrong|should)\b"
    r"|(?:\bwould|\bwant to|'d like to|'d|'d now) (?:change|add|correct|say)\b"
    r"|\b(?:was|is)(?: not|n't) (?:right|correct)\b|\bwas (?:wrong|incorrect)\b)"
)
_PUT_RIGHT = r"(?:correct|change|fix|mend|revise|amend|add|take back|rephrase|put right)"
_MORE = (
    r"(?:(?:just |and |also |oh |or |sorry |actually )*(?:one|another|an?|some|two|something|things?) "
    r"(?:(?:more|last|other|final|quick|small|short|further|else|additional|things?|points?|details?|notes?"
    r"|additions?"
    r"|remarks?|thoughts?|comments?) ?)+|(?:and |also |oh )*(?:something|more|also)|(?:a )?p ?s)"
    r"(?:,? (?:that )?i (?:forgot|wanted to (?:add|say|mention)|should (?:add|mention)|(?:just )?remembered))?"
)
_ADDING = (
    # "One more thing on the last question: …"
    rf".{{0,40}}?\b{_MORE},? ?(?:to add )?(?:on|about|to|for|regarding|from|with|concerning) {_TO_IT}{_OTHER}"
)
_TELL = r"(?:sa(?:y|id)|mention(?:ed)?|add(?:ed)?|t(?:ell|old)(?: you)?|note[d]?|explain(?:ed)?|br(?:ing|ought) up)"
_REMEMBERED = (
    # "I forgot: on the last question, …", "I should have said on question one that …"
    r"(?:(?:oh|ah|also|and|but|wait|sorry|just|yes|no)[, ]+)*"
    r"(?:(?:something|one (?:more )?thing|what) )?(?:that )?"
    r"(?:i(?:'ve| have)? (?:just |completely |totally |also |still )*(?:forgot(?:ten)?|left out|missed|omitted"
    r"|remembered)"
    rf"|(?:i should(?: also| really)? have|i (?:didn't|did not|failed to|forgot to)) {_TELL}"
    r"|(?:i (?:just |also |still )*(?:want|wanted|have|need|meant|would like) to|i'd (?:just |also "
    r"|still )*like to|let me"
    rf"|(?:can|could|may) i)(?: just| also| still| quickly)* {_TELL})"
    r"(?! (?:to )?(?:answer|finish|go|come|get|try|return|ask)\b)"
    r"(?: (?!(?:the|my|an|your) (?:answer|question)\b)[^ .?!]+){0,7}?"
    rf"[ ,:;-]+(?:on|to|for|about|in|regarding|with) {_TO_IT}{_OTHER}"
)
_PLEASE_ADD = (
    r"(?:(?:please|can you|could you|would you|you can|you may)[, ]+)*(?:also )?"
    r"(?:add|count|note|put|write|include) (?:it|that|this)(?: (?:please|down|there|too|as well|in|under it|to it))*"
)
_ADDED = (
    # "On the last question: pinned memory … Please add it."
    rf"(?:(?:and|also|oh|so|well|just)[, ]+)*(?:on|to|for|about|in|regarding|as for|back to"
    rf"|concerning) {_TO_IT}{_OTHER}\b.*"
    rf"[.;,!?] {_PLEASE_ADD}\W*$"
)
_BY_SUBJECT = (
    rf"(?:(?:oh|ah|and|but|also|so|wait|sorry)[, ]+)*{question_references.SUBJECT_BEFORE}.{{0,120}}?{_MENDING}"
)
_TO_BE_ADDED = re.compile(
    # "Pinned memory … Please add that to question three."
    rf"(?:^|[.;,!?] ){_PLEASE_ADD} (?:to|for|on|under|toward|in) {_TO_IT}{_OTHER}(?: please| too| as well)*"
    r"(?:\W*$|[.!:] )"
)
_UNDER_ITS_NAME = (
    # "On the state-space question: the catch is exact recall."
    r"(?:(?:and|also|oh|so|well|wait|sorry|okay|now|then)[, ]+)*(?:on|(?:going |coming )?back to|regarding|concerning) "
    rf"{question_references.BY_NAME}(?: again| then)?:"
    r"(?! ?(?:can|could|may|what|why|how|which|do|did|is|are)\b)[^?]{30,}"
)
_BACK_FIRST = (
    # "Before that, could we jump back to the trace for a second? I forgot to say that …" Whoever says "let me go back
    # to the gradient" is still at the open question.
    r"(?:(?:oh|ah|sorry|wait|okay|so|and|but|actually)[, ]+)*(?:before [^.?!,]{3,40}, )?"
    r"(?:can|could|may) (?:we|i) (?:just |quickly |please |still |briefly )*"
    r"(?:jump|go|come|get|step|hop|circle) back (?:for a (?:second|sec|moment|minute|bit) )?to [^.?!]{3,50}[?.] "
    r"(?:there )?i (?:just |also |completely |totally )*(?:forgot|left out|missed|should(?: also)? have"
    r"|wanted to (?:add|say)|didn't (?:say|mention))\b"
)
_RATHER_BACK = (
    # "Can I skip that one? I'd rather use the time to go back to the guidance question. In training …"
    r"(?:[^.?!]{3,40}\? )?i(?:'d| would) (?:rather|like to|prefer to) (?:use the time to )?"
    rf"(?:go|get|jump) back to {question_references.BY_NAME}"
    r"(?![^.?!]*\b(?:later|end|when|after|if|once)\b)[^.?!]{0,40}[.:] (?!for now|here\b|on this)[^?]{30,}"
)
_RULES = tuple(
    re.compile(pattern)
    for pattern in (
        _BACK_FIRST,
        _RATHER_BACK,
        # "About the first question, I was wrong."
        r"(?:to |i(?:'d| would) like to |let me |something )?(?:(?:just )?(?:about|for|on|in|to|as (?:for|to)"
        r"|regarding"
        r"|concerning|with (?:regard|respect) to|(?:com(?:e|ing)|go(?:ing)?|get(?:ting)?)? ?back to"
        r"|return(?:ing)? to) )?"
        rf"{_TO_IT}{_OTHER}.{{0,80}}?{_MENDING}",
        # "I was wrong about the first question."
        r"(?:i (?:think |believe |realise |realize |noticed? |see )?(?:now )?(?:that )?)?(?:i )?"
        r"(?:was (?:wrong|mistaken)|made (?:a mistake|an error)|said (?:the wrong thing|something wrong)"
        r"|changed my mind|misspoke|got"
        rf"|(?:confused|mixed up|mixed)\b.{{0,20}})\b.{{0,40}}?\b{_OTHER}",
        r"(?:(?:just|quickly)[, ]+)*(?:(?:can|could|may|should) i |let me |please |to )?(?:please )?"
        rf"{_PUT_RIGHT}\b.{{0,40}}?\b{_OTHER}",
        rf"i(?:'d| would) like to {_PUT_RIGHT}\b.{{0,40}}?\b{_OTHER}",
        rf"i (?:want|need|have) to {_PUT_RIGHT}\b.{{0,40}}?\b{_OTHER}",
        # "About the sequence parallelism before: I said that it doubles, that was wrong."
        _BY_SUBJECT,
        rf"(?:(?:a|one) )?(?:small |quick )?correction (?:to|on|about|for) {_TO_IT}{_OTHER}",
        rf"i (?:realise|realize|think|see)(?: now)?(?: that)? {_TO_IT}{_OTHER}.{{0,20}}?{_MENDING}",
        _ADDING,
        _REMEMBERED,
        _ADDED,
        _UNDER_ITS_NAME,
    )
)
_LEAD_SENTENCE = re.compile(
    r"(?:(?:sorry|oh|actually|and|but|so)[, ]+)*(?:wait[,.]|hold on|hang on|you (?:said|asked|cut)|i (?:still |do )?owe"
    r"|before (?:that,|we (?:go|move) on|i answer))[^.?!]{0,140}[.!] "
)
"""What somebody says before they go on to something else than what was asked, without the words that ``ahead`` takes
away."""


def adds_to_earlier(text: str) -> bool:
    """Whether a sentence announces one more thing on another question."""
    return re.match(rf"{_ADDING}|{_REMEMBERED}|{_BY_SUBJECT}|{_UNDER_ITS_NAME}", plain(text)) is not None


def goes_back_first(text: str) -> bool:
    """Whether somebody goes back to something, whatever they call it, and tells what they had left out there."""
    return re.match(_BACK_FIRST, plain(text)) is not None


def mends_earlier(said: str) -> bool:
    """Whether it names another question and puts right or completes what was said there.

    Args:
        said: in lower case, without the fillers that it began with.

    """
    lead = _LEAD_SENTENCE.match(said)
    begins_late = lead is not None and re.match(_UNDER_ITS_NAME, said[lead.end() :]) is not None
    return begins_late or any(rule.match(said) for rule in _RULES) or _TO_BE_ADDED.search(said) is not None


_CUT_OFF = re.compile(
    r"\b(?:you cut me off|i (?:was|am)(?:n't| not)(?: (?:quite|yet|even|really|still))? (?:done|finished|through)\b"
    r"|i had(?:n't| not)(?: (?:quite|yet|even))? (?:got(?:ten)?|finished|answered|come)\b"
    r"|(?:i(?:'d| would) (?:still |just )?(?:like|love|want) to|i (?:still |just )?want(?:ed)? to"
    r"|let me(?: just| still| first| quickly)*) finish (?:up )?"
    r"(?:the (?:last|previous|other|first) (?:one|question)|that one)\b"
    r"|(?:can|could|may) i (?:still |just |please |quickly )*"
    r"(?:finish\b|(?:say|add) (?:one|a) (?:more |last )?(?:sentence|thing|word)))"
)
_AT_ITS_BEGINNING = 100
"""Characters within which somebody says that they were cut off."""


def was_cut_off(text: str) -> bool:
    """Whether somebody begins by saying that they had not finished."""
    return _CUT_OFF.search(plain(text)[:_AT_ITS_BEGINNING]) is not None


_TAKES_BACK = re.compile(
    r"(?:(?:oh|ah|hm+|okay|ok|yes|yeah|sorry|right|no|well|so|and|fair enough|good point)[,.!]? )*"
    r"(?:you(?:'re| are| might be| may be) (?:of course |absolutely |totally |quite |probably )?right|true\b"
    r"|i(?: was|'m| am) (?:wrong|mistaken)|i (?:misspoke|got (?:that|it) wrong|take (?:that|it|this) back|mixed)"
    r"|(?:that|it|this|what i (?:just )?said(?: before| earlier| first| at first)?)(?: was|'s| is) "
    r"(?:wrong|not right|a mistake|my mistake|a slip)|i take back|scratch that)"
)


def takes_back(reply: str) -> bool:
    """Whether a reply begins by saying that what was said before was wrong."""
    return _TAKES_BACK.match(plain(reply)) is not None

"""What a person asks the meaning of: "What is X?", "When would you use X?", "How does X differ from Y?"."""

from __future__ import annotations

import re

from interviewer.text import sentences
from interviewer.understanding.fluent_speech import without_fillers

_THING = r"(?:(?:using|doing|applying) )?(?P<thing>\S+(?: \S+){0,4}?)"
_OTHER = r"(?:(?:using|doing|applying) )?(?P<other>\S+(?: \S+){0,4}?)"
_BEFORE = r"(?:(?:so|and|but|okay|ok|well|uh|um|right|yes|yeah|sure|one question|just|quickly)[, :]+)*"
_ASKED = (
    r"(?:(?:can|could|would) you (?:please |quickly |briefly )?(?:(?:tell me|explain|say|remind me)(?: again)? )?"
    r"|(?:please )?remind me(?: again)? |(?:I(?:'d| would) like|I (?:want|wanted)) to (?:know|ask|understand)[,:]? "
    r"|I was wondering[,:]? |do you know |I (?:don't|do not) (?:really |quite )?(?:know|understand) )?"
)
_AFTER = (
    r"(?:,? (?:again|exactly|actually|really|precisely|then|anyway|briefly|please|today|nowadays|these days|at all"
    r"|for me|to me|by the way|if I may ask|in (?:short|brief|practice|principle|general|detail|plain words"
    r"|simple (?:terms|words)|a (?:nutshell|sentence|few words)|one sentence"
    r"|pytorch|deep learning|machine learning)))*\W*"
)
_MARKS = "?!.,:;"
_PHRASE = re.compile(r"(?:^|(?<=[\s,]))(?:you know|i mean)\b[,.]?", re.IGNORECASE)
_STUTTER = re.compile(r"\b((?:\S+ ){0,2}\S+?),? \1\b", re.IGNORECASE)
_FOR = r"(?:(?:good |useful |used |needed )?for|about)"
_USES = rf"(?: {_FOR})?"

_WHO = r"(?:I|you|we|one|people|somebody|someone)"
_WOULD = r"(?:would|do|should|does|could|can|might)"
_WHEN = r"(?:when|why|where|in (?:what|which) (?:cases?|situations?))"
_USE = r"(?:rather )?(?:use|choose|pick|want|take|need|prefer|reach for|go (?:for|with))"
_INSTEAD = r",? (?:instead of|rather than|over|as opposed to|and not|but not)"
_BESIDE = r",? (?:(?:as )?(?:compared|opposed) (?:to|with)|in comparison (?:to|with)|relative to|versus|vs\.?)"
_STILL = r"(?:(?:really|still|even|also|always|ever|actually|then) )*"
_GAINS = r"(?:(?:main |real |big |added )?(?:points?|advantages?|benefits?|gains?|upsides?|use|purpose|value|appeal))"
_BETTER = r"(?:better(?: choice)?|preferable|preferred|superior|a better choice|the better choice)"
_WORTH = (
    r"(?:worth (?:it|using|doing|having|the (?:cost|trouble|effort))|useful|helpful|needed|necessary|important"
    r"|good for (?:anything|something)|of (?:any )?use|a good idea|appropriate|the right choice|redundant)"
)
_HELPS = r"(?:help|matter|make sense|pay off|pay|(?:add|bring|do|change) anything)"
_HAVE = (
    rf"(?:if|when|once|given that|now that) {_WHO}(?:'m|'ve| am| are| have| has)? (?:(?:already|always|just) )?"
    rf"(?:have|use|using|used|do|doing|got|run|running)(?: already)? {_OTHER}"
)
_VERBS = r"(?:need|use|take|cost|train|converge|run|generalize|work|scale|perform|learn|have|give|lose|save)s?"

_GIVEN = (
    rf"(?:do|does|would|should) {_WHO} {_STILL}{_USE} {_THING}(?: at all)?,? {_HAVE}",
    rf"(?:when |why )?(?:is|are) {_THING} {_STILL}{_WORTH},? {_HAVE}",
    rf"(?:why )?(?:does|do) {_THING} {_STILL}{_HELPS},? {_HAVE}",
    rf"what(?:'s| is| are) {_STILL}(?:the )?{_GAINS} (?:of|in) {_THING},? {_HAVE}",
    rf"what(?:'s| is| are) {_THING} {_STILL}{_FOR},? {_HAVE}",
    rf"what (?:does|do) {_THING} {_STILL}(?:do|help with|bring|add|give|buy)(?: me| us| you)?,? {_HAVE}",
    rf"(?:why|when|what) {_WOULD} {_WHO} {_STILL}{_USE} {_THING}(?: for)?,? {_HAVE}",
    rf"{_HAVE}, (?:(?:why|when) )?(?:do|does|would|should) {_WHO} {_STILL}{_USE} {_THING}",
    rf"{_HAVE}, (?:is|are) {_THING} {_STILL}{_WORTH}",
    rf"{_HAVE}, (?:does|do) {_THING} {_STILL}{_HELPS}",
    rf"{_HAVE}, what(?:'s| is| are) {_THING} {_FOR}",
)
"""Asks for one thing, given that there is another."""

_COMPARED = (
    rf"(?:what(?:'s| is| are) |explain )?the differences? between {_THING} and {_OTHER}",
    rf"what(?:'s| is| are) (?:the )?differences? between {_THING} and {_OTHER}",
    rf"how (?:does|do|is|are) {_THING} (?:differ|different) from {_OTHER}",
    rf"how do {_THING} and {_OTHER} (?:differ|compare)",
    rf"how (?:does|do|would) {_THING} compare (?:to|with|against) {_OTHER}",
    rf"compare {_THING} (?:and|to|with|against) {_OTHER}",
    rf"what distinguishes {_THING} from {_OTHER}",
    rf"{_WHEN} {_WOULD} {_WHO} {_USE} {_THING}{_INSTEAD} {_OTHER}",
    rf"{_WHEN} {_WOULD} {_WHO} prefer {_THING} to {_OTHER}",
    rf"when {_WOULD} {_WHO} {_USE} {_THING},? (?:and when|or) {_OTHER}",
    rf"why (?:is|are) {_THING} used{_INSTEAD} {_OTHER}",
    rf"(?:{_WHEN} )?(?:is|are) {_THING} {_STILL}{_BETTER} (?:over|to|than) {_OTHER}",
    rf"why (?:is|are) {_THING} (?:(?:so|much|often|usually|mostly|a lot) )*(?:more|less|[a-z]+er)(?: [a-z]+)?"
    rf" than {_OTHER}",
    rf"why (?:does|do) {_THING} (?:(?:often|usually|mostly) )?{_VERBS} (?:(?:so|much|a lot) )?"
    rf"(?:more|less|fewer|[a-z]+er)(?: [a-z]+)? than {_OTHER}",
    rf"why (?:not )?(?:(?:just|simply) )?(?:use )?{_THING}{_INSTEAD} {_OTHER}",
    rf"what (?:does|do|can) {_THING} (?:do|bring|give|offer|add|have)(?: me| us| you)?"
    rf" that {_OTHER} (?:does|do|can|has|have)(?: not|n't|'t)",
    rf"what (?:does|do|would) {_THING} (?:do|bring|give|offer|add|buy)(?: me| us| you)?"
    rf"(?:{_INSTEAD}|{_BESIDE}) {_OTHER}",
    rf"what(?:'s| is| are) (?:the )?{_GAINS} (?:of|in|to) {_THING}(?: over|{_BESIDE}) {_OTHER}",
    rf"what(?:'s| is| are) {_THING}{_USES}{_BESIDE} {_OTHER}",
    rf"(?:should|would) {_WHO} {_USE} {_THING} or {_OTHER}",
    rf"(?:which|what)(?: one)?(?:'s| is| are| would be) {_BETTER}(?: to use)?[,:]? {_THING} or {_OTHER}",
    rf"{_THING} or {_OTHER}[,:;?]* (?:and )?(?:which|what)(?: one)?(?:'s| is| are| would be) {_BETTER}"
    r"(?:,? and (?:when|why|for what))?",
    rf"{_THING} or {_OTHER}[,:;?]* (?:and )?which(?: one)? {_WOULD} {_WHO} {_USE}(?:,? and (?:when|why|for what))?",
    rf"{_THING} or {_OTHER}[,:;?]* (?:and )?when {_WOULD} {_WHO} {_USE} (?:which|what)(?: one)?",
    rf"(?:is|are) {_THING} (?:really )?the same(?: thing)? as {_OTHER}",
    rf"(?:what about )?{_THING} (?:vs\.?|versus) {_OTHER}",
    *_GIVEN,
)
_DEFINED = (
    rf"what(?: exactly| actually)?(?:'s| is| are|s) (?:exactly |actually )?"
    r"(?:the (?:point|purpose|idea|use|meaning|definition|intuition|benefit|advantage|motivation|role) (?:of"
    r"|behind) )?"
    rf"{_THING}{_USES}",
    rf"what(?:'s| is| are) the {_GAINS} (?:of|in) {_THING}",
    rf"{_THING} (?:is|are) what",
    rf"what {_THING} (?:is|are){_USES}",
    rf"what {_THING} (?:does|do|means|mean|stands for)",
    rf"what (?:does|do) {_THING} (?:do|mean|stand for|help with|bring|add)",
    rf"what problems? (?:does|do) {_THING} (?:solve|address)",
    rf"what {_WOULD} {_WHO} use {_THING} for",
    rf"what {_WOULD} {_WHO} (?:gain|get) (?:from|by|out of) {_THING}",
    rf"what(?:'s| is) meant by {_THING}",
    rf"what (?:do|does|would) {_WHO} mean by {_THING}",
    rf"why (?:is|are|do|does|would|do we|do you|does one|would one|would you|do people) {_THING}"
    r" (?:needed|used|useful|necessary|important|works?|helps?)",
    rf"why {_WOULD} {_WHO} {_STILL}(?:need|use|want|do|bother with) {_THING}",
    rf"why (?:bother with )?{_THING}",
    rf"{_WHEN} {_WOULD} {_WHO} {_STILL}{_USE} {_THING}",
    rf"{_WHEN} (?:is|are) {_THING} {_STILL}(?:used|{_WORTH})",
    rf"(?:is|are) {_THING} {_STILL}{_WORTH}",
    rf"is it {_STILL}worth (?:it to use )?{_THING}",
    rf"(?:do|does) {_WHO} {_STILL}need {_THING}",
    rf"should {_WHO} {_STILL}use {_THING}",
    rf"how (?:does|do) {_THING} (?:work|help)",
    rf"how {_WOULD} {_WHO} (?:explain|define|describe) {_THING}",
    rf"(?:explain|define|describe|tell me about|tell me what is) {_THING}",
    rf"I(?:'ve| have) never heard of {_THING}",
    *_GIVEN,
)


def _whole(forms: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"{_BEFORE}{_ASKED}{form}{_AFTER}", re.IGNORECASE) for form in forms)


_COMPARISONS, _DEFINITIONS = _whole(_COMPARED), _whole(_DEFINED)


def compared(text: str) -> tuple[str, str] | None:
    """The two things whose difference is asked for, in the person's words; ``None`` where something else is asked."""
    for told in _questions(text):
        for form in _COMPARISONS:
            if found := form.fullmatch(told):
                return found["thing"].rstrip(_MARKS), found["other"].rstrip(_MARKS)
    return None


def defined(text: str) -> tuple[str, ...]:
    """What the thing may be called whose meaning is asked for; empty where something else is asked."""
    return tuple(
        dict.fromkeys(
            found["thing"].rstrip(_MARKS)
            for told in _questions(text)
            for form in _DEFINITIONS
            if (found := form.fullmatch(told))
        )
    )


def _questions(text: str) -> tuple[str, ...]:
    """The text without what one says while thinking, and each question in it."""
    told = _STUTTER.sub(r"\1", " ".join(_PHRASE.sub(" ", without_fillers(text)).split()))
    return (told, *(part for part in sentences(told) if part.endswith("?")))

"""Patterns of requests, by intent."""

from __future__ import annotations

import re

from interviewer.understanding.intent import Intent
from interviewer.understanding.question_references import LEFT, QUESTION


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(patterns)})\Z")


_ASK = (
    r"(?:(?:can|could|would|will|may|might) (?:you|i|we)(?: maybe| perhaps| possibly| just| please| kindly)* "
    r"|would you mind |"
    r"i(?:'d| would) (?:like|love|rather|prefer)(?: to)? |i want(?: to)? |i need(?: to)? |let's |let us |let me |"
    r"i(?:'ll| will|'m going to| am going to) |(?:do|did) you |please )?"
)
_VERY = (
    r"(?:really |honestly |simply |just |actually |absolutely |totally |completely |quite |even |truly "
    r"|very |too |a bit |"
    r"at all |so )*"
)
_PART = r"(?:the (?:last|first|second|beginning|end|middle) ?(?:part|bit|sentence|half)?|that part|that bit|all of it)"
_ITEM = r"(?:this|that|it|this one|that one|one|(?:this|that|the)(?: last| next| current)? question)"
_BIT = r"(?:a (?:little|bit|little bit|lot|tad) )?"

_TIME_TO = (
    r"(?:(?:is there|do we (?:still )?have) (?:still |enough )?time (?:left )?(?:to |for )"
    r"|(?:would it be|is it)(?: still)? possible to "
    r"|i(?:'m| am| feel) (?:now )?ready (?:for|to) |any chance (?:that )?(?:i|we) |now )?"
)
_AGAIN = (
    r"(?: (?:again|now|after all|once more|one more time|first|instead|too|for a (?:moment|second)"
    r"|before we (?:finish|end|stop|close)|if there is (?:still )?time|if we have time))*"
)
_TRY = r"(?:(?:another|a) (?:go|try|attempt|shot|look|chance|stab) at )"
_GO_BACK = (
    r"(?:(?:go|jump|get|come|switch|move|turn|circle|skip|head) (?:right |straight )?back to |return to "
    r"|revisit |reopen "
    rf"|re-?try |re-?do |(?:take|bring) (?:me|us) back to |bring back |answer |try |(?:have |get |take )?{_TRY})"
)
_TAKE_UP = (
    r"(?:finish |do |tackle |look at |go to |pick up |take (?:up )?|bring up |(?:ask|give)(?: me)? (?:about )?"
    r"|try to answer |hear |about )"
)
_LATER = (
    r"(?:for(?: now| the moment| the time being| later)?|later(?: on)?|after(?:wards|ward)|another time"
    r"|(?:at|for|to|till|until|in|near|towards) the (?:very )?end|last)"
    r"(?: (?:if there(?:'s| is) (?:still )?time|if we have time|if possible))?"
)

_SAID = r"(?:said|answered|covered|mentioned|explained|told you|addressed|talked about|gone over|been over|went over)"
_OWN = (
    r"(?:it|that|this|so|that one|this one|that part|that bit|that point|all that|that already|my (?:last )?answer"
    r"|it all)"
)
_BEFORE_NOW = (
    r"(?: (?:already|before|earlier|above|just now|a (?:minute|moment|second) ago|in my (?:first|last) answer))*"
)

REQUESTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.SAID_ALREADY,
        _any(
            rf"(?:(?:but |well |like )?i(?:'ve| have)?|we(?:'ve| have)?) (?:think i(?:'ve)? |thought i "
            rf"|believe i(?:'ve)? )?"
            rf"(?:already |just |kind of |sort of |literally |basically )*{_SAID}(?: {_OWN})?{_BEFORE_NOW}",
            rf"(?:that(?:'s| is| was) )?(?:what|like|as) i(?:'ve| have)? (?:just |already )?(?:said|told you"
            rf"|mentioned|explained)"
            rf"{_BEFORE_NOW}",
            r"(?:didn't|did not|haven't|have) i (?:just |already )?(?:say|said|answer|answered|cover|covered"
            r"|mention(?:ed)?|"
            rf"explain(?:ed)?)(?: {_OWN})?{_BEFORE_NOW}",
            rf"(?:you|you've|you have) (?:already |just )*asked (?:me )?(?:it|that|this|the same(?: thing"
            rf"| question)?){_BEFORE_NOW}",
            r"(?:it(?:'s| is) )?(?:the )?same (?:answer as (?:before|above)|as (?:above"
            r"|i (?:just )?said))(?: before)?",
            r"(?:that(?:'s| is| was) (?:all )?)?(?:already )?(?:in|part of) (?:my|the) (?:first|last|previous"
            r"|earlier)? ?answer(?: already)?",
            r"see above|asked and answered|already (?:said|answered|covered|did|done)(?: (?:that|it|this))?",
            r"that(?:'s| is) (?:exactly )?what i (?:just )?(?:meant|said|described)(?: (?:by|with) (?:that|it))?",
        ),
    ),
    (
        Intent.REPHRASE,
        _any(
            r"(?:let me|(?:can|could|may) i|i(?:'d| would) like to|i(?:'ll| will)|i want to|i should)"
            r" (?:just |maybe |please |quickly |try to )*"
            r"(?:rephrase|reword|restate|reformulate|start over|start again|begin again|redo|try again"
            r"|try (?:that|it) again"
            r"|(?:say|put|phrase|word) (?:that|it|this) (?:differently|better|another way|again|in other words"
            r"|(?:a bit |more )?(?:clearer|clearly|precisely|carefully))|have another go|take another (?:run|stab"
            r"|shot) at (?:it|that))"
            r"(?: (?:that|it|this|my answer|what i said|myself|from the (?:top|beginning|start)|that (?:bit|part)"
            r"|all of that))?"
            r"(?: (?:a bit|differently|better))?",
            r"in other words|scratch that|strike that|(?:okay )?(?:from the top|start over)",
        ),
    ),
    (
        Intent.CHECK,
        _any(
            r"(?:does|did|would) (?:that|this|it) (?:make sense|answer (?:it|that|this|(?:your|the) question)"
            r"|help|cover it|do"
            r"|sound (?:right|okay|good|reasonable)|work for you|make any sense)(?: to you| for you| at all)?",
            r"(?:have|did) i answer(?:ed)? (?:it|that|(?:your|the) question)",
            r"(?:is|was) (?:that|this|it) (?:right|correct|okay|ok|fine|enough|good(?: enough)?|sufficient|clear"
            r"|wrong|close"
            r"|the right (?:answer|idea|direction)|it|along the right lines"
            r"|(?:kind of |sort of |roughly |about |more or less )?what you(?:'re| are| were| had)?"
            r" ?(?:wanted|want|meant|asked|asking|looking|in mind|after|expecting|expected|getting at)"
            r"(?: for| to hear)?)(?: for you| so far)?",
            r"am i (?:right|close|wrong|correct|on the right track|making (?:any )?sense|getting (?:close|warm"
            r"|there)|way off"
            r"|in the right ballpark)(?: here| there| with that| so far)?",
            r"how(?:'s| is| was| did) (?:that|it|this|i do)|(?:any|how) good",
            r"(?:make|makes) sense|did i get (?:it|that)(?: right)?|you know what i mean|if that makes sense",
        ),
    ),
    (
        Intent.RETURN,
        _any(
            rf"{_TIME_TO}{_ASK}(?:want to )?(?:{_GO_BACK}|{_TAKE_UP})?{LEFT}(?: a (?:try|go|shot))?{_AGAIN}",
            rf"{_TIME_TO}{_ASK}{_GO_BACK}(?:{QUESTION}|what i (?:skipped|left(?: out| open)?)){_AGAIN}",
            rf"(?:back to |what about )?(?:the )?previous (?:question|one){_AGAIN}",
            rf"(?:back to |what about ){QUESTION}{_AGAIN}",
            rf"{_TIME_TO}{_ASK}(?:go|step|move) back(?: (?:one|a)(?: question)?| to (?:it|that|that one))?{_AGAIN}",
            rf"(?:now )?(?:i think )?i(?:'ve| have)? (?:(?:can|could) (?:answer|do) |(?:do )?(?:know|remember) "
            r"(?:the answer to |what to say (?:to|on|about) )?"
            r"|(?:got |now have )?(?:an? )?(?:answer|idea) (?:for|to|on) )"
            rf"{QUESTION}{_AGAIN}",
            rf"i (?:did not|didn't|couldn't|could not) (?:finish|answer) {QUESTION}",
        ),
    ),
    (
        Intent.LATER,
        _any(
            rf"{_ASK}(?:(?:come|get|go|circle) back to|return to) {_ITEM} (?:again )?{_LATER}",
            rf"{_ASK}(?:come|get|circle) back to {_ITEM}",
            rf"i(?:'ll| will) return to {_ITEM}",
            rf"{_ASK}(?:park|postpone|defer|delay)(?: {_ITEM})?(?: {_LATER})?",
            rf"{_ASK}(?:put|set|leave|lay) {_ITEM} (?:aside|on hold|open)(?: {_LATER})?",
            rf"{_ASK}(?:do|answer|take|save|leave|keep|hold|skip|try|get|have"
            rf"|pass(?: on)?)(?: {_ITEM})?(?: again)? {_LATER}",
            rf"{_ASK}(?:ask|give) me {_ITEM} (?:again )?{_LATER}",
            rf"(?:(?:the )?next(?: one| question)?|{_ASK}(?:move|go) on)(?: to the next(?: one"
            rf"| question)?)? {_LATER}",
            r"later(?: on)?",
        ),
    ),
    (
        Intent.RESUME,
        _any(
            r"(?:let me|i(?:'ll| will| do)? (?:want to|would like to|can)?|i'd like to|can i|could i|may i)"
            r" ?(?:still )?"
            rf"(?:answer|try|answer to|try to answer|try answering)(?: {_ITEM})?(?: (?:after all|now|myself|anyway"
            r"|again))*",
            r"(?:i(?:'ve| have)? )?changed my mind",
            r"(?:wait )?do(?:n't| not) skip(?: it| this| that| yet)?",
            r"(?:wait )?i (?:do |actually )?have an answer",
            r"i (?:think i )?(?:can|could) answer (?:it|that|this)(?: now| after all)?",
            r"i (?:do )?want to answer",
            r"i remember(?: it)?(?: now)?",
            r"i (?:do )?know (?:it|that|this)(?: one)?(?: (?:after all|now))?",
            r"(?:let me |i'll |i will |i'd like to )(?:give it|have) a (?:go|try|shot)",
            r"i(?:'ll| will) (?:try|answer)(?: it| that| this)?(?: after all| myself)?",
        ),
    ),
    (
        Intent.SLOWER,
        _any(
            rf"{_ASK}(?:speak (?:up and )?|talk |go |say (?:it|that|this) |repeat (?:it|that|this|the question) "
            r"|read (?:it"
            r"|that) )?"
            rf"(?:{_BIT}|more )?(?:slower|slowly|more slowly)",
            rf"{_ASK}slow(?: it)? down(?: a (?:bit|little))?",
            r"(?:that (?:was|is) |that's |it(?:'s| is| was) |you(?:'re| are) |you (?:speak|talk) |(?:you(?:'re"
            r"| are) )?"
            r"(?:speaking|talking|going) )?(?:(?:a bit |a little |much |way )?too|a bit|a little|pretty|very)"
            r" (?:fast|quick|quickly)",
            r"not so (?:fast|quick|quickly)",
        ),
    ),
    (
        Intent.END,
        _any(
            rf"{_ASK}(?:end|stop|finish|quit|exit|abort|cancel|terminate|close)"
            r"(?: (?:it|this|here|there|the (?:whole )?(?:interview|session)|session|interview|now|for today"
            r"|today))*",
            r"(?:we're|we are) (?:done|finished)(?: for today| here| for now)?",
            r"i(?:'m| am) (?:done|finished) (?:for today|here|for now|with (?:the|this) interview)",
            r"(?:that's |that is |that will be )?enough(?: for today| for now)",
            r"i (?:have|need|must|got|gotta|have got) (?:to )?(?:go|leave|run)",
            rf"{_ASK}call it a day",
            r"(?:that's|that is) all for (?:today|now)",
            r"(?:good)?bye(?: bye)?",
        ),
    ),
    (
        Intent.SKIP,
        _any(
            rf"{_ASK}(?:skip|pass|leave|drop)(?: on)?"
            rf"(?: {_ITEM}| (?:the|this) (?:whole|entire) (?:question|topic|thing))?"
            r"(?: altogether| entirely| completely)?",
            rf"{_ASK}(?:not do|do another|not take|take another|not talk about)(?: {_ITEM})?",
            r"i(?:'ll| will|'d rather)? pass(?: on (?:this|that)(?: one)?)?",
            r"(?:the )?(?:next|another|other)(?: one| question| topic)?",
            r"i(?:'d| would) skip(?: (?:this|that|it))?(?: one)?",
            r"(?:is it|would it be) (?:okay|ok|fine|alright|all right) if i"
            r" (?:(?:don't|do not|didn't) (?:answer|do|take)|skip|pass|leave|skipped|passed|left)"
            r"(?: (?:on )?(?:this|that|it))?(?: one)?",
            rf"{_ASK}(?:move|go|carry) on(?: to (?:the )?(?:next|another)(?: one| question)?)?",
            rf"{_ASK}(?:go|move|skip|proceed) to the next(?: one| question)?",
            rf"{_ASK}(?:give me |get |have |ask me |try |take |go on to |move on to |go to |switch to )?(?:another"
            r"|a different|a new|the next|something else)"
            r"(?: one| question| topic)?",
            rf"{_ASK}(?:not answer|leave|drop|forget)(?: {_ITEM})?",
            rf"i (?:don't|do not) want to (?:answer|do)(?: {_ITEM})?",
            r"i(?:'d| would) rather not(?: answer| say)?(?: that| this| it)?",
            r"i(?:'m| am) done with (?:this|that)(?: one| question)?",
        ),
    ),
    (
        Intent.HINT,
        _any(
            rf"(?:{_ASK}|i could )(?:have|get|give me|use|need|give)? ?(?:a |an |any |some |one |another )?"
            r"(?:small |little |tiny |short |quick )?(?:hints?|clue|tip|pointer|nudge)(?: for me)?",
            r"(?:(?:do|have) you )?(?:have|got)? ?(?:a|an|any|some) (?:hints?|clue|tips?|pointer)(?: for me)?",
            rf"{_ASK}(?:have|get|give me|use|need|give) (?:a |an |any |some |one more |another |(?:a "
            rf"|the )?(?:second|next) )"
            r"(?:small |little |tiny |short |quick )?(?:hints?|clue|tip|pointer|nudge)(?: (?:on|about|for|with"
            r"|to) .{3,60})?",
            r"is there (?:a|any) (?:hint|clue|tip)(?: (?:that )?you (?:can|could) give me)?",
            r"i could do with (?:a|some) (?:hint|clue|tip|help)",
            rf"{_ASK}help(?: me)?(?: out)?(?: here| a (?:little|bit)| get started| to get started| with (?:this"
            r"|that))*",
            rf"{_ASK}(?:get |have |use |need )?(?:a )?(?:little|(?:little |tiny )?bit of|some|any)? ?help(?: here|"
            r" there)?"
            r"(?: would be (?:nice|good|great))?",
            rf"{_ASK}(?:point|nudge|push) me(?: a (?:bit|little))?(?: in the right direction)?",
            r"(?:i don't know )?where (?:should|do|would|to|can) (?:i )?(?:start|begin)",
            r"what (?:would be|is|'s) a good (?:starting point|place to (?:start|begin)|way to (?:start|begin))",
            r"(?:throw|give) me (?:a bone|something)",
            r"how (?:should|do|would) i (?:start|begin)",
            r"what should i think (?:about|of)(?: first)?",
            r"(?:can|could) you give me (?:something|a place) to start(?: with| from)?",
            rf"i(?:'m| am) {_VERY}stuck(?: here| there| now| with (?:this|that|it))?",
        ),
    ),
    (
        Intent.REPEAT,
        _any(
            rf"{_ASK}(?:repeat|repeating|rephrase|rephrasing|reformulate)(?: (?:{_ITEM}|{_PART}))?(?: again| once"
            r" more| one more time| for me)*",
            rf"{_ASK}(?:say|ask|read|hear|have|get|tell me|put)(?: {_ITEM})?(?: to me| out)? (?:again|once more"
            r"|one more time"
            r"|differently|"
            r"in other words|another way)",
            r"(?:once|one time) (?:more|again)",
            r"one more time",
            r"again",
            r"come again",
            r"pardon(?: me)?",
            r"excuse me",
            r"what",
            r"what (?:was|is|'s) (?:that|the question)(?: exactly)?(?: again)?",
            r"what (?:did|were) you (?:just )?(?:say|saying|ask|asking)(?: again)?",
            r"i (?:was|wasn't|was not) (?:not )?(?:listening|paying attention|distracted)",
            r"(?:i )?(?:didn't|did not|couldn't|could not) (?:quite )?(?:catch|hear|get)"
            rf"(?: (?:that|you|it|the question|{_PART}))?",
            r"i (?:didn't|did not|couldn't) (?:quite )?understand (?:you|that)",
            r"huh",
            r"i (?:missed|lost)(?: (?:that|it|the question|the last part|you))?",
            r"i forgot the question",
            r"(?:the )?question again",
            r"you (?:cut out|broke up|are breaking up|were cut off)",
        ),
    ),
    (
        Intent.DONT_KNOW,
        _any(
            rf"(?:that )?(?:i )?{_VERY}(?:don't|dont|do not|didn't|wouldn't|would not|couldn't) {_VERY}know"
            rf"(?: (?:the answer|an answer|anything|much|how|why|what|{_ITEM}|how (?:that|this|it) works"
            r"|what (?:that|this|it) (?:is|means)))?(?: (?:to|about|on|of) (?:that|this|it)(?: one)?)?(?: at all|"
            r" either)?",
            rf"(?:i(?:'m| am) )?(?:not {_VERY}|un)familiar with (?:that|this|it)(?: one)?",
            rf"i(?:'m| am) {_VERY}(?:lost|clueless|blank|out of ideas)(?: here| there| now)?",
            r"(?:that's |that is |it's )?not something i(?:'ve| have)? (?:ever )?(?:used?|seen|done|known?|came"
            r" across|learned)",
            r"(?:i )?(?:haven't|have not|hadn't) (?:really |ever |actually )?(?:heard of|used|seen|worked with"
            r"|done|learned)"
            r"(?: (?:that|this|it|one))?(?: before| yet)?",
            r"(?:i(?:'ve| have) )?no answer(?: (?:to|for|on) (?:that|this|it))?",
            r"i(?:'ve| have) (?:completely )?forgotten(?: (?:that|this|it))?",
            r"(?:i(?:'ve| have) )?never (?:really )?learned(?: (?:that|this|it))?",
            r"nothing comes to mind",
            r"(?:it |that )?escapes me",
            r"(?:that's |that is |it's )?not (?:really )?my (?:area|field|thing)",
            r"(?:i )?dunno",
            r"idk",
            r"(?:i(?:'ve| have)? (?:absolutely |really )?)?(?:got )?(?:no|not a|not the (?:faintest|slightest))"
            r" (?:idea|clue)"
            r"(?: what (?:that|this) is| how| why| at all| whatsoever)?",
            r"(?:i )?(?:don't|do not) have (?:a|any|the (?:faintest|slightest)) (?:idea|clue)",
            r"(?:i )?(?:can't|cannot|couldn't) think of (?:anything|it|one|an answer)",
            r"i(?:'ve| have) (?:got )?nothing(?: on (?:that|this))?",
            r"i (?:don't|do not) think (?:that )?i know(?: (?:that|this|it))?(?: one)?",
            r"(?:i(?:'m| am) )?not sure how to answer(?: (?:that|this|it))?",
            r"(?:i )?(?:haven't|have not) (?:got )?(?:the|a) ?(?:faintest|slightest|foggiest)? ?(?:idea|clue)",
            r"(?:i(?:'m| am) )?not (?:really |quite |at all )?sure(?: about (?:that|this|it)(?: one)?| at all)?",
            rf"(?:i )?(?:can't|cannot|can not|couldn't) (?:really )?(?:answer|remember|recall|say|tell)(?: {_ITEM})?",
            r"i (?:don't|do not) (?:remember|recall)(?: (?:that|this|it))?",
            r"i forgot(?: (?:that|it|this))?",
            r"(?:i(?:'ve| have) )?never (?:really )?(?:heard(?: of)?|used|seen|done|come across|worked with)"
            r"(?: (?:of )?(?:that|this|it))?",
            r"i(?:'ve| have) (?:not|never) (?:heard of|used|seen|come across|worked with) (?:that|this"
            r"|it)(?: before)?",
            r"you(?:'ve)? got me(?: there)?",
            r"i(?:'d| would) have to (?:look|google|check)(?: (?:that|this|it))?(?: up)?",
            r"(?:it |that )?beats me",
            r"i(?:'m| am) drawing a blank",
            r"my mind (?:is|went|has gone) blank",
            r"i (?:don't|do not) have an answer(?: to (?:that|this))?",
            r"i give up",
            r"i have nothing (?:more |else )?to (?:add|say)(?: (?:to|on|about) (?:that|this|it))?",
            r"(?:it|that|this)(?:'s| is) (?:not something i know|beyond me)",
        ),
    ),
    (
        Intent.WAIT,
        _any(
            rf"{_ASK}wait(?: (?:a|one) (?:moment|second|sec|minute|bit)| a bit| up)?",
            rf"{_ASK}(?:just )?(?:give me |have |take |need |hold on |hang on |wait )*(?:just )?(?:a|one|another"
            r"|some|a few|two|a couple of) "
            r"(?:more |short |little |quick )?(?:moment|second|sec|minute|bit|time|while)s?(?: more)?"
            r"(?: to (?:think|think about (?:it|this|that)|collect my thoughts))?",
            r"not yet",
            r"(?:i(?:'m| am) )?(?:still |just )?thinking(?: about (?:it|this|that))?",
            r"(?:i(?:'m| am) )(?:still |just )?reading(?: (?:it|the question|the code))?",
            r"h(?:o|a)(?:ld|ng) on(?: (?:a|one) (?:moment|second|sec|minute|bit))?",
            rf"{_ASK}(?:just )?think(?: (?:about (?:it|that|this(?: one)?)|(?:for )?a (?:moment|second|minute"
            rf"|bit)))*",
            r"bear with me(?: for)?(?: a (?:moment|second|minute))?",
            r"(?:may|can|could) i think(?: (?:about (?:it|this|that)|for a (?:moment|second|minute)))*",
            r"let me (?:gather|collect) my thoughts",
            r"let me (?:have a look|take a look|look|read)(?: at)?(?: (?:the code|it|this|that|the question))?(?:"
            r" first)?",
            r"let me (?:write|note|jot) (?:this|that|it) down(?: first)?",
        ),
    ),
    (
        Intent.THINKING,
        _any(
            r"(?:u+h+m*|u+m+|h+m+|m+h*|so|okay|ok|well|right|a+h+|interesting|good question)",
            r"(?:let me |let's )see",
            r"(?:that(?:'s| is) |what )?(?:a |an )?(?:really |very )?(?:good|nice|great|interesting|tricky|hard"
            r"|tough|difficult)"
            r" (?:question|one)",
        ),
    ),
)

# Where the clauses of one utterance want different things, the first of these is what it is about.
ORDER = (
    Intent.SAID_ALREADY,
    Intent.CHECK,
    Intent.RETURN,
    Intent.RESUME,
    Intent.END,
    Intent.LATER,
    Intent.SKIP,
    Intent.SLOWER,
    Intent.HINT,
    Intent.REPEAT,
    Intent.REPHRASE,
    Intent.DONT_KNOW,
    Intent.WAIT,
    Intent.THINKING,
)

# An ending that asks for nothing itself, beside another request.
ASIDE = _any(
    r"never mind",
    r"forget the hint",
    r"that's (?:all i have|it|all)",
    r"i(?:'m| am) (?:finished|done)",
    r"i can(?:'t|not) follow(?: you)?",
    r"no(?:pe)?",
    r"nah",
    r"not(?: right)?(?: now)?",
    rf"{_ASK}do (?:it|that)",
    r"time permitting",
    r"i (?:may|might) have (?:an idea|something|more) later",
    r"i (?:think )?(?:i )?have (?:it|something|an idea)",
)

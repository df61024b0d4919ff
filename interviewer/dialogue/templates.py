"""The words the interviewer chooses from. Data only: ``utterances.py`` chooses.

All of it is meant for the ear, fits whatever was asked, and tells nothing about how good an answer was. A list that is
stepped through with the turns has at least ten phrases, so that nobody hears one twice within ten turns.
"""

from __future__ import annotations

from interviewer.policy.answer_stages import Stage
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.style import Style
from knowledge.model import Kind

GREETINGS = {
    Style.NEUTRAL: (
        "Hello, and thanks for making the time.",
        "Hi, thanks for joining me today.",
        "Welcome, and thank you for joining me.",
    ),
    Style.FRIENDLY: (
        "Hi, it's really nice to meet you.",
        "Hello, I'm glad you could make it.",
        "Welcome. Get comfortable, and we'll take it from there.",
    ),
    Style.DEMANDING: (
        "Hello. Let's get right to it.",
        "Hello. We have a lot to cover.",
        "Welcome. I'll be asking for details today.",
    ),
}
FIRST = {
    Style.NEUTRAL: ("Let's start with this one.", "Here's the first question.", "Let's begin."),
    Style.FRIENDLY: (
        "Let's ease into it.",
        "Here's one to get us going.",
        "Ready? Here's the first one.",
    ),
    Style.DEMANDING: (
        "First question.",
        "We'll start here.",
        "Please be precise. First question.",
    ),
}
NEXT = {
    Style.NEUTRAL: (
        "Let's move on.",
        "Next question.",
        "Let's switch topics.",
        "I'd like to ask you about something else.",
        "On to the next one.",
        "Here's the next one.",
        "Let's turn to something different.",
        "Moving on.",
        "A different question now.",
        "Let's keep going.",
    ),
    Style.FRIENDLY: (
        "I'm curious what you'll make of this next one.",
        "Let's try something different.",
        "Here's another one for you.",
        "All right, next one whenever you're ready.",
        "Let's talk about something else for a bit.",
        "I like this next question.",
        "Let's change the subject.",
        "Here's a nice one.",
        "Okay, moving right along.",
        "I've been looking forward to this one.",
    ),
    Style.DEMANDING: (
        "Next.",
        "Next topic.",
        "Moving on, we have limited time.",
        "Another one.",
        "New topic.",
        "Let's pick up the pace.",
        "Different question.",
        "Let's see how you do with this one.",
        "Okay, this one next.",
        "Try this one.",
    ),
}
CHANGING = frozenset(
    {
        "Let's switch topics.",
        "I'd like to ask you about something else.",
        "Let's turn to something different.",
        "A different question now.",
        "Let's try something different.",
        "Let's talk about something else for a bit.",
        "Let's change the subject.",
        "Next topic.",
        "New topic.",
        "Different question.",
    }
)
"""Of these, those that say that the topic changes."""
LAST = {
    Style.NEUTRAL: (
        "This is the last one on my list.",
        "One more, and then we're through my list.",
        "Last one on my list.",
    ),
    Style.FRIENDLY: (
        "Here's the last one on my list.",
        "We're almost through. Last one on my list.",
        "Last one on my list, so take your time.",
    ),
    Style.DEMANDING: (
        "Final question on my list.",
        "One more on my list, and be precise.",
        "Last one on my list. Make it count.",
    ),
}
ONE_MORE = {
    Style.NEUTRAL: ("There's time for one more.", "We still have time, so here's another one."),
    Style.FRIENDLY: ("We've got time left, so let's do one more.", "We're ahead of time, so here's another one."),
    Style.DEMANDING: ("There's time left. One more.", "We have time, so another one."),
}
"""Said before a question beyond the plan, for which there is time."""
AFTER_SKIP = {
    Style.NEUTRAL: ("No problem.", "That's fine.", "Sure, we can leave that one."),
    Style.FRIENDLY: (
        "That's completely fine.",
        "No worries at all.",
        "Of course, let's leave that one.",
    ),
    Style.DEMANDING: (
        "All right, we'll skip that one.",
        "Okay, skipping it.",
        "Noted. We'll skip it.",
    ),
}
ACKNOWLEDGMENTS = {
    Style.NEUTRAL: (
        "Thanks.",
        "Okay.",
        "Got it.",
        "All right.",
        "I see.",
        "Understood.",
        "Thank you.",
        "Okay, thanks.",
        "All right, thanks.",
        "Okay, got it.",
        "Okay, noted.",
        "Thanks for that.",
        "Okay, I see.",
        "Okay, thank you.",
        "Okay, understood.",
    ),
    Style.FRIENDLY: (
        "Thanks so much.",
        "Got it, thank you.",
        "Okay, thanks a lot.",
        "I see, thank you.",
        "Mm-hm, thanks.",
        "Gotcha, thanks.",
        "Mm-hm, okay.",
        "Thanks for that.",
        "Okay, thank you.",
        "Thanks a lot.",
        "Got it, thanks.",
        "Thank you for that.",
        "Okay, got you.",
    ),
    Style.DEMANDING: (
        "Got it.",
        "Noted.",
        "Okay.",
        "Understood.",
        "All right.",
        "I see.",
        "Okay, got it.",
        "I've got that.",
        "Okay, noted.",
        "Got that.",
        "Okay, understood.",
        "All right, noted.",
        "Okay, I see.",
    ),
}
"""All that is said after an answer to which nothing is to be replied: one short sentence that is true of any answer.
What it says of the answer, such as that it had numbers, would have to be true as well, and two sentences delay the next
question."""
ACK_REPLIES = {
    "check": (
        "I follow you. The report goes through it point by point.",
        "I've got it. You'll see in the report what each point earned.",
        "That's clear to me. You'll see how it was graded in the report.",
    ),
    # A story is neither right nor wrong.
    "story": ("Yes, I follow.", "That's clear.", "Yes, I'm with you."),
    "meant": (
        "I'll go with your reading.",
        "Your reading is fine with me.",
        "I'll take it the way you read it.",
    ),
    # Said in exams only: elsewhere whoever asks for help gets it.
    "help": (
        "This is an exam, so I can't give hints.",
        "There are no hints in an exam.",
        "Sorry, no hints in an exam.",
    ),
    "example": (
        "No example comes to mind.",
        "I can't think of a good example for that.",
        "I don't have an example for you there.",
    ),
    "subject": (
        "I'll look that up, and tell you at the end if I find something.",
        "If my notes have something on that, I'll tell you at the end.",
        "Let me see if my notes say anything on that. If they do, I'll tell you at the end.",
    ),
    "enough": (
        "That's deep enough for now. I'll ask where I want more.",
        "That level is fine. I'll ask if I need more.",
        "That's fine for now. If I want more, I'll ask.",
    ),
    "trick": (
        "No, it's not a trick question.",
        "No trick. It's meant the way it sounds.",
        "No, there's no trick in it.",
    ),
    "later": (
        "Sure. When you get to it, say which question it's on, and I'll add it there.",
        "Of course. When you do, just say which question it's on, and it will count there.",
        "Sure, any time. Just name the question, and I'll add it there.",
    ),
    "meaning": (
        "I meant it in the plain sense. The way you took it is fine.",
        "I didn't mean anything special by it. Your reading is fine.",
        "Just the ordinary sense. Go with the way you took it.",
    ),
    "view": (
        "I have no team of my own to speak for, so I can't say.",
        "I can't speak from experience there.",
        "I have no projects of my own, so I can't say.",
    ),
    "format": (
        "Please ask me that at the end.",
        "Let's save that for the end, when it's your turn to ask.",
    ),
    # A reply to an answer asks for nothing: the next question comes right after it.
    "opinion": (
        "I'll keep my view to myself, so I don't steer you.",
        "I'd rather not steer you, so I'll keep my view to myself.",
        "I'll keep my own view out of it.",
    ),
    "choice": (
        "Either one is fine.",
        "Either is fine with me.",
        "Whichever you had in mind is fine.",
    ),
    "task": (
        "Where the question doesn't say, the choice is yours.",
        "If the question doesn't say, choose as you see fit.",
        "Where it doesn't say, go with whatever seems reasonable.",
    ),
    "case": (
        "I don't have that information. Assume something that fits.",
        "That isn't given, so assume what fits.",
        "I can't tell you that. Assume something reasonable.",
    ),
    "to code": (
        "Go ahead and write it, and submit it when you're ready.",
        "Whenever you're ready, submit your code.",
        "I'll wait for your code.",
    ),
    "time": ("The clock on the page shows it.", "You'll see it on the page's clock."),
    "no clock": (
        "There's no clock running, so take the time you need. This is {place}.",
        "No clock is running. Take your time. This is {place}.",
    ),
    "follow-ups": ("That depends on your answers. This is {place}.", "As many as your answers need. This is {place}."),
    "done": ("We'll leave it there.", "Then we'll leave it there.", "Let's leave it there, then."),
    "said": ("Sorry if I asked you twice.", "My mistake if you already said that.", "Sorry if that was a repeat."),
}
"""What is replied to what an answer ends or begins with beside itself, after the acknowledgment."""
YOUR_CHOICE = (
    "Whichever you find more important. Go ahead.",
    "That's up to you. Go ahead.",
    "Start with the one you find more important.",
)
"""Said to whoever asks which of several things to go on with."""
PLEASE_DO = ("Yes, please.", "Yes, go ahead.", "Sure, go ahead.", "Sure, go on.")
"""Said to whoever asks whether to say more on something."""
ADDED_FIRST = (
    "Okay, got that. My question was: {ask}",
    "Thanks, I've added that. Now, my question: {ask}",
    "Okay, that's added. Back to my question: {ask}",
)
"""Said to whoever adds something before they answer what was asked."""
GO_ON = (
    "Go on.",
    "I'm listening.",
    "Take your time.",
    "Please go on.",
    "Keep going.",
    "No rush.",
    "Go ahead, I'm with you.",
    "Sure, go ahead.",
    "Mm-hm, go on.",
    "Whenever you're ready.",
)

FOLLOW_UP_LEADS = {
    FollowUpKind.EVIDENCE: ("Let's make that concrete.", "I'd like something specific.", "Let's get specific."),
    FollowUpKind.DEPTH: ("Let's take it further.", "Let's go one level deeper.", "Let's push it one step further."),
    FollowUpKind.CHANGE: (
        "Okay, something just changed.",
        "Let me change the requirements.",
        "Here's a twist.",
    ),
    FollowUpKind.DEEP_DIVE: (
        "Let's go deep on one part, and you choose which.",
        "I'd like to go deep on one part. You pick.",
        "Time for a deep dive, and the choice is yours.",
    ),
}
"""Said before a follow-up that quotes nothing. A kind that is left out is asked straight: words such as "one more thing
on this" before it would refer to nothing."""

CHOOSE_DIVE = "Either {first}, or {second}. Which one, and how would you build it?"
"""Offers the two deep dives of a design."""

STAGE_LEADS = {
    Stage.REQUIREMENTS: ("Let's talk about the requirements.", "Let's pin down the requirements."),
    Stage.ESTIMATE: ("Let's put some numbers on it.", "Let's do a quick estimate."),
    Stage.HIGH_LEVEL: ("Let's look at the big picture.", "Let's look at the overall design."),
    Stage.DEEP_DIVE: ("Let's zoom in on one part.", "Let's look at one decision more closely."),
    Stage.FAILURE: ("Let's talk about failures and operations.", "Let's talk about what could break."),
    Stage.TRADE_OFFS: ("Let's talk about trade-offs.", "Let's look at what you gave up."),
    Stage.SITUATION: ("Take me back to the situation.", "Let's talk more about how it started."),
    Stage.ACTION: ("Let's talk about what you did.", "I'd like to hear more about your part."),
    Stage.RESULT: ("Let's talk about how it turned out.", "Let's get to the result."),
    Stage.REFLECTION: ("Now look back at it, knowing what you know today.", "Let's look back for a moment."),
}
"""Said before a follow-up that quotes nothing where it is the first on its stage."""
STAGE_ASKS = {
    Stage.ESTIMATE: r"\bhow (?:many|much|long|large|big|far|fast|often|likely)\b|\bwhat share\b|\bcosts?\b|\bnumbers?\b"
    r"|\bestimate\b|\bwork out\b",
    Stage.FAILURE: r"\bfail\w*|\bbr(?:eaks?|oken)\b|\bdies\b|\bdown\b|\bstops?\b|\bhangs\b|\bcrash\w*|\bslow\w*"
    r"|\blate\b|\bgone\b|\bpower\b|\bload\b|\btraffic\b|\bnotices?\b|\bdisconnects\b|\bblack\b|\bworse\b|\bwrong\b|\brecovery\b",
}
"""What a stage's question has to sound like, where words on numbers or on failures before it would not fit any."""

QUOTED = (
    "You said: “{quote}”",
    "You mentioned: “{quote}”",
    "You put it this way: “{quote}”",
)
"""Said before the question on a point that the person's words come near to, or seem to contradict; the only lead-in."""
MORE_EXACTLY = {
    FollowUpKind.PARTIAL: (
        "Can you be more exact about that?",
        "Can you be more precise there?",
        "Can you say that more exactly?",
        "Can you put that in more precise words?",
        "What would you add to make that more precise?",
    ),
    FollowUpKind.UNSURE: (
        "Can you spell that out?",
        "Can you say in one more sentence what you mean by that?",
        "What exactly do you mean by that?",
        "Can you walk me through what's behind that?",
        "How would you explain that part to somebody new?",
    ),
}
"""Asked where the words that were quoted are what the point's own question asks for, or it has no question."""
CHECKED_HOW = (
    "How would you check that?",
    "How would you test that?",
    "How could you tell?",
)
"""Asked about a statement that a point of the bank speaks against: it is true of any statement, right or wrong."""
WHY = ("Why is that?", "Why do you think that's the case?", "Why would that be?")
"""Asked in their place where the judge doubts that the words are right."""
TOLD = {
    Stage.SITUATION: ("What was at stake there?", "Why did that matter?"),
    Stage.ACTION: ("Why did you do it that way?", "What else did you consider at that point?"),
    Stage.RESULT: ("How did you know that?", "How did you measure that?"),
    Stage.REFLECTION: ("How have you acted on that since?", "What made you see it that way?"),
}
"""Asked about words that tell a stage of a story: nobody is asked again for what they just told. The words are quoted,
and have to be of the kind that the question is about (``quotable.fits``)."""
TOLD_ALONE = {
    Stage.SITUATION: ("What was at stake for you and the others?", "What would have happened if nobody had acted?"),
    Stage.ACTION: (
        "What was the hardest decision in all of that?",
        "Which of the things you did made the most difference?",
    ),
    Stage.RESULT: (
        "How could you tell that what you did had worked?",
        "What would have shown you that what you did wasn't working?",
    ),
    Stage.REFLECTION: ("What have you done differently since then?", "What has stayed with you from that time?"),
}
"""Asked in their place where nothing can be quoted."""
CONSEQUENCES = (
    "You said: “{quote}” I see that differently.",
    "You said: “{quote}” I'm not sure that holds.",
    "You put it this way: “{quote}” I don't think that's how it works.",
)
"""Said before a probe on a point that was surely contradicted: it tells the person that they are wrong."""
CONSEQUENCES_ALONE = (
    "If that's true, what would you expect to see?",
    "Can you think of a case where that breaks down?",
    "How would you check whether that's true?",
)
NEUTRAL = {
    Kind.CONCEPT: (
        "What else matters here, and why?",
        "How would you explain what happens under the hood?",
        "What would you tell a coworker who wanted more detail?",
        "Where does this show up in real work?",
        "What would you add if you had another minute?",
    ),
    Kind.CODING: (
        "What else does your code have to take care of?",
        "Walk me through the code once more, step by step. What's left to do?",
        "Which inputs would you try it on, and what should come out?",
        "How would you convince a reviewer that it's right?",
        "What would you change before this goes into production?",
    ),
    Kind.DEBUGGING: (
        "What else would you look at?",
        "How would you make sure you've found the cause?",
        "What would you do after that?",
        "How would you keep it from coming back?",
        "What else could explain what you're seeing?",
    ),
    Kind.SYSTEM_DESIGN: (
        "Which part of the design haven't we talked about yet?",
        "Where would it break first as it grows?",
        "What did you give up with that choice?",
        "How would you know that it works once it's running?",
        "What would you do differently with less time or money?",
    ),
    Kind.BEHAVIORAL: (
        "What exactly was your part?",
        "How did things turn out in the end?",
        "What would you do differently today?",
        "How did the others see it?",
        "What did you take away from that experience?",
    ),
}
STAGE_NEUTRAL = {
    Stage.REQUIREMENTS: "What does the system have to do, for whom, and what's out of scope?",
    Stage.ESTIMATE: "Which numbers would you estimate first, and what do you get?",
    Stage.HIGH_LEVEL: "What are the main parts, and how does one request or one sample flow through them?",
    Stage.DEEP_DIVE: "Which part is the hardest to build, and how would you build it?",
    Stage.FAILURE: "What fails first as it grows, and what happens then?",
    Stage.TRADE_OFFS: "Which decision was the hardest, and what did you give up?",
    Stage.SITUATION: "What was going on at the time, and what was expected of you?",
    Stage.ACTION: "What did you do yourself, step by step?",
    Stage.RESULT: "How did it end, and how could you tell?",
    Stage.REFLECTION: "What would you do differently today, and why?",
}
EVIDENCE = {
    Kind.CONCEPT: (
        "Give me something specific: a number, a function, or a case where you'd see it.",
        "Give me one example from real code or a real model.",
        "What's one thing you could measure or print to show it?",
    ),
    Kind.CODING: (
        "Pick one concrete input, and tell me what comes out of each step.",
        "Which line does the actual work?",
        "Which call exactly, and on what shapes?",
    ),
    Kind.DEBUGGING: (
        "What's one thing you would print or measure, and what would you expect to see?",
        "Which line would you change first?",
        "Which single observation would prove it?",
    ),
    Kind.SYSTEM_DESIGN: (
        "Give me one number your design depends on.",
        "Pick one part, and tell me exactly what goes in and what comes out.",
        "Name one tool you'd actually use there, and why.",
    ),
    Kind.BEHAVIORAL: (
        "Tell me one specific thing you did, and when.",
        "Give me one detail from that time that you still remember clearly.",
        "Is there a number or a sentence from that time that stuck with you?",
    ),
}
DEPTH = {
    Kind.CONCEPT: (
        "Why do it that way rather than another?",
        "What does it cost, in time and in memory?",
        "When wouldn't you do it?",
        "How would you explain it to a new hire?",
    ),
    Kind.CODING: (
        "What does it cost, in time and in memory?",
        "What happens when the batch size is one, or the input is empty?",
        "Why did you write it this way and not another?",
        "How would you make it twice as fast?",
    ),
    Kind.DEBUGGING: (
        "Why didn't anyone notice it earlier?",
        "What does the fix cost?",
        "Which test would have caught it?",
        "What if it only happened once in a thousand runs?",
    ),
    Kind.SYSTEM_DESIGN: (
        "Which part would you build first, and which last?",
        "What does it cost to run, roughly, and where would you cut costs?",
        "What if you had ten times as many users?",
        "What would you leave out if you had half the time?",
    ),
    Kind.BEHAVIORAL: (
        "Why did you make that call at the time?",
        "What did it cost you or the others?",
        "Suppose you'd had half the time. What would you have given up first?",
        "Who disagreed, and did they have a point?",
    ),
}
"""Asked where all was met and the question has no harder one that follows on it."""

HINT_LEADS = ("Here's a hint.", "Let me help you out a little.", "Here's something to go on.")
GOES_ON = "It begins like this: “{words} …” How would you finish that?"
BUILD_ON = "Here's a word to build on: “{word}”."
CHOOSE_STATEMENT = "Which of these sounds right to you, and why: “{first}”, or “{second}”?"
"""The second hint on a follow-up: one of the two makes the point."""
RUN_HINTS = (
    "Take the input of that test from the results, and follow it through your code line by line.",
    "Compare what came out with what was expected: is it scaled, shifted, or a different shape?",
    "Look for a line that all the failing tests go through and none of the passing ones do.",
)
"""Hints on a test that failed, in order."""
WAYS_IN = (
    "Start with the simplest case you can think of.",
    "Take one small example, and go through it step by step.",
    "First say what you'd expect, and then say why.",
)
"""A hint on a follow-up that the question's own hint doesn't belong to."""
NUDGES = {
    Kind.CONCEPT: (
        "Start with what happens in the simplest case you can think of, and say why.",
        "Start with what you're sure of, then tell me where you're guessing.",
        "Think of a time you ran into this, and tell me what you saw.",
    ),
    Kind.CODING: (
        "Start with the signature: what goes in, what comes out, and in what shape?",
        "Take the smallest input you can think of and go through it by hand.",
        "Say the steps in plain words first, then turn each into code.",
    ),
    Kind.DEBUGGING: (
        "Ask yourself what changed, and what you would print first.",
        "Split the problem in two: which half can you rule out quickly?",
        "Say what you'd expect to see if everything worked, and then how what you see differs.",
    ),
    Kind.SYSTEM_DESIGN: (
        "Start with who uses it and how often, then draw the path of one request.",
        "Put rough numbers on it: how much data, how fast, how many machines?",
        "Take the parts one at a time and ask what happens when each one fails.",
    ),
    Kind.BEHAVIORAL: (
        "Pick one real situation, and tell me what you did and how it ended.",
        "Say what was at stake, what you decided, and why.",
        "It doesn't have to be a success. Tell me what you learned.",
    ),
}
REPEAT_LEADS = ("Of course.", "Sure, once more.", "No problem.", "Here it is again.")
SLOWER_LEADS = ("Sure, more slowly.", "Sure, piece by piece.", "Of course, in smaller steps.")
CLOSINGS = {
    "completed": "That's all, then. Thank you for your time. Your report comes next.",
    "ended by the person": "All right, let's stop here. Thank you for your time. Your report comes next.",
    "time is up": "Our time is up. Thank you. Your report comes next.",
    "no questions left": "I'm out of questions on the topics you chose. Thank you. Your report comes next.",
}

CLARIFIED = (
    "The question says: “{sentence}”",
    "Here's what it says on that: “{sentence}”",
    "It's in the question: “{sentence}”",
)
LEFT_OPEN = (
    "The question doesn't say. Choose what makes sense to you, and tell me what you chose.",
    "The question leaves that to you. Decide, and tell me what you decided.",
    "It isn't specified, so make the assumption you'd make at work, and say it out loud.",
)
IN_THE_TASK = (
    "The task says no more than what you see. Where it leaves something open, choose, and tell me what you chose.",
    "I can't add to the task as written. If it leaves something open, decide, and tell me what you decided.",
)
"""Said to whoever asks about a coding task what no sentence of its text was found to settle."""
EITHER_READING = (
    "Both, please. Start with the one that you find more important.",
    "Cover both if you can, and start with the one that matters more.",
    "I'd like to hear about both, the more important one first.",
)
"""Said to whoever asks which of two readings of a question is meant."""
AS_NAMED = (
    "Just what the question mentions. Go further only if you'd like to.",
    "Stick with the one in the question. The other one is optional.",
)
"""Said to whoever asks which of two things is meant where the question names one of them."""
EITHER_FINE = (
    "That's your call. Say which one you're going with.",
    "I'll leave that to you. Tell me which one, and why.",
    "You choose. Just say which one you're answering.",
)
FIRST_AND_MORE = (
    "Start with the first. Add the rest wherever you think it matters.",
    "The first is what I'm after. Bring in the other if it helps.",
    "Mainly the first. Mention the other where you'd bring it up at work.",
)
"""Said to whoever asks whether one thing is enough, or another is wanted beside it."""
EITHER_IN_TASK = (
    "The task doesn't say, so it's your call. Tell me which one you're going with.",
    "That's left open. Pick one, and tell me which.",
)
TAKE_A_NUMBER = (
    "Pick a number that seems reasonable, and tell me what it is.",
    "It's not given. Pick a number you think is reasonable, and tell me what it is.",
)
TAKE_NUMBERS = (
    "None of that is fixed. Assume whatever seems reasonable, and say what you're assuming.",
    "That isn't given. Make reasonable assumptions, and tell me what they are.",
)
ASSUMED_WELL = (
    "That's open, so your assumption is fine. Go with it.",
    "It isn't given. Go ahead with what you assumed.",
)
"""Said to whoever asks what nothing settles: an either-or, a number, and what they would assume otherwise."""
ANY_SENSE = (
    "Take it in the ordinary sense, and tell me what you have.",
    "Whatever that word means to you.",
)
"""Said to whoever asks what a word of an opening means that asks for a story."""
A_REAL_ONE = ("I'd rather hear something that really happened. It can be small.",)
"""Said to whoever asks whether they may make a story up."""
EITHER_STORY = (
    "Either is fine. Take the one you remember better.",
    "Whichever you can tell in more detail.",
    "Either one. Pick the one you know best.",
)
"""Said to whoever is to tell a story and asks which of two it should be."""
SAME_OR_OTHER = (
    "The same one is fine. Take another if it shows more of what you did.",
    "Either works. Pick the one that shows more of your own part.",
)
"""Said to whoever asks whether a story told before will do."""
TELL_THAT = ("Sure, take that one.", "Yes, that works. Go ahead.", "That's fine. Tell me about it.")
"""Said to whoever asks whether they may tell a story of another kind."""
ANOTHER_STORY = (
    "Then take the closest thing you have. A side project or something from your studies is fine.",
    "That's fine. Tell me about whatever comes closest, at work or elsewhere.",
)
"""Said to whoever has no story of the kind that is asked for."""
NO_EXPERIENCE = (
    "That's fine. Tell me how you'd expect it to work.",
    "No problem. Tell me what you'd expect, and how you'd find out.",
    "That's all right. Reason it out from what you do know.",
)
"""Said to whoever has never worked with what is asked about."""
WITHOUT_NAMES = (
    "Of course. Leave out whatever you can't share.",
    "Sure, no names needed. Keep it as general as you have to.",
)
ANSWER_LENGTH = (
    "A minute or two is plenty, as technical as you'd be with a colleague. I'll ask where I want more.",
    "Give me the main idea and the reason behind it, in a minute or two. I'll go deeper where I want to.",
)
STORY_LENGTH = (
    "Two or three minutes is plenty: what happened, what you did yourself, and how it ended.",
    "The short version: the situation, your part in it, and the outcome. I'll ask about the rest.",
)
"""Said to whoever asks how long or how deep an answer is to be."""
START_ANYWHERE = (
    "Start wherever you'd start at work. I'll ask about the rest.",
    "Wherever you like. I'll ask about whatever is left.",
)
A_LITTLE_CODE = (
    "Sure, a few lines of code are fine here. Or just say it in words.",
    "Yes, type a few lines if that's easier. Words are fine too.",
)
NO_DRAWING = (
    "I can't see a drawing here, so put it in words.",
    "I wouldn't see it. Describe it in words, that's enough.",
)
DRAW_IT = (
    "Use the whiteboard on the page if you like, or put it in words.",
    "Yes, there's a whiteboard on the page for that. Words are fine too.",
)
FROM_MEMORY = (
    "From memory, please. If you'd look something up, say what.",
    "Do it from memory. Tell me what you'd look up, that's fine.",
)
"""Said to whoever asks in what form they may answer."""
BREAK = (
    "Sure. Press Pause, and the clock stops until you're back.",
    "Of course. Pause the interview, and we'll go on when you're back.",
)
NOT_TOLD_NOW = (
    "I don't say during the interview what was right. The report does, point by point.",
    "You'll see that in the report. I don't give it away while we talk.",
)
HOW_IT_GOES = (
    "I don't grade out loud. You'll see in the report how each answer did. Let's keep going.",
    "That's for the report, point by point. Just keep going.",
)
YOURS_FIRST = (
    "I'd rather hear what you'd do.",
    "I'll keep my own view out of it. What would you do?",
)
SORRY_GO_ON = (
    "Sorry about that. Please go on, I'm listening.",
    "Sorry. Finish your thought, I'm listening.",
)
TAKE_YOUR_TIME = (
    "That's all right. Take your time.",
    "No worries at all. Take the time you need.",
)
MY_PLEASURE = (
    "Glad to hear it. Go ahead whenever you're ready.",
    "Thanks. Go ahead whenever you're ready.",
)
HOW_IT_WORKS = (
    "Everything stays on your machine. Each answer is graded against a rubric, and the report shows every mark."
)
NOT_SURE_WHAT = (
    "I'm not sure what you need. Ask for a hint, for the question again, or to skip it, or just go on.",
    "I didn't quite get what you're asking. You can have a hint, or the question once more, or just go on.",
)
"""Said to whoever asks for something that nobody understood."""
NOTED = ("Got it.", "Okay, I'll read it that way.", "Thanks, got it.")
"""Said to whoever corrects a word that was heard wrong."""
MEANT = ("Let me ask it directly: {ask}", "What I'm after is this: {ask}", "Put another way: {ask}")
"""Said to whoever asks what was meant: what stands behind a follow-up on their words, or the same in other words."""
SURE = ("Sure.", "Of course.", "Yes.")
"""Said before a hint that was asked for at the end of an answer."""
ON_YOUR_QUESTION = "As for your question: {told}"
"""Said to whoever ends an answer in a design round by asking for a requirement that can be told."""
YES_MEANT_SO = (
    "Yes, take it that way.",
    "You can read it like that, yes. Go ahead.",
    "That reading is fine. Go on.",
)
"""Said to whoever tells how they read a question, and asks whether that is right."""
ASSUME_IT = (
    "That's fine. Just say so in your answer.",
    "Go ahead and assume that, and say so in your answer.",
    "You may assume that. Just say that you do.",
)
"""Said to whoever asks whether they may assume something that is open."""
WRITE_IT = (
    "Please write it in the editor and submit it. Talk while you write, if you like.",
    "I'd like to see it in code: write it in the editor and submit it. You can explain as you go.",
)
"""Said to whoever asks whether they may talk it through where code is asked for."""
TALK_IT_THROUGH = (
    "Talking it through is enough. Tell me the key lines the way you'd write them.",
    "Just talk me through it, and say the lines that matter.",
)
"""The same where there is no editor, as in a terminal."""
AS_YOU_TAKE_IT = (
    "Take it the way you understand it, and say what you're assuming.",
    "Go with your reading of it, and say what you assume.",
    "How you read it is up to you. Say what you assume, and go on from there.",
)
"""Said to whoever asks what a follow-up means, or whether they read a question rightly."""
NOT_RULED_OUT = (
    "The question doesn't rule it out, so yes, you can.",
    "Nothing in the question rules that out, so go ahead.",
)
"""Said to whoever asks whether they may use something in their code."""
PART_OF_THE_ANSWER = (
    "The question doesn't say. How you'd deal with it is part of what I'd like to hear.",
    "I'd like to hear that from you. Say what you'd assume, and why.",
)
"""Said where the question doesn't settle it and the reference does: it is not free to choose."""

ASSUME = (
    "Make a reasonable assumption, and tell me what it is.",
    "I'll leave that to you: assume something reasonable, and tell me what.",
    "That's up to you. Make a reasonable assumption, and say it out loud.",
)
ASSUME_THE_REST = (
    "For the rest, make reasonable assumptions, and tell me what they are.",
    "The rest is up to you: make reasonable assumptions, and say them out loud.",
)
"""Said to whoever asks about the requirements of a design, where the question does not tell them."""

KINDLY = {
    Style.NEUTRAL: (
        "That's fine.",
        "Thanks for being straightforward.",
        "No problem.",
    ),
    Style.FRIENDLY: (
        "That's completely fine, nobody knows everything.",
        "Thanks for being honest about it.",
        "No worries, that happens to all of us.",
    ),
    Style.DEMANDING: ("All right.", "Okay, then let's see.", "Fair enough."),
}
STEP_DOWN = (
    "Let's come at it from another angle. {ask}",
    "Let's try a smaller piece of it. {ask}",
    "Let's break it down a little. {ask}",
)
OR_MOVE_ON = "If you don't know that one either, just say so and we'll move on."
WITHOUT_STEP_DOWN = "Is there anything you do know about it? If not, just say no, and we'll move on."
MOVING_ON = ("Let's move on.", "Let's leave it there.", "Let's keep going.")
SHOWN = (
    "Here's the point I was after: {point}",
    "This is what I was looking for: {point}",
    "Let me just tell you this one: {point}",
)

WAITING = ("Take your time.", "Of course, no rush.", "Sure, I'll wait.", "Take all the time you need.")
HOW_TO_END = (
    "Of course. Press the End button, or type slash end in the terminal, and we stop there. "
    "Your report covers everything up to this point."
)
GO_AHEAD = ("Go ahead.", "Please do, I'm listening.", "Go ahead, I'm listening.")
A_HINT_IF_WANTED = "Would you like a hint? Just say yes. Or go on with what you have."
"""Said where it is not clear that one was asked for; a hint that was given shows in the report."""
NO_HINTS = "This is an exam, so I can't give hints. Tell me what you do know."

AFTER_LATER = (
    "Sure, we'll come back to that one before the end if there's time.",
    "Okay, I'll save that one for the end if we have time.",
    "No problem, I'll ask you again at the end if there's time left.",
)
"""Said before the next question to whoever wants to come back to the one before."""
BACK_AFTER_THIS = "Sure. Let's finish this one, and then we'll go back to question {number}."
GLADLY_BACK = "Sure, there's time for question {number}."
BACK_TO = (
    "Back to question {number}: {ask}",
    "Here's question {number} again: {ask}",
    "Let's go back to question {number}: {ask}",
)
WE_WERE_AT = "My last question on it was: {ask}"
LAST_WORD = "We're out of time on this one, so tell me in a few sentences what you'd add."
OFFERS_BACK = (
    "That was the last one. You left question {number} open: do you want to go back to it, or end here?",
    "I have no more questions. Would you like to go back to question {number}, or end here?",
    "That's all I have. Question {number} is still open: do you want to go back to it, or stop here?",
)
STILL_LEFT = "Question {number} is still open too. Do you want to go back to that one, or end here?"
BACK_OR_END = "Sorry, I missed that. Say yes to go back to that question, or no to end the interview."
BACK_TO_YOURS = "Thank you. Now, is there anything you'd like to ask me?"
NO_WAY_BACK = {
    "nothing left": "There's nothing to go back to: you haven't left a question open so far.",
    "present": "That's the one we're on. Go ahead, I'm listening.",
    "answered": (
        "You've answered that one, but you can still add to it or correct it. Start with: about the previous question, "
        "or: about question one."
    ),
    "twice": "We've already gone back to that one, so let's leave it. You can practice it from your report.",
    "shown": (
        "That one is closed: you may have seen its answer by now, so it stays as it is. You can practice it from your "
        "report."
    ),
    "no time": "I'm sorry, we don't have time to go back. You can practice it from your report.",
}
"""Said to whoever wants to go back where that cannot be, by the reason."""
MENDED = (
    "Thanks, I've added that to question {number}.",
    "Okay. I'll count that toward question {number}.",
    "Got it, that goes with question {number}.",
)
"""Said to whoever puts right what they said to a question that is closed."""
WHICH_ONE = "Which question do you mean? Tell me its number, and I'll add it there."
THIS_ONE_OR_BEFORE = "Is that about the previous question, or about this one?"
SAY_THE_REST = "Sorry about that. What else did you want to say on question {number}?"
SAY_WHAT = "Of course. How would you answer question {number} now?"
ADD_TO = "Sure. What would you add or change on question {number}?"
LEFT_UNANSWERED = "You didn't answer that one. Say you want to go back to it, and I'll ask it again."
HOW_TO_MEND = (
    "Tell me which question you mean and what to change. For example: about question one, it's the other way around."
)
HOW_TO_ADD = (
    "We've closed that one, but I'll still add what you tell me. Begin with its number. For example: one more thing on "
    "question one, the cache is shared."
)

DID_YOU_SAY = "I may have misheard you. Did you say “{term}”? If so, please make that point again."
LEAVING_FOLLOW_UP = {
    Style.NEUTRAL: ("Sure, we can leave that.", "Okay, let's drop that one.", "That's fine, no need."),
    Style.FRIENDLY: ("Of course, no need to go into that.", "No worries, let's skip that part.", "Sure thing."),
    Style.DEMANDING: ("All right, we'll skip that point.", "Okay, we can leave that one.", "Okay, skipping that."),
}
"""Said to whoever does not want to answer a follow-up."""
FOLLOW_UP_LATER = ("Sure, we'll come back to it.", "Okay, I'll ask you again in a bit.", "That's fine, later then.")
"""Said to whoever wants to come back to a follow-up."""
FINISH_FIRST = ("Sure, finish that first.", "Of course, go ahead with that first.", "Go ahead, my question can wait.")
"""Said to whoever wants to say something else before they answer a follow-up."""
BACK_TO_FOLLOW_UP = "You wanted to come back to this. {ask}"
NOTHING_BETWEEN = "That's all I had on this question, so let's go back to the one you put off. {ask}"
"""Said before a follow-up that was put off, by whether anything was asked in between."""
TALKING_IS_FINE = ("That's fine, telling me is enough.", "Sure, I don't need the code.", "Okay, explaining is enough.")
"""Said to whoever would rather talk about their code than write it."""
SAID_ALREADY = (
    "Fair enough, I have your earlier answer.",
    "Okay, then I'll go by what you said before.",
    "All right, I won't make you repeat it.",
)
"""Said to whoever holds that they have answered a follow-up before it was asked."""
IN_OTHER_WORDS = ("Sure, go ahead and put it your way.", "Please do.", "Of course, go ahead.")
DOES_IT_ANSWER = (
    "I've written it down as you said it. Add anything you like, or say that you're done.",
    "I'm not grading it right now. If there's more, go ahead; if not, just say that's all.",
    "Later on, you'll see how it was graded. Is there anything you want to add, or is that it?",
)
"""Said to whoever asks whether that was what was wanted."""
DOUBTS = "This is the sentence I'm not sure about: “{quote}”"
NOT_CALLED_WRONG = "I'm not saying that any of it is wrong."
"""Said to whoever asks which part of their answer is wrong: the sentence where that is sure, else that none is."""
TIME_LEFT = "About {here} left on this question, and {all} in the whole interview."
TIME_LEFT_IN_ALL = "We have about {all} left in the whole interview."
"""Said to whoever asks how much time is left."""
NO_TRICK = "No, it's meant the way it sounds. Tell me what you think."
"""Said to whoever asks whether the question is a trap."""
LAST_ONE = "Nothing is planned after this question. Take your time, or say that you'd like to skip it."
"""Said to whoever would like to come back to the last question later."""
NO_OTHER = "I have no other question to put in its place. Take this one, or say that you'd like to skip it."
"""Said to whoever wants another question in place of the last one."""
TELL_IT_YOUR_WAY = (
    "Just tell me what happened, the way you saw it. Take your time.",
    "Tell it the way you remember it. There's no right answer.",
)
"""Said to whoever questions what a story is to be told on."""
ASKS_BACK_OPEN = (
    "I'd like to hear your view on that first. Ask me again at the end, and I'll look it up.",
    "That's close to what I'm asking you. Tell me how you see it, and ask me again at the end.",
    "I'll leave that one to you for now. At the end it's your turn to ask.",
)
"""Said to whoever asks about the subject itself while a question on it is open."""
NO_HURRY = ("Take your time.", "No rush.", "Take all the time you need.")
SMALLER_STEP = "Would a smaller step help? {ask}"
OR_ASK_FOR_A_HINT = "If you're stuck, tell me what you do know, or ask me for a hint."
SAY_WHAT_YOU_KNOW = "If you're stuck, tell me what you do know, and we'll take it from there."
"""Said into a silence, the longer it lasts."""

CUT_SHORT = {
    Style.NEUTRAL: (
        "Let me stop you there. Here's the question again.",
        "Sorry to cut in. Let's go back to the question.",
        "Let me jump in. Here's what I'd like to know.",
    ),
    Style.FRIENDLY: (
        "Sorry to jump in, I'd love to get you back to the question.",
        "Let me pause you there. Here's the question once more.",
        "Sorry to interrupt. Here's what I'm most curious about.",
    ),
    Style.DEMANDING: (
        "Let me stop you. I'd like an answer to the question.",
        "I have to cut you off. Back to what I asked.",
        "Let's stop there. I'm looking for something specific.",
    ),
}
"""Said to whoever goes on for long without a new point, before the question again."""

"""The words the interviewer chooses from. Data only: ``phrasing.py`` chooses.

All of it is meant for the ear, fits whatever was asked, and tells nothing about how good an answer was.
"""

from __future__ import annotations

from interviewer.policy.answer_stages import Stage
from interviewer.session.follow_up_kinds import FollowUpKind
from interviewer.session.plan import Style
from knowledge.model import Kind

GREETINGS = {
    Style.NEUTRAL: (
        "Hello, and thanks for making the time.",
        "Hi, good to have you here.",
        "Welcome, and thank you for joining me.",
    ),
    Style.FRIENDLY: (
        "Hello, I am glad you are here.",
        "Hi there, it is good to meet you.",
        "Welcome. Make yourself comfortable.",
    ),
    Style.DEMANDING: (
        "Good day. Let us get to work.",
        "Hello. We have a lot to get through.",
        "Welcome. I will be thorough today.",
    ),
}
FIRST = {
    Style.NEUTRAL: ("Let us start with this one.", "Here is the first one.", "Let us begin."),
    Style.FRIENDLY: (
        "Let us ease into it with this one.",
        "Here is a first one for you.",
        "Shall we begin? Here it is.",
    ),
    Style.DEMANDING: (
        "The first question.",
        "We begin with this.",
        "Be precise, please. Here is the first one.",
    ),
}
NEXT = {
    Style.NEUTRAL: (
        "Let us go on.",
        "Here is the next one.",
        "On to something else.",
        "Let me ask you about another thing.",
        "Moving on.",
    ),
    Style.FRIENDLY: (
        "I am curious about this next one.",
        "Let us look at something different.",
        "Here comes another one for you.",
        "Shall we go on? Here it is.",
        "Let me bring up another subject.",
    ),
    Style.DEMANDING: (
        "Next.",
        "The next question.",
        "Let us go on without delay.",
        "Another subject.",
        "We move on.",
    ),
}
LAST = {
    Style.NEUTRAL: ("This is the last one.", "One more, and then we are done.", "And now the last question."),
    Style.FRIENDLY: (
        "One last one for you.",
        "We are nearly there. The last one.",
        "And here is the last one, take your time.",
    ),
    Style.DEMANDING: (
        "The last question.",
        "One more, and be precise.",
        "Finally, this.",
    ),
}
AFTER_SKIP = {
    Style.NEUTRAL: ("No problem.", "That is fine.", "Sure, we can leave that."),
    Style.FRIENDLY: (
        "That is quite all right.",
        "No worries at all.",
        "Of course, we can leave that one.",
    ),
    Style.DEMANDING: (
        "All right, it stays open.",
        "Then we leave it.",
        "Noted, we leave that.",
    ),
}
ACK_OPENERS = {
    Style.NEUTRAL: (
        "Thanks.",
        "Thank you.",
        "Okay.",
        "All right.",
        "Right.",
        "I see.",
        "Understood.",
        "Noted.",
        "Got it.",
        "Mm, okay.",
        "Thanks for that.",
        "Okay, thank you.",
        "All right, thanks.",
        "I hear you.",
        "Okay, I follow.",
        "Right, thank you.",
        "Thanks, noted.",
        "I have that.",
        "Okay, noted.",
    ),
    Style.FRIENDLY: (
        "Thanks a lot.",
        "Thank you very much.",
        "Okay, thanks for that.",
        "All right, I am with you.",
        "Right, I am following.",
        "I see what you mean.",
        "Understood, thank you.",
        "Noted, thanks.",
        "Got it, thank you.",
        "Mm, I see.",
        "Thanks for telling me.",
        "Okay, I am listening.",
        "All right, thank you for that.",
        "I hear what you say.",
        "Okay, I can follow that.",
        "Right, thanks for that.",
        "Thanks, I have noted it.",
        "I have that down, thanks.",
        "Okay, that is noted.",
    ),
    Style.DEMANDING: (
        "Right.",
        "Noted.",
        "Okay.",
        "I have heard it.",
        "I have noted it.",
        "I took that down.",
        "Right, noted.",
        "All right.",
        "Taken down.",
        "I have it.",
        "Mm.",
        "Very well.",
        "Heard.",
        "Understood.",
        "I take note.",
        "Okay, I have that.",
        "All right, noted.",
        "Right, I have it.",
        "That is on record.",
    ),
}

ACK_CLOSERS = (
    "Give me a moment to think about it.",
    "Let me take that in.",
    "Let me go over what you said.",
    "I am making a note.",
    "Let me write that down.",
    "One moment, please.",
    "Bear with me for a second.",
    "Let me think that through.",
    "Just a second.",
    "I want to look at that more closely.",
    "Let me follow your reasoning.",
    "Let me go through it step by step.",
    "A moment, while I think.",
    "Let me turn that over.",
    "I will take a moment with that.",
    "Let me put that together.",
    "Hold on while I think.",
)
# What an answer was like, said between the two; never how good it was.
ACK_FITS = {
    "short": ("That was brief.", "A short one.", "In few words."),
    "medium": ("",),
    "long": ("That was a lot.", "There is much in that.", "You have covered some ground."),
    "code": ("I have your code in front of me.", "I will read the code as well.", "That comes with code."),
}
GO_ON = (
    "Go on.",
    "I am listening.",
    "Take your time.",
    "Please go on.",
    "Keep going.",
    "No hurry.",
    "Carry on, I am with you.",
)

FOLLOW_UP_LEADS = {
    FollowUpKind.CONTRADICTION: (
        "Let me go back to one point.",
        "I would like to check one thing with you.",
        "Let us look at one thing again.",
    ),
    FollowUpKind.MISHEARD: ("One thing, to be sure.", "Before we go on.", "Let me check one word."),
    FollowUpKind.MISSING: ("Let me ask a bit more.", "One thing I would like to hear about.", "A follow-up."),
    FollowUpKind.PARTIAL: (
        "Let us go a little deeper.",
        "I would like to stay with that for a moment.",
        "Can we take that one step further?",
    ),
    FollowUpKind.UNSURE: (
        "I want to be sure I got you right.",
        "Let me make sure I understood you.",
        "Help me follow you on one point.",
    ),
    FollowUpKind.EXECUTION: ("Let us look at your code.", "I ran your code.", "About your code."),
    FollowUpKind.EXPLANATION: ("Let us talk about your code.", "Tell me about your code.", "About your code."),
    FollowUpKind.UNGRADED: (
        "Let me ask one more thing on this.",
        "While we are on this.",
        "Let me add a question here.",
    ),
    FollowUpKind.EVIDENCE: (
        "Let us make that concrete.",
        "I would like something I can hold on to.",
        "Let us bring that down to earth.",
    ),
    FollowUpKind.DEPTH: ("Let us take it further.", "Let me push on that.", "One step deeper."),
}
STAGE_LEADS = {
    Stage.REQUIREMENTS: ("Let us go back to what is asked of the system.", "Let us stay with the requirements."),
    Stage.ESTIMATE: ("Let us put numbers on it.", "Let us estimate for a moment."),
    Stage.HIGH_LEVEL: ("Let us look at the whole picture.", "Let us stay with the overall design."),
    Stage.DEEP_DIVE: ("Let us go into one part.", "Let us look at one decision more closely."),
    Stage.FAILURE: ("Let us talk about failure and scale.", "Let us see where it breaks."),
    Stage.SITUATION: ("Take me back to the situation.", "Let us stay with how it began."),
    Stage.ACTION: ("Let us stay with what you did yourself.", "I would like to hear about your own part."),
    Stage.RESULT: ("Let us talk about how it turned out.", "Let us come to the result."),
    Stage.REFLECTION: ("Looking back at it now.", "Let us look back for a moment."),
}
"""Said before a follow-up on a point that was missing or only partly made."""

QUOTED = (
    "You said: {quote}. Say a bit more about that.",
    "I noted down: {quote}. What exactly do you mean by that?",
    "You mentioned this: {quote}. How would you explain that to a colleague?",
    "Coming back to your words: {quote}. What makes you say so?",
    "You put it like this: {quote}. What follows from that?",
)
QUOTED_BEFORE = (
    "You said: {quote}.",
    "I noted down: {quote}.",
    "You mentioned this: {quote}.",
    "Coming back to your words: {quote}.",
    "You put it like this: {quote}.",
)
"""Said before a probe on a point that was partly made."""
CONSEQUENCES = (
    "You said: {quote}. Follow that through for me.",
    "You said: {quote}. Suppose that is so, and take it to its end.",
    "You put it like this: {quote}. Think about what follows from it.",
)
"""Said before a probe on a point that was contradicted: whoever draws the consequence may see it."""
CONSEQUENCES_ALONE = (
    "What follows from what you said, if you take it to its end?",
    "Suppose it is as you say. What would you then expect to see?",
    "How would you check that what you said is so?",
)
NEUTRAL = {
    Kind.CONCEPT: (
        "What else matters here, and why?",
        "How would you explain what goes on underneath?",
        "What would you tell a colleague who asks you to go on?",
        "Where does this show up in real work?",
        "What would you add if you had another minute?",
    ),
    Kind.CODING: (
        "What else does your code have to take care of?",
        "Walk me through the code once more, step by step. What is still open?",
        "Which inputs would you try it on, and what should come out?",
        "How would you convince a reviewer that it is right?",
        "What would you change before this goes into production?",
    ),
    Kind.DEBUGGING: (
        "What else would you look at?",
        "How would you make sure that you found the cause?",
        "What would you do after that?",
        "How would you keep it from coming back?",
        "What else could explain what you see?",
    ),
    Kind.SYSTEM_DESIGN: (
        "Which part of the design have we not talked about yet?",
        "Where would it break first as it grows?",
        "What did you trade away with that choice?",
        "How would you know that it works once it runs?",
        "What would you decide differently with less time or money?",
    ),
    Kind.BEHAVIOURAL: (
        "What exactly did you do yourself?",
        "How did it turn out, and how did you know?",
        "What would you do differently today?",
        "How did the others see it?",
        "What did you take away from it?",
    ),
}
STAGE_NEUTRAL = {
    Stage.REQUIREMENTS: "What does the system have to do, for whom, and what is out of scope?",
    Stage.ESTIMATE: "Which numbers would you work out first, and what do they come to?",
    Stage.HIGH_LEVEL: "Which parts does it have, and how does one request or one sample travel through them?",
    Stage.DEEP_DIVE: "Which decision was the hardest, and what did you give up with it?",
    Stage.FAILURE: "What fails first as it grows, and what happens then?",
    Stage.SITUATION: "What was going on at the time, and what was expected of you?",
    Stage.ACTION: "What did you do yourself, step by step?",
    Stage.RESULT: "How did it end, and what showed you that?",
    Stage.REFLECTION: "What would you do differently today, and why?",
}
EVIDENCE = {
    Kind.CONCEPT: (
        "Name one concrete thing: a number, a function, or a case in which you would see it.",
        "Give me one example from real code or a real model.",
        "What is one thing you could measure or print to show it?",
    ),
    Kind.CODING: (
        "Name one concrete input, and tell me what comes out of each step.",
        "Give me the one line that does the work.",
        "Which call exactly, and on what shapes?",
    ),
    Kind.DEBUGGING: (
        "Name one concrete thing you would print or measure, and what you expect to see.",
        "Which line would you change first?",
        "Give me one observation that would prove it.",
    ),
    Kind.SYSTEM_DESIGN: (
        "Name one concrete number that your design rests on.",
        "Pick one part, and tell me exactly what goes in and what comes out.",
        "Give me one tool or one machine that you would really use there, and why.",
    ),
    Kind.BEHAVIOURAL: (
        "Name one concrete thing that you did, and when.",
        "Give me one detail that only somebody who was there would know.",
        "Which figure or which sentence from that time do you still remember?",
    ),
}
DEPTH = {
    Kind.CONCEPT: (
        "Why is it done that way and not another?",
        "What changes when the batch is one?",
        "What does it cost, in time and in memory?",
        "When would you not do it?",
    ),
    Kind.CODING: (
        "What does it cost, in time and in memory?",
        "What happens when the batch is one, or the input is empty?",
        "Why did you write it this way and not another?",
        "How would you make it twice as fast?",
    ),
    Kind.DEBUGGING: (
        "Why did nobody see it earlier?",
        "What does the cure cost?",
        "Which test would have caught it?",
        "What if it only happened once in a thousand runs?",
    ),
    Kind.SYSTEM_DESIGN: (
        "Let us wrap up. Which part would you build first, and which last?",
        "Let us wrap up. What does it cost to run, roughly, and where would you save?",
        "What if there were ten times as many users?",
        "What would you leave out if you had half the time?",
    ),
    Kind.BEHAVIOURAL: (
        "Why did you decide that way at the time?",
        "What did it cost you or the others?",
        "What if you had had half the time?",
        "Who disagreed, and were they right?",
    ),
}
DEPTH_QUOTED = (
    "You said: {quote}. {deeper}",
    "Let us take up your words: {quote}. {deeper}",
    "Staying with this: {quote}. {deeper}",
)

HINT_LEADS = ("Here is a hint.", "Let me help a little.", "Something to start from.")
NUDGES = {
    Kind.CONCEPT: (
        "Start with what happens in the simplest case you can think of, and say why.",
        "Say what you are sure about first, then where you begin to guess.",
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
        "Say what you would expect to see if everything worked, then where it differs.",
    ),
    Kind.SYSTEM_DESIGN: (
        "Start with who uses it and how often, then draw the path of one request.",
        "Put rough numbers on it: how much data, how fast, how many machines?",
        "Take one part after the other and ask what happens when it fails.",
    ),
    Kind.BEHAVIOURAL: (
        "Pick one real situation, and tell what you did and how it ended.",
        "Say what was at stake, what you decided, and why.",
        "It need not be a success. Tell me what you learned.",
    ),
}
REPEAT_LEADS = ("Of course.", "Sure, once more.", "Gladly.", "Here it is again.")
SLOWER_LEADS = ("Of course, slowly.", "Sure, piece by piece.", "Gladly, in smaller steps.")
CLOSINGS = {
    "completed": "That was the last question. Thank you for your time. Your report is ready.",
    "ended by the person": "All right, we stop here. Thank you for your time. Your report is ready.",
    "time is up": "Our time is up. Thank you. Your report is ready.",
    "no questions left": "I have no more questions on what you chose. Thank you. Your report is ready.",
}

CLARIFIED = (
    "The question says: {sentence}",
    "Let me read you that part again: {sentence}",
    "This is how it is put: {sentence}",
)
AS_YOU_LIKE = (
    "Take it whichever way you find natural, and say which one you chose.",
    "That is left open on purpose. Choose one, and tell me which.",
    "Make the assumption that you would make at work, and say it aloud.",
)

KINDLY = {
    Style.NEUTRAL: (
        "That is fine.",
        "Thank you for saying so.",
        "No problem.",
    ),
    Style.FRIENDLY: (
        "That is quite all right, nobody knows everything.",
        "Thank you for being open about it.",
        "No worries, that happens to all of us.",
    ),
    Style.DEMANDING: ("All right.", "Then let us see.", "Good that you say so."),
}
STEP_DOWN = (
    "Let us come at it from another side. {ask}",
    "Try a smaller piece of it. {ask}",
    "Let us take one step down. {ask}",
)
OR_MOVE_ON = "If that does not help either, say so, and we go on."
WITHOUT_STEP_DOWN = "Tell me what you do know about it, or say once more that you do not, and we go on."
MOVING_ON = ("Let us go on.", "We leave it at that.", "Let us move on.")
SHOWN = (
    "Here is the point, so that you have heard it once: {point}",
    "This is what I was after: {point}",
    "Let me tell you this one: {point}",
)

WAITING = ("Take your time.", "Of course, no hurry.", "Sure, I will wait.", "Take the time you need.")
HOW_TO_END = (
    "If you would like to stop, use the button that ends the interview, or type slash end in the terminal. "
    "Words alone do not end it."
)
GO_AHEAD = ("Gladly, go ahead.", "Please do, I am listening.", "Go ahead, I am listening.")
NO_HINTS = "This interview is an exam, so there are no hints in it. Say what you do know."

AFTER_LATER = (
    "All right, we come back to that before the end, if there is time.",
    "Sure, I keep that for the end, if the clock allows it.",
    "Fine, I ask you that again at the end, if there is time left.",
)
"""Said before the next question to whoever wants to come back to the one before."""
BACK_AFTER_THIS = "Gladly. Let us finish this one, and then we go back to question {number}."
GLADLY_BACK = "Gladly, there is time for question {number}."
BACK_TO = (
    "So, back to question {number}. I asked you this.",
    "Let us return to question {number}. This was it.",
    "Here is question {number} once more.",
)
WE_WERE_AT = "And this was where we stopped. {ask}"
LAST_WORD = "The time for this one is used up, so tell me in a few sentences what you would add."
OFFERS_BACK = (
    "That was the last one. You left question {number} open: shall we go back to it, or end here?",
    "I have no more questions. Would you like to go back to question {number}, or shall we end here?",
    "Those were all. Question {number} is still open: back to it, or is that all for today?",
)
STILL_LEFT = "Question {number} is still open too. Shall we go back to that one, or end here?"
BACK_OR_END = "I did not get that. Say yes to go back to that question, or no to end the interview."
BACK_TO_YOURS = "Thank you. And now, is there anything that you would like to ask me?"
NO_WAY_BACK = {
    "nothing left": "There is nothing to go back to: you have not left any question open so far.",
    "present": "That is the one that we are at. Go ahead, I am listening.",
    "answered": (
        "You have answered that one. If something in it should be put right, say so, and begin with the words: about "
        "the question before, or: about question one."
    ),
    "twice": "We have been back to that one already, so let us leave it. Your report lets you practice it.",
    "shown": (
        "That one is behind us: its answer may have been shown by now, so it stays as it is. Your report lets you "
        "practice it."
    ),
    "no time": "I am sorry, the clock does not allow us to go back any more. Your report lets you practice it.",
}
"""Said to whoever wants to go back where that cannot be, by the reason."""
MENDED = (
    "Thank you, I have put that with question {number}.",
    "Good that you say so, that counts for question {number}.",
    "Noted, that belongs to question {number} now.",
)
"""Said to whoever puts right what they said to a question that is closed."""
WHICH_ONE = "Which question do you mean? Say its number, and I put it there."
THIS_ONE_OR_BEFORE = "Is that about the question before, or about this one?"
SAY_WHAT = "Of course. What would you say now to question {number}?"
LEFT_UNANSWERED = "You left that one without an answer. Say that you want to go back to it, and I ask it once more."
HOW_TO_MEND = "Say which question you mean and what is right, such as: about question one, it is the other way round."

"""Turns of several sentences that ask or think aloud, as people said them, and answers that are close to them."""

import pytest

from interviewer.text import plain
from interviewer.understanding.correction_cues import mends_earlier, was_cut_off
from interviewer.understanding.intent import Intent
from interviewer.understanding.question_references import Place, find_reference
from interviewer.understanding.turn_requests import request_by_sentences, thinks_aloud, wants_a_moment, wish
from interviewer.understanding.utterance import Utterance


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        (
            'when you say "score", is that a learned reward model or something like a verifier, say unit tests? '
            "I just want to know which one I should assume.",
            Intent.CLARIFICATION,
        ),
        ("Before I draw anything, what is it for? I don't want to answer the wrong question.", Intent.CLARIFICATION),
        ("In a or in b? Because b only has two columns, so b[1, 2] wouldn't exist.", Intent.CLARIFICATION),
        ("In a or in b?", Intent.CLARIFICATION),
        (
            "Just so I get you right: is the goal to keep the same total batch as before, or may it grow?",
            Intent.CLARIFICATION,
        ),
        (
            "I didn't ask about the task text. I mean a hint: why doesn't the zero gradient of nan_to_num help?",
            Intent.HINT,
        ),
        ("Do you mean the row that is masked? I'm lost, can I have a nudge?", Intent.HINT),
        (
            "One moment, you'd asked about the three videos and I never got to it. Shall I answer that first?",
            Intent.RESUME,
        ),
        (
            "Is the rate per direction, or for both directions together? It changes the answer by a factor of two.",
            Intent.CLARIFICATION,
        ),
        ("And the budget? I'm asking because I could do this with one card or with eight.", Intent.CLARIFICATION),
        (
            "Let me think for a second. There are two I could tell, one on labels and one on a leak. "
            "Which would you rather hear?",
            Intent.CLARIFICATION,
        ),
        ("Could you give me a hint? I'm not sure which way you want me to go.", Intent.HINT),
        ('Just so I understand: by "one network" you mean the shared detector, not the LAN?', Intent.CLARIFICATION),
        (
            "Before I add something, could I first give you the big picture? I haven't shown you any design yet.",
            Intent.RESUME,
        ),
        (
            "Could I still give you the deep dive? I'd only asked which side you wanted, I hadn't started.",
            Intent.RESUME,
        ),
        (
            "One second, let me think aloud. I still had two questions, is it fine if I ask those after the estimate?",
            Intent.RESUME,
        ),
        (
            "Hmm, sequence parallelism in Megatron... give me a second, I have to sort out which one that is, because "
            "there's also context parallelism.",
            Intent.THINKING,
        ),
        (
            "Oh, and about the sequence parallelism before: I said the communication doubles, that was wrong, a ring "
            "all-reduce is itself a reduce-scatter and an all-gather.",
            Intent.EARLIER,
        ),
    ],
)
def test_what_asks_or_thinks_aloud_is_no_answer(said: str, intent: Intent) -> None:
    assert Utterance(said).intent is intent


@pytest.mark.parametrize(
    "said",
    [
        "Is it the second one? The gradient is summed over the broadcast dimensions.",
        "Do you mean the mean or the sum? I would take the mean, since the sum grows with the batch.",
        "A or B? A keeps the graph alive.",
        "Is it the loss? That changes the gradient by a factor of two, and so the step is twice as long as before, "
        "which is why it diverges.",
        "Let me think back to our detector. There it was the loss that was kept.",
        "Give me a second. The loss is kept with its graph, so memory grows with every step.",
        "I have to think about memory first, which is two bytes a parameter. Then it is about bandwidth.",
        "Because the graph is freed. So a second backward fails.",
        "Could I use a heap? I have one at hand.",
        "I mean the network of cables, and you mean the model.",
        "About the cache before attention: keys and values are kept for every token.",
    ],
)
def test_one_statement_makes_it_an_answer(said: str) -> None:
    assert Utterance(said).intent is Intent.ANSWER


def test_only_short_turns_are_read_by_their_sentences() -> None:
    asks = "Do you mean the optimizer's or the module's? "
    assert request_by_sentences(asks * 2, lambda _: Intent.CLARIFICATION) is Intent.CLARIFICATION
    assert request_by_sentences(asks * 12, lambda _: Intent.CLARIFICATION) is None
    assert thinks_aloud("Let me think.")
    assert not thinks_aloud(f"{'It is kept. ' * 20}Let me think.")


def test_who_wants_to_finish_the_last_question_was_cut_off() -> None:
    said = "Sorry, before that one: I'd like to finish the last one. It is the offset plus the stride."
    assert was_cut_off(said)
    assert not was_cut_off("I would like to finish with the optimizer's state, which is the largest part.")


def test_a_question_is_named_by_what_it_was_about() -> None:
    found = find_reference("about the sequence parallelism before: that was wrong")
    assert found is not None
    assert found.place is Place.SUBJECT


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("Could I have a few seconds to picture that one as a matrix?", True),
        ("I'll take when a checkpoint counts. Can I take half a minute to think?", True),
        ("Good one, let me take a minute to pick. Is it fine if it's one I was too late in stopping?", True),
        ("Okay, so it's a lot of text on the page, can I have two minutes to read it?", True),
        ("I'd like a one-minute window there.", False),
        ("A checkpoint takes two minutes, and I would like one every ten.", False),
        ("Give me a second. The loss is kept with its graph, so memory grows with every step.", False),
    ],
)
def test_who_asks_for_a_moment_gets_it(said: str, wants: bool) -> None:
    assert wants_a_moment(said) == wants
    assert (Utterance(said).intent is Intent.THINKING) == wants


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Sorry, I don't get what you're after with that one. Can you put it another way?", Intent.REPEAT),
        ("Could you say that in simpler words?", Intent.REPEAT),
        ("Let me put it another way.", None),
        ("Could I have a bit of a hint there, I'm not sure whether you mean the serving or the rollout.", Intent.HINT),
        (
            "I never answered your one about pairs. Could we go back to that one for a second before this?",
            Intent.RETURN,
        ),
        ("Can we come back to that later?", Intent.LATER),
        (
            "Hang on, I haven't said anything about the layout yet, that was on the last question. Can I start with "
            "that? And should I think of text or of images here?",
            Intent.RESUME,
        ),
        ("Hm, could you put that in other words? The time scale part I don't quite follow.", Intent.REPEAT),
        ("I feel there's one more piece to it that I'm not seeing. Could you nudge me a bit?", Intent.HINT),
        ("I wasn't done with the last one, I only wanted a pointer. Can we go back to it for a second?", Intent.RETURN),
        # What is stated after a wish is an answer, and so is what only sounds like one.
        ("Can you put it differently? The gradients don't get averaged, they're summed over the ranks.", None),
        ("Could you say it in other words? I'm not sure, but I'd say the launch dominates.", None),
        ("Can I finish that? The gradient is summed over the ranks, not averaged.", None),
        ("I hadn't started the warmup, so the loss diverged, and I added a linear one.", None),
        ("It's only a prior: the weights need a small nudge.", None),
        ("Would you compare the pointers? The data pointer tells whether they share storage.", None),
        ("Can we go back to that for a moment? I said the mean, and it's the sum over the ranks.", None),
        ("May I step back to it for a moment? The bottleneck is the launch, so I'd capture a graph.", None),
        ("Can you put it differently? Yes: the launches dominate, and one amortizes them with a graph.", None),
        ("If I haven't started the profiler I can't know. So I'd run it for some steps and look for gaps.", None),
    ],
)
def test_a_wish_is_told_from_what_sounds_like_it(text: str, wanted: Intent | None) -> None:
    assert wish(text) is wanted


@pytest.mark.parametrize(
    ("text", "mends"),
    [
        ("You said there was time left. On the caching question: alpha comes before all others in the list.", True),
        ("On the caching question: it holds keys and values, and nothing of the queries.", True),
        ("On the last question: alpha comes before all of the others in the list.", True),
        ("On the caching question: can we come back to it later in the interview?", False),
        ("On the card: it waits for the launch, and then it runs as long as before.", False),
        # The open question may have two parts.
        ("As for the second one: the launch overhead dominates, so graphs are the remedy there.", False),
        ("The workers wait for the lock, so the GPU idles. On the second one: graphs are the remedy there.", False),
    ],
)
def test_what_stands_under_the_name_of_an_earlier_question_counts_there(text: str, *, mends: bool) -> None:
    assert mends_earlier(plain(text)) is mends

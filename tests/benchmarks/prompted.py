"""What a model makes of answers when it is asked in words, beside our judge on the same answers.

Four ways of asking: one prompt for a score as JSON, which is what most tools of this kind do; the same for each
criterion; Yes or No for each criterion, read as the odds of one token
(``rubric.grading.judges.prompted.PromptJudge``); and the same with worked examples before, which stand in the prefix
that all prompts share (few-shot). What the model says is kept as it comes (--keep), so a run that is broken off goes
on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rubric.grading import prompts, signals
from rubric.grading.judges.prompted import PromptJudge, plain_chances
from rubric.training import fit_prompt_calibration
from rubric.training.fit_state_head import Table
from rubric.training.labeled_answers import Answer
from serving import machine as hardware
from serving import paths
from serving.frozen import FrozenModel
from serving.llm.client import ChatPrompt, ChatReply, ModelServerClient, remote_endpoint
from serving.llm.server_key import KEY_VARIABLE
from serving.llm.server_state import Endpoint
from serving.llm.vllm_server import VllmServer, speaker_spec
from serving.models import catalogue
from serving.progress import Progress
from tests.benchmarks.figures import Compute, Judged, line

EMBEDDED = "embedded"
"""Stands for the embedded model with all its layers, served here."""

ONE_SCORE, SCORE_EACH, ODDS = "one JSON score", "a JSON score for each criterion", "Yes or No for each criterion"
ODDS_SHOWN = "Yes or No with worked examples"
WORKED = (
    (
        "What does weight decay do?",
        "So every step it, um, shaves a little off each weight, so they stay small unless the data keep pulling.",
        "Each step shrinks the weights towards zero.",
        ("Yes", "No"),
    ),
    (
        "What does weight decay do?",
        "Weight decay pushes the weights away from zero, so that none of them dies.",
        "Each step shrinks the weights towards zero.",
        ("No", "Yes"),
    ),
    (
        "Why are inputs shuffled before every epoch?",
        "Well, if you don't, you'd get all the cats first and then all the dogs, and each batch leans to one side.",
        "Batches in the order of collection give gradients that are correlated.",
        ("Yes", "No"),
    ),
    (
        "Why are inputs shuffled before every epoch?",
        "It's good practice, everybody does that, and the loader has a flag for it.",
        "Batches in the order of collection give gradients that are correlated.",
        ("No", "No"),
    ),
    (
        "What is the receptive field of a convolution?",
        "It's what part of the picture one output gets to see. Pooling doesn't change it, only bigger kernels do.",
        "Pooling and strides widen the receptive field of later layers.",
        ("No", "Yes"),
    ),
)
"""Question, answer, point, and what is to be replied to the two questions about it."""
SIMILAR = ("criterion_best", "criterion_mean")
"""The signals that make the baseline of sentence similarity."""

CHARACTERS = 4
"""Of a token of English, about."""

MOST = 24
"""Tokens of a reply with a score; the JSON object asked for has about eight."""

SCORE = re.compile(r'"?score"?\s*[:=]\s*"?(\d+(?:\.\d+)?)', re.IGNORECASE)


class Reading(FrozenModel):
    """What the model said to one answer.

    Attributes:
        values: for each criterion one score from 0 to 1 or two log-odds; ``None`` where it said no number.
        seconds: wall clock.
        read, written: tokens, as the server counted them; 0 where only odds were asked for.

    """

    values: tuple[tuple[float | None, ...], ...]
    seconds: float
    read: int = 0
    written: int = 0


class Body(NamedTuple):
    """Answers of one kind, and what our judge makes of them.

    Attributes:
        name: for the table.
        answers: those that the model is asked about.
        judged: the same ones as samples, in their order, with our judge's probabilities.

    """

    name: str
    answers: Sequence[Answer]
    judged: Judged


@contextmanager
def served(model: str, name: str | None, tell: Progress) -> Iterator[tuple[ModelServerClient, str]]:
    """The client of a model to be measured, and what the model is called; a local one is served meanwhile.

    Args:
        model: URL of an OpenAI-compatible server, folder of a checkpoint, or ``embedded``.
        name: which of the server's models.
        tell: what is being done.

    """
    server: VllmServer | None = None
    if model.startswith(("http://", "https://")):
        endpoint = remote_endpoint(model, name, os.environ.get(KEY_VARIABLE, ""))
        called = endpoint.model
    else:
        folder = catalogue.ensure_whole(tell) if model == EMBEDDED else Path(model)
        called = f"{catalogue.EMBEDDED.name}, whole" if model == EMBEDDED else folder.name
        machine = hardware.inspect(paths.home())
        digest = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()
        server = VllmServer(speaker_spec(folder, digest), hardware.choose(machine), machine)
        endpoint = server.start(tell)
    client = ModelServerClient(lambda: current(server, endpoint), lambda: "The model server is gone.")
    try:
        yield client, called
    finally:
        client.close()
        if server is not None:
            server.close()


def current(server: VllmServer | None, first: Endpoint) -> Endpoint | None:
    """Where the server answers now."""
    return first if server is None else server.endpoint


def sampled(answers: Sequence[Answer], count: int | None, seed: int = 0) -> list[int]:
    """Places of at least so many answers, all of each question chosen; the same for the same seed."""
    if count is None:
        return list(range(len(answers)))
    names = sorted({answer.question_id for answer in answers})
    random.Random(seed).shuffle(names)
    chosen: list[int] = []
    for name in names:
        if len(chosen) >= count:
            break
        chosen += [place for place, answer in enumerate(answers) if answer.question_id == name]
    return sorted(chosen)


def with_examples() -> str:
    """The examiner's instruction with worked examples."""
    told = [
        f"{prompts.shared_part(question, answer)}{part(point)} {reply}"
        for question, answer, point, replies in WORKED
        for part, reply in zip((prompts.met_part, prompts.contradicted_part), replies, strict=True)
    ]
    return "\n\n".join([f"{prompts.SYSTEM} Here is how others were judged.", *told])


SYSTEMS = {ODDS: prompts.SYSTEM, ODDS_SHOWN: with_examples()}
"""What the model is told first, in the two ways that are read as odds."""


def chats(way: str, answer: Answer) -> list[ChatPrompt]:
    """The prompts of the two ways that ask for a score."""
    system = "You are an experienced interviewer for machine learning jobs."
    shared = prompts.shared_part(answer.question, answer.text)
    if way == ONE_SCORE:
        points = "\n".join(f"- {prompts.neutral(item.text)}" for item in answer.criteria)
        asked = f"A full answer makes these points:\n{points}\n\nRate the candidate's answer from 0 to 10."
        return [ChatPrompt(system=system, user=f'{shared}{asked} Reply with JSON only: {{"score": <0-10>}}')]
    return [
        ChatPrompt(
            system=system,
            user=f"{shared}Point: {prompts.neutral(item.text)}\nRate from 0 to 10 how well the candidate makes this "
            'point. Reply with JSON only: {"score": <0-10>}',
        )
        for item in answer.criteria
    ]


def ahead(answers: Sequence[Answer]) -> str:
    """What asking about some answers in all ways will take, in words, for whoever pays for it."""
    asked = [
        len(chat.system) + len(chat.user)
        for each in answers
        for way in (ONE_SCORE, SCORE_EACH)
        for chat in chats(way, each)
    ]
    for each in answers:
        shared = len(prompts.shared_part(each.question, each.text))
        both = [(prompts.met_part(item.text), prompts.contradicted_part(item.text)) for item in each.criteria]
        asked += [shared + len(system) + len(part) for system in SYSTEMS.values() for pair in both for part in pair]
    # What is said to no answer at all is asked once for each criterion of a question.
    criteria = {(each.question, item.text) for each in answers for item in each.criteria}
    asked += [
        len(system) + len(text) + len(point) for system in SYSTEMS.values() for text, point in criteria for _ in "yn"
    ]
    return (
        f"About {len(asked):,} requests with {sum(asked) / CHARACTERS / 1000:,.0f} thousand tokens to read and a few "
        "to write each; where the server caches what prompts begin with, most of it is read once."
    )


def score_in(text: str) -> float | None:
    """The score in a reply, 0 to 1; ``None`` where there is none from 0 to 10."""
    found = SCORE.search(text)
    value = float(found.group(1)) if found else -1.0
    return value / 10 if 0 <= value <= 10 else None


def readings(
    way: str,
    answers: Sequence[Answer],
    client: ModelServerClient,
    model: str,
    keep: Path | None,
    tell: Callable[[int], None],
) -> list[Reading]:
    """What the model said to each answer, asked now or kept from before."""
    file = keep / f"said-{hashlib.sha256(model.encode()).hexdigest()[:12]}.jsonl" if keep else None
    there: dict[str, Reading] = {}
    if file is not None and file.exists():
        for row in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(row)
            there[entry["key"]] = Reading.model_validate(entry["reading"])
    judge = PromptJudge(client, model=model, system=SYSTEMS.get(way, prompts.SYSTEM))
    found = []
    for number, answer in enumerate(answers):
        key = hashlib.sha256(json.dumps([way, answer.text, [chat.user for chat in chats(way, answer)]]).encode())
        known = there.get(key.hexdigest())
        if known is None:
            known = _asked(way, answer, client, judge)
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"key": key.hexdigest(), "reading": known.model_dump()}) + "\n")
        found.append(known)
        tell(number + 1)
    return found


def _asked(way: str, answer: Answer, client: ModelServerClient, judge: PromptJudge) -> Reading:
    begin = time.perf_counter()
    if way in SYSTEMS:
        rows = judge.odds(answer.question, answer.text, answer.criteria)
        return Reading(values=tuple(map(tuple, rows.tolist())), seconds=time.perf_counter() - begin)
    said: list[ChatReply] = client.replies(chats(way, answer), MOST)
    scores = [score_in(reply.text) for reply in said]
    scores = scores * len(answer.criteria) if way == ONE_SCORE else scores
    return Reading(
        values=tuple((score,) for score in scores),
        seconds=time.perf_counter() - begin,
        read=sum(reply.read for reply in said),
        written=sum(reply.written for reply in said),
    )


def features(found: Sequence[Reading]) -> np.ndarray:
    """The values as rows, one a criterion, NaN where the model said no number."""
    return np.array([[np.nan if v is None else v for v in row] for each in found for row in each.values], np.float32)


class Way(NamedTuple):
    """One way of asking, with what it comes to.

    Attributes:
        name: for the table.
        chances: probabilities of the four verdicts for each sample of all bodies together, [n, 4].
        usable: which samples it said anything about, [n].
        cost: seconds and tokens, in words.

    """

    name: str
    chances: np.ndarray
    usable: np.ndarray
    cost: str


def measure(
    bodies: Sequence[Body], everything: Table, client: ModelServerClient, model: str, keep: Path | None, tell: Progress
) -> tuple[list[Way], np.ndarray]:
    """Ask the model about all answers in all ways.

    Args:
        bodies: what is asked about.
        everything: the samples of all bodies together, in their order.
        client: of the model.
        model: what it is called.
        keep: folder for what it said.
        tell: how far it is.

    Returns:
        The ways, and the log-odds of Yes or No, [n, 2].

    """
    answers = [answer for body in bodies for answer in body.answers]
    ways: list[Way] = []
    odds = np.empty((0, 2), dtype=np.float32)
    for way in (ONE_SCORE, SCORE_EACH, ODDS, ODDS_SHOWN):

        def asked(number: int, way: str = way) -> None:
            tell(f"{way}, {number} of {len(answers)}", number / len(answers))

        found = readings(way, answers, client, model, keep, asked)
        rows = features(found)
        usable = np.isfinite(rows).all(axis=1)
        rows = np.where(usable[:, None], rows, 0.0)
        if way in SYSTEMS:
            plain = plain_chances(rows)
        else:
            plain = np.stack([rows[:, 0], *np.zeros((3, len(rows)))], axis=1)
            plain[:, 2] = 1 - rows[:, 0]
        odds = rows if way == ODDS else odds
        cost = told(found, int((~usable).sum()))
        ways.append(Way(way, plain, usable, cost))
        ways.append(Way(f"{way}, calibrated", fit_prompt_calibration.left_out(rows, everything), usable, ""))
    ways.append(
        Way(f"{ODDS}, calibrated with our signals", fit_prompt_calibration.held_out(odds, everything), usable, "")
    )
    return ways, odds


def told(found: Sequence[Reading], broken: int) -> str:
    """Seconds and tokens of an answer, in words."""
    seconds = np.median([each.seconds for each in found])
    criteria = np.mean([len(each.values) for each in found])
    said = f"{seconds:.1f} s an answer (median), {seconds / criteria:.2f} s a criterion"
    if found[0].written:
        read, written = (np.mean([getattr(each, name) for each in found]) for name in ("read", "written"))
        said += f"; {read:.0f} tokens read and {written:.0f} written an answer"
    return said + (f"; {broken} criteria without a number, left out" if broken else "")


def print_table(bodies: Sequence[Body], everything: Table, ways: Sequence[Way], figures: dict[str, Compute]) -> None:
    """All ways and baselines for each body of answers, our judge last."""
    overlap = everything.text[:, [signals.TEXT_SIGNALS.index("overlap")]]
    similar = everything.text[:, [signals.TEXT_SIGNALS.index(name) for name in SIMILAR]]
    everywhere = np.ones(len(everything.labels), dtype=np.bool_)
    rows = [
        *ways,
        Way("word overlap, regression", fit_prompt_calibration.left_out(overlap, everything), everywhere, ""),
        Way("sentence similarity, regression", fit_prompt_calibration.left_out(similar, everything), everywhere, ""),
    ]
    begin = 0
    for body in bodies:
        end = begin + len(body.judged.rows)
        part = np.arange(begin, end)
        for way in rows:
            usable = part[way.usable[part]]
            print(line(f"{body.name}, {way.name}", Judged(everything, way.chances, usable, 1.0), figures))
        print(line(f"{body.name}, **our judge**", body.judged, figures))
        begin = end

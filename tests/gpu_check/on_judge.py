"""Steps about the judge's server and speech: the models are fetched first where they are missing."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from interviewer.cli.container import Container
from knowledge.bank.parser import load_bank
from rubric.grading import parity
from rubric.grading.device_head import head_for
from rubric.grading.grader import GradeRequest
from serving.errors import ServerStartError
from serving.llm.server_state import stop_running
from serving.llm.vllm_server import VllmServer, judge_spec
from serving.models import catalogue
from serving.speech import audio
from serving.speech.stt.whisper import WhisperRecognizer
from serving.speech.tts.kokoro import Kokoro
from tests.benchmarks.turns import CRITERIA, answer_to, shortened
from tests.gpu_check.outcome import AT_ONCE, AT_ONCE_S, READY_S, TURN_S, Outcome, bounded, percentile
from tests.gpu_check.stage import Stage

TURNS = 30
SAID = "The gradient is kept only for leaf tensors that require it, and everything in between is freed."


def server(here: Stage) -> Outcome:
    """The server comes up, without compiling and, where there is a compiler, compiled."""
    folder = catalogue.ensure_judge(kind=here.profile.format)
    ready: dict[str, float] = {}
    stop_running("judge")
    for eager in (True, False) if here.machine.compiles else (True,):
        plan = dataclasses.replace(here.profile.plan, eager=eager)
        profile = here.profile.model_copy(update={"plan": plan})
        made = VllmServer(judge_spec(folder, catalogue.judge_digest(here.profile.format)), profile, here.machine)
        begun = time.monotonic()
        try:
            made.start()
            ready["eager" if eager else "compiled"] = time.monotonic() - begun
        except ServerStartError as error:
            return Outcome(step="server", passed=False, message=f"{'eager' if eager else 'compiled'}: {error}")
        finally:
            made.close()
    passed, message = bounded(ready, READY_S, "Seconds until the server was ready")
    return Outcome(step="server", passed=passed, message=message, figures=ready)


@contextmanager
def judging(*, checked: bool = False) -> Iterator[Container]:
    """The judge, up and loaded."""
    container = Container(linger_s=0.0)
    try:
        container.embedding_model()
        container.judge(checked=checked)
        container.grader.grade(requests(1)[0])
        yield container
    finally:
        container.close()


def requests(count: int) -> list[GradeRequest]:
    """Answers to so many questions of the bank, five criteria each; the bank begins anew where it has fewer."""
    usable = [shortened(question) for question in load_bank() if len(question.rubric.criteria) >= CRITERIA]
    chosen = [usable[number % len(usable)] for number in range(count)]
    return [GradeRequest(question=each.text, rubric=each.rubric, answer=answer_to(each)) for each in chosen]


def marks(here: Stage) -> Outcome:
    """The marks are those that were recorded on a processor."""
    with judging() as container:
        found = parity.check(
            parity.load(), head_for(here.profile), catalogue.judge_digest(), container.judge_service.client
        )
    message = found.refusal or (
        f"Of {found.prompts} prompts the credit moves by {found.moved:.4f} at most in 99 %, {found.flipped:.1%} "
        "change sides."
    )
    return Outcome(step="parity", passed=not found.refusal, message=message, figures=found.model_dump())


def turns(here: Stage) -> Outcome:
    """An answer's marks, one answer after another."""
    seconds = []
    with judging() as container:
        for request in requests(TURNS + 1)[1:]:
            begun = time.monotonic()
            container.grader.grade(request)
            seconds.append(time.monotonic() - begun)
    median = percentile(seconds, 0.5)
    passed, message = bounded({"median": median}, TURN_S, "Seconds for the marks of an answer")
    return Outcome(step="turns", passed=passed, message=message, figures={"median": median, "all": seconds})


def load(here: Stage) -> Outcome:
    """The marks of many answers that come at once."""

    def timed(request: GradeRequest) -> float:
        begun = time.monotonic()
        container.grader.grade(request)
        return time.monotonic() - begun

    with judging() as container, ThreadPoolExecutor(AT_ONCE) as pool:
        asked = requests(2 * AT_ONCE)
        list(pool.map(timed, asked[:AT_ONCE]))
        seconds = list(pool.map(timed, asked[AT_ONCE:]))
    worst = percentile(seconds, 0.95)
    passed, message = bounded({"p95": worst}, AT_ONCE_S, f"Seconds for the marks of {AT_ONCE} answers at once")
    return Outcome(step="load", passed=passed, message=message, figures={"p95": worst, "all": seconds})


def speech(here: Stage) -> Outcome:
    """Recognition on the card, or on the processor with a reason; alone, and while the judge runs on the card."""
    spoken = audio.wav(Kokoro().synthesize(SAID), Kokoro.sample_rate)
    samples = _samples(spoken)
    recognizer = WhisperRecognizer(gpu=True)
    recognizer.load()
    factors, heard = {}, {}
    factors["alone"], heard["alone"] = _heard(recognizer, samples)
    with judging() as container, ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(container.grader.grade, request) for request in requests(32)]
        factors["beside the judge"], heard["beside the judge"] = _heard(recognizer, samples)
        for each in waiting:
            each.result()
    right = all("gradient" in text and "tensors" in text for text in heard.values())
    where = recognizer.fallback or "Recognition runs on the card."
    told = ", ".join(f"{name} {factor:.3f}" for name, factor in factors.items())
    passed = right and (bool(recognizer.fallback) or max(factors.values()) < 1.0)
    message = f"{where} Seconds for a second of talk: {told}." + ("" if right else " What was heard is wrong.")
    return Outcome(step="speech", passed=passed, message=message, figures={"factors": factors, "heard": heard})


def _heard(recognizer: WhisperRecognizer, samples: audio.Samples) -> tuple[float, str]:
    begun = time.monotonic()
    text = recognizer.transcribe(samples).text.lower()
    return (time.monotonic() - begun) / (len(samples) / audio.RATE), text


def _samples(spoken: bytes) -> audio.Samples:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "said.wav"
        file.write_bytes(spoken)
        return audio.read(file)

"""The judge that asks a chat model, for Yes or No where its server tells the odds, else for one choice of four."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rubric.grading import prompts
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.judges.structured_choice import CHOICE_ODDS, MOST, SCHEMA, choice_part, read_choice
from rubric.grading.prompt_calibration import Calibration
from rubric.grading.signals import CriterionView
from rubric.grading.uncertainty import Limits, as_in_interviews
from rubric.model import Criterion, Verdict
from serving.arrays import FloatArray
from serving.errors import NotOfferedError, ProtocolError
from serving.llm.client import ChatPrompt, PromptClient

UNMEASURED = Limits(credit=0.8, opposed=0.15, denial=0.1, contradiction=0.9)
"""Where a model that was never measured is taken to be sure."""


class PromptJudge:
    """Asks any chat model for Yes or No and reads the odds of its first token, less what it says to no answer at all.

    The content-free prior follows Zhao et al., "Calibrate Before Use" (2021). Where the model was measured, its
    calibration makes probabilities of the odds and the signals; where it was not, the odds are taken at their word
    and only clear ones count as sure. Where the server gives no log-probabilities the model chooses among the four
    verdicts instead (``rubric.grading.judges.structured_choice``).

    Args:
        client: gives the first token's log-probabilities, or whole choices.
        model: name of the model.
        digest: of its weights, empty when unknown.
        calibration: fitted for this model; ``None`` where it was never measured.
        system: what the model is told before anything else, the same for all questions.
    """

    def __init__(
        self,
        client: PromptClient,
        *,
        model: str,
        digest: str = "",
        calibration: Calibration | None = None,
        system: str = prompts.SYSTEM,
    ) -> None:
        self._client, self._calibration, self._system = client, calibration, system
        self.model, self.digest = model, digest
        self.name = self.name_of(calibration)
        self.limits = UNMEASURED if calibration is None else StateJudge.limits
        self.spread: float | None = None if calibration is None else calibration.spread
        self._priors: dict[tuple[str, str], tuple[float, float]] = {}
        self._chooses = calibration is not None and calibration.asked == "choice"

    @staticmethod
    def name_of(calibration: Calibration | None) -> str:
        """Name of the judge with this calibration."""
        return "prompt 1" if calibration is None else f"prompt 1, calibrated {calibration.version}"

    def probabilities(
        self, question: str, answer: str, criteria: Sequence[Criterion], views: Sequence[CriterionView]
    ) -> FloatArray:
        """See ``Judge.probabilities``."""
        odds = self.odds(question, answer, criteria)
        if self._calibration is None:
            return plain_chances(odds)
        return as_in_interviews(self._calibration.probabilities(odds, views))

    def read_ahead(
        self,
        question: str,
        criteria: Sequence[Criterion],
        views: Sequence[CriterionView | None],
        stop: Callable[[], bool],
    ) -> None:
        """See ``Judge.read_ahead``: nothing, since whoever runs that model may pay for what it reads."""

    def odds(self, question: str, answer: str, criteria: Sequence[Criterion]) -> FloatArray:
        """Log-odds of "makes this point" and of "says the opposite", less what is said to no answer at all, [n, 2].

        Raises:
            ServerGoneError: the server does not answer (now).
            ProtocolError: it answered with something that is no judgment.
        """
        if not self._chooses:
            try:
                return self._weighed(question, answer, criteria)
            except NotOfferedError as error:
                if self._calibration is not None:
                    raise ProtocolError(
                        "The model server gives no log-probabilities any more, which this model was measured by.",
                        hint="Measure it again: make grade-bench MODEL=...",
                    ) from error
                self._chooses = True
        chosen = self._choices(question, answer, criteria)
        return np.array([CHOICE_ODDS[verdict] for verdict in chosen], dtype=np.float32)

    def _choices(self, question: str, answer: str, criteria: Sequence[Criterion]) -> list[Verdict]:
        """What the model chose for each criterion; a reply that holds no choice is asked for once more."""
        shared = prompts.shared_part(question, answer)
        chats = [ChatPrompt(system=self._system, user=shared + choice_part(item.text)) for item in criteria]
        chosen = []
        for chat, reply in zip(chats, self._client.objects(chats, SCHEMA, MOST), strict=True):
            try:
                chosen.append(read_choice(reply.text))
            except ProtocolError:
                (again,) = self._client.objects([chat], SCHEMA, MOST)
                chosen.append(read_choice(again.text))
        return chosen

    def _weighed(self, question: str, answer: str, criteria: Sequence[Criterion]) -> FloatArray:
        new = [item for item in criteria if (question, item.text) not in self._priors]
        found = self._odds(question, [("", item) for item in new] + [(answer, item) for item in criteria])
        for item, pair in zip(new, found[: len(new)], strict=True):
            self._priors[question, item.text] = pair
        priors = [self._priors[question, item.text] for item in criteria]
        return np.array(found[len(new) :], dtype=np.float32) - np.array(priors, dtype=np.float32)

    def _odds(self, question: str, asked: Sequence[tuple[str, Criterion]]) -> list[tuple[float, float]]:
        """Log-odds of Yes for "makes this point" and for "says the opposite", for each answer and criterion."""
        chats = []
        for answer, item in asked:
            shared = prompts.shared_part(question, answer or "(no answer)")
            chats += [ChatPrompt(system=self._system, user=shared + prompts.met_part(item.text))]
            chats += [ChatPrompt(system=self._system, user=shared + prompts.contradicted_part(item.text))]
        odds = [yes_odds(tokens) for tokens in self._client.next_tokens(chats)]
        return list(zip(odds[::2], odds[1::2], strict=True))


def plain_chances(odds: FloatArray) -> FloatArray:
    """Probabilities of the four verdicts that log-odds [n, 2] stand for when taken at their word, [n, 4]."""
    return np.array([_four(_sigmoid(float(met)), _sigmoid(float(opposed))) for met, opposed in odds], dtype=np.float32)


def yes_odds(tokens: Mapping[str, float]) -> float:
    """Log-odds of Yes against No in the log-probabilities of a first token, -20 to 20.

    A side that is not among the tokens counts as unlikely as the least likely of them; when neither is, the
    odds are even.
    """
    floor = min(tokens.values())
    yes = _total(tokens, "yes")
    no = _total(tokens, "no")
    if yes is None and no is None:
        return 0.0
    return max(-20.0, min(20.0, (floor if yes is None else yes) - (floor if no is None else no)))


def _total(tokens: Mapping[str, float], word: str) -> float | None:
    found = [value for token, value in tokens.items() if token.strip(" .▁Ġ").lower() == word]
    return math.log(sum(math.exp(value) for value in found)) if found else None


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))


def _four(met: float, opposed: float) -> list[float]:
    """Split the probability of credit and of contradiction into the four verdicts; the two exclude each other."""
    contradicted = opposed * (1.0 - met)
    return [met, 0.0, 1.0 - met - contradicted, contradicted]

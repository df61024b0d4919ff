"""Commands that fit the judge's weights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli.container import Container
from interviewer.cli.output import shown
from rubric.fitted_weights import ADAPTER, CROSS_ENCODER


def adapt() -> None:
    """Fit the sentence encoder and the cross-encoder to the bank's example statements, and write what changed."""
    from knowledge.bank.parser import load_bank
    from rubric.training import fit_cross_encoder, fit_sentence_encoder
    from serving.models import catalogue

    data = fit_sentence_encoder.groups([(held.id, held.rubric.criteria) for held in load_bank() if held.rubric])
    with shown("Embedding model") as tell:
        folder = catalogue.ensure_embedder(tell)
    for name, fit_state_head, target in (
        ("Fitting the sentence encoder", fit_sentence_encoder.fit, ADAPTER),
        ("Fitting the cross-encoder", fit_cross_encoder.fit, CROSS_ENCODER),
    ):
        with shown(name) as tell:
            fit_state_head(
                folder, data, target, lambda done, of, loss: tell(f"{done} of {of} steps, {loss:.2f}", done / of)
            )


def tune() -> None:
    """Fit the upper layers of the judge's model to the bank: hours on two cores, minutes on a GPU; then calibrate."""
    from transformers import AutoTokenizer

    from knowledge.bank.parser import bank_criteria
    from rubric.grading import state_head
    from rubric.training import fit_judge_layers
    from rubric.training.labeled_answers import BANK_ANSWERS, dealt, read_bank_answers
    from serving.models import catalogue
    from serving.models.dequantize import dense

    questions = bank_criteria()
    learned, _ = dealt(read_bank_answers(BANK_ANSWERS, questions))
    data = fit_judge_layers.PromptSampler(list(questions.values()), learned, seed=0)
    with shown("Judge's model") as tell:
        folder = catalogue.ensure_whole(tell)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with shown("Fitting the judge's upper layers") as tell:
        fit_judge_layers.fit(
            dense(folder, catalogue.JUDGE_LAYERS),
            lambda text: tokenizer(text, add_special_tokens=False)["input_ids"],
            data,
            catalogue.JUDGE_ADAPTER,
            lambda done, of, loss: tell(f"{done} of {of} steps, {loss:.2f}", done / of),
            begin=state_head.load().state,
        )
    fit_judge_layers.save_note(data, BANK_ANSWERS, catalogue.JUDGE_ADAPTER)


def calibrate(data: Annotated[Path, typer.Option(help="Folder with the graded answers.")]) -> None:
    """Fit the judge's weights to graded answers and write them into the project."""
    from knowledge.bank.parser import bank_criteria
    from rubric.training import fit_state_head
    from rubric.training.labeled_answers import BANK_ANSWERS, dealt, read_answers, read_bank_answers
    from serving.models import catalogue

    _, ours = dealt(read_bank_answers(BANK_ANSWERS, bank_criteria()))
    answers = read_answers(data) + ours
    container = Container()
    try:
        container.embedding_model()
        container.judge()
        with shown("Reading states") as tell:
            samples = fit_state_head.table(
                answers,
                container.judge_service.client,
                container.statement_encoder,
                container.cross_encoder,
                lambda done, all_: tell(f"{done} of {all_} answers", done / all_),
            )
    finally:
        container.close()
    fit_state_head.save(fit_state_head.fit(samples), samples, data, catalogue.EMBEDDED.name)

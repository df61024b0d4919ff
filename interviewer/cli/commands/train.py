"""Commands that fit the judge's weights."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rubric.training.fit_state_head import Table
    from rubric.training.labeled_answers import Answer
    from rubric.training.reader.sources import BankQuestion
    from serving.llm.client import StateClient
    from serving.progress import Progress
from interviewer.cli.container import Container
from interviewer.cli.output import err, shown
from rubric.fitted_weights import ADAPTER, CROSS_ENCODER, STATE_HEAD

Device = Annotated[
    Literal["auto", "cpu", "cuda"], typer.Option(help="Where it is computed; auto uses a GPU if torch sees one.")
]
Steps = Annotated[int | None, typer.Option(min=1, help="Steps of the fit; if left out, those of the stored weights.")]


def adapt(device: Device = "auto", steps: Steps = None) -> None:
    """Fit the sentence encoder and the cross-encoder to the bank's example statements, and write what changed."""
    _use(device)
    from knowledge.bank.parser import load_bank
    from rubric.training import fit_cross_encoder, fit_sentence_encoder
    from serving.models import catalogue

    data = fit_sentence_encoder.groups([(held.id, held.rubric.criteria) for held in load_bank() if held.rubric])
    with shown("Embedding model") as tell:
        folder = catalogue.ensure_embedder(tell)
    for name, fit, target in (
        ("Fitting the sentence encoder", fit_sentence_encoder.fit, ADAPTER),
        ("Fitting the cross-encoder", fit_cross_encoder.fit, CROSS_ENCODER),
    ):
        with shown(name) as tell:
            fit(folder, data, target, _steps_to(tell), steps=steps)


def tune(
    data: Annotated[Path | None, typer.Option(help="Folder with further graded answers.")] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Where the fit keeps its files; if left out, a folder in your data.")
    ] = None,
    device: Device = "auto",
    steps: Steps = None,
    layers: Annotated[int | None, typer.Option(min=1, help="Uppermost layers that learn.")] = None,
    rank: Annotated[int | None, typer.Option(min=1, help="Rank of what each projection learns.")] = None,
    questions: Annotated[int | None, typer.Option(min=1, help="Questions that a step learns from.")] = None,
    fits: Annotated[int, typer.Option(min=1, help="Fits, each of other examples; their mean is taken.")] = 1,
) -> None:
    """Fit the upper layers of the judge's model: an hour on two cores, minutes on a GPU; then calibrate."""
    _use(device)
    import torch

    from rubric.grading import state_head
    from rubric.training.reader import corpus, publish, sources
    from rubric.training.reader import tune as tuning
    from rubric.training.reader.checkpoint import Files, Settings
    from serving import paths
    from serving.encoders.cached_encoder import CachedEmbedder
    from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
    from serving.models import catalogue
    from serving.models.adapter import version_of

    folder = folder or paths.home() / "tune"
    settings = Settings()
    settings = settings._replace(
        steps=steps or settings.steps,
        first=settings.first if layers is None else max(0, catalogue.JUDGE_LAYERS - layers),
        rank=rank or settings.rank,
        tasks=questions or settings.tasks,
        base=version_of(catalogue.JUDGE_ADAPTER),
    )
    file = folder / "corpus.jsonl"
    if not file.is_file():
        with shown("Choosing what is read beside each point") as tell:
            embedder = CachedEmbedder(SentenceTransformerEmbedder(catalogue.ensure_embedder(tell), ADAPTER))
            # The encoder was fitted in the same precision; in single precision it takes three times as long.
            with torch.autocast("cpu", dtype=torch.bfloat16):
                corpus.save(list(sources.entries(bank_questions(), data, embedder)), file)
    with shown("Judge's model") as tell:
        model = catalogue.ensure_judge(tell)
    where = "cuda" if device != "cpu" and torch.cuda.is_available() else "cpu"
    if where == "cpu":
        tuning.prepare_processor()
    weights = []
    for number in range(fits):
        of_fit = folder if fits == 1 else folder / f"fit-{number + 1}"
        settings = settings._replace(seed=number)
        reader = tuning.load_reader(model, catalogue.JUDGE_LAYERS, settings, where, state_head.load().state)
        with shown(f"Fitting the judge's upper layers, {number + 1} of {fits}") as tell:
            done = tuning.tune(reader, file, of_fit, settings, _steps_to(tell))
        if not done:
            err.print("Stopped. Run the same command again to continue.")
            return
        weights.append(Files(of_fit).best)
    publish.publish(reader, weights, file)
    err.print("The layers are in the project; now fit how the judge weighs what they say: make calibrate.")
    err.print("After that, fit what tells false statements: python -m interviewer.cli.fit_claim_head.")
    err.print("And what tells requests beside answers: python -m interviewer.cli.fit_sentence_head.")


def calibrate(
    data: Annotated[Path | None, typer.Option(help="Folder with the graded answers.")] = None,
    device: Device = "auto",
    reader: Annotated[
        Literal["vllm", "torch"],
        typer.Option(help="What computes the states: the judge's server, or torch alone, for which no vLLM is needed."),
    ] = "vllm",
    only_parity: Annotated[
        bool, typer.Option("--only-parity", help="Fit nothing; record again what GPUs are compared with.")
    ] = False,
) -> None:
    """Fit how the judge weighs what it reads to graded answers: into the project, or on a GPU into your own data."""
    _use(device)
    from knowledge.bank.parser import bank_criteria
    from rubric.grading import device_head, state_head
    from rubric.training import fit_state_head, parity_record
    from rubric.training.labeled_answers import BANK_ANSWERS, dealt, read_bank_answers
    from rubric.training.made_on import made_on
    from rubric.training.torch_states import TorchStates
    from rubric.training.unseen_answers import unseen
    from serving.errors import BadInputError
    from serving.models import catalogue

    questions = bank_criteria()
    if data is None and not only_parity:
        raise BadInputError("No folder with graded answers is named.", hint="Name it with --data.")
    answers = [] if data is None or only_parity else unseen(questions, data)
    _, ours = dealt(read_bank_answers(BANK_ANSWERS, questions))
    compared = parity_record.chosen(ours)
    container = Container()
    profile = container.judge_service.profile
    target = device_head.target_for(profile, reader)
    if only_parity and target != STATE_HEAD:
        raise BadInputError(
            "What GPUs are compared with is recorded on the CPU.", hint="Run it with INTERVIEWER_GPU=no."
        )
    try:
        container.embedding_model()
        if reader == "torch":
            with shown("Judge") as tell:
                folder = catalogue.ensure_judge(tell)
            client: StateClient = TorchStates(folder, catalogue.JUDGE_LAYERS, "" if device == "auto" else device)
        else:
            container.judge(checked=False)
            client = container.judge_service.client

        def read(wanted: list[Answer], what: str) -> Table:
            with shown(what) as tell:
                return fit_state_head.table(
                    wanted,
                    client,
                    container.statement_encoder,
                    container.cross_encoder,
                    lambda done, all_: tell(f"{done} of {all_} answers", done / all_),
                )

        samples = None if only_parity else read(answers, "Reading states")
        recorded = read(compared, "Reading what GPUs are compared with") if target == STATE_HEAD else None
    finally:
        container.close()
    made = made_on(profile, reader)
    if samples is not None and data is not None:
        fitted = fit_state_head.fit(samples, state_head.load())
        fit_state_head.save(fitted, samples, data, catalogue.EMBEDDED.name, made_on=made, target=target)
    if recorded is not None:
        head = state_head.load()
        parity_record.save(parity_record.recorded(compared, recorded, head, catalogue.judge_digest(), made))
    else:
        err.print(f"The weights are in {target}; those in the project are as they were.")


def bank_questions() -> dict[str, BankQuestion]:
    """What the judge's layers are fitted to of the bank: its questions that have a rubric, by id."""
    from knowledge.bank.parser import load_bank
    from rubric.training.reader.sources import BankQuestion

    return {
        each.id: BankQuestion(each.text, each.rubric.criteria, each.reference) for each in load_bank() if each.rubric
    }


def _steps_to(tell: Progress) -> Callable[[int, int, float], None]:
    """What a fit tells of its steps."""
    return lambda done, of, loss: tell(f"{done} of {of} steps, {loss:.2f}", done / of)


def _use(device: str) -> None:
    """Have everything computed there, before torch looks for cards.

    Raises:
        BadInputError: there is no card that torch can use.

    """
    from serving.errors import BadInputError
    from serving.gpu.probe import VISIBLE

    if device == "cpu":
        os.environ[VISIBLE] = ""
    elif device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise BadInputError("torch sees no GPU that it can use here.", hint="Run it with --device cpu.")

"""Measures the grader: ``make grade-bench DATA=folder MODEL=model``; prints Markdown tables, writes trust cards.

With DATA, two bodies of answers. Those to questions that no layer and no head has seen (``unseen_answers``): how the
judge weighs is fitted to them, so each question is left out of its own test (ten folds by question). And our own to 42
questions of the bank (``bank_answers.jsonl``), which nothing is ever fitted to; they are judged by weights fitted on
all of the first, as in an interview. The folder's public sets follow where it has them (``public.py``).

With MODEL (URL of a server, folder of a checkpoint, or ``embedded``) that model is asked in words (``prompted.py``)
about our own answers to the bank, about some of the folder's too where there is one, beside our judge; it is
calibrated, and the calibration and its card are kept for interviews with that model.

As in an interview, what claims nothing is taken out of an answer before it is judged, and one that claims nothing at
all is not judged and earns nothing (``rubric.grading.claims``).

Intervals are bootstrapped over questions. States and what models said are kept in the folder given with --keep, since
reading all states takes half an hour on two cores.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from interviewer.cli.output import shown
from knowledge.bank.parser import bank_criteria
from rubric.grading import prompt_calibration, signals, trust_card
from rubric.grading.claims import claims
from rubric.grading.judges.prompted import PromptJudge
from rubric.grading.judges.state_head import StateJudge
from rubric.grading.state_head import CLASSES, Head, load
from rubric.grading.trust_card import TrustCard
from rubric.grading.uncertainty import as_in_interviews
from rubric.training import fit_prompt_calibration, fit_state_head
from rubric.training.fit_state_head import Table
from rubric.training.labeled_answers import Answer
from rubric.training.unseen_answers import unseen
from serving import paths
from serving.models import catalogue
from tests.benchmarks import metrics as m
from tests.benchmarks import prompted, public
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.figures import FIGURES, FURTHER, Judged, coverage, credited_among, figure, heading, line
from tests.benchmarks.prompted import Body
from tests.benchmarks.states import kept_states, read

FAMILIES = ("mixed", "balanced", "first")

STYLED = {name: FIGURES[name] for name in ("AUC credit", "κ", "surer half right")}
LEFT_OUT = {name: FIGURES[name] for name in ("AUC credit", "AUC contradicted", "within", "κ")}


def without(data: Table, logits: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """What is left when one signal is left out, with example statements."""
    yield "nothing left out", fit_state_head.held_out(data, logits)
    yield "without the state", fit_state_head.held_out(data, np.zeros_like(logits))
    yield "without the statements", fit_state_head.held_out(data, logits, with_examples=False)
    for number, name in enumerate(signals.TEXT_SIGNALS):
        text = data.text.copy()
        text[:, number] = 0
        yield f"without {name}", fit_state_head.held_out(data._replace(text=text), logits)
    for number, name in enumerate(signals.EXAMPLE_SIGNALS):
        examples = data.examples.copy()
        examples[~np.isnan(examples[:, number]), number] = 0
        yield f"without {name}", fit_state_head.held_out(data._replace(examples=examples), logits)


def write_judged(judged: Judged, path: Path) -> None:
    """Write the label and the probabilities of each sample: what the simulation draws a judge's errors from."""
    rows = [
        f"{CLASSES[label]},{','.join(f'{chance:.3f}' for chance in chances)}\n"
        for label, chances in zip(judged.data.labels, judged.chances, strict=True)
    ]
    path.write_text("".join([f"label,{','.join(CLASSES)}\n", *rows]), encoding="utf-8")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with graded_answers.jsonl")
    parser.add_argument("--keep", type=Path, help="folder to keep states and what models said in")
    parser.add_argument("--model", help="a model to be asked in words: URL, folder, or `embedded`")
    parser.add_argument("--name", help="which of the models that the URL serves")
    parser.add_argument("--sample", type=int, help="ask it about so many answers of each kind only")
    parser.add_argument("--judged", type=Path, help="file for what was made of each point of our answers to the bank")
    arguments = parser.parse_args()
    if arguments.data is None and arguments.model is None:
        parser.error("there is nothing to measure: give --data, --model or both")
    bodies = folder_figures(arguments.data, arguments.keep, arguments.judged) if arguments.data else []
    if arguments.data and (arguments.data / "public").is_dir():
        public.print_figures(arguments.data / "public", arguments.keep)
    if arguments.model:
        if arguments.data is None:
            bodies = [bank_body(arguments.keep, arguments.sample)]
        some = [chosen(body, arguments.sample) for body in bodies]
        model_figures(some, arguments.model, arguments.name, arguments.keep)


def folder_figures(folder: Path, keep: Path | None, target: Path | None = None) -> list[Body]:
    """Print all figures of our judge and write its card.

    Returns:
        All bodies of answers, those to the bank first.

    """
    answers, ours = unseen(bank_criteria(), folder), read_bank_answers()
    data, bank = read((("answers to unseen questions", answers), ("answers to the bank", ours)), keep)
    family = np.array([answers[n].family for n in data.answers])
    told = ~np.isnan(data.examples[:, 0]) & (family != "bank")
    stored = load()
    logits, head = stored.state.logits(data.states), fit_state_head.fit(data, stored)
    everything, silent = np.arange(len(data.labels)), silent_rows(data, answers)
    plain = m.silenced(fit_state_head.held_out(data, logits, with_examples=False), silent)
    judged = Judged(data, plain, everything, head.spread)
    informed = judged._replace(chances=m.silenced(fit_state_head.held_out(data, logits), silent))
    on_bank = on(bank, head, ours)
    if target:
        write_judged(on_bank, target)
    uninformed = on(bank._replace(examples=np.full_like(bank.examples, np.nan)), head, ours)
    rows = {f"{name}, judge": judged.of(family == name) for name in FAMILIES}
    rows["mixed with statements, judge without them"] = judged.of(told)
    rows["mixed with statements, judge with them"] = informed.of(told)
    rows["bank, judge without statements"] = uninformed
    rows["bank, judge with statements"] = on_bank
    print(heading(FIGURES))
    for name, part in rows.items():
        print(line(name, part, FIGURES))
    for signal, columns in {"word overlap": ("overlap",), "sentence similarity": prompted.SIMILAR}.items():
        alone = fit_prompt_calibration.left_out(
            data.text[:, [signals.TEXT_SIGNALS.index(each) for each in columns]], data
        )
        for name in FAMILIES:
            print(line(f"{name}, {signal} alone", judged._replace(chances=alone).of(family == name), FIGURES))
    print(heading(FURTHER))
    for name, part in rows.items():
        print(line(name, part, FURTHER))
    print(f"\nIntervals of scores, {head.spread:.2f} standard errors, hold the true one in:")
    for name, part in rows.items():
        print(f"- {name}: {coverage(part):.0%}")
    print_styles(judged, answers, on_bank, ours)
    print("\nEach signal left out in turn, the mixed questions with statements:")
    print(heading(LEFT_OUT))
    for name, chances in without(data, logits):
        print(line(name, informed._replace(chances=chances).of(told), LEFT_OUT))
    write_card(on_bank)
    print(json.dumps({"fitted on": fit_state_head.digest_of(folder)}))
    kinds = [
        Body(name, tuple(answers[n] for n in np.unique(part.data.answers[part.rows])), part)
        for name in FAMILIES
        for part in (judged.of(family == name),)
    ]
    return [Body("bank", tuple(ours), on_bank), *kinds]


def print_styles(judged: Judged, answers: Sequence[Answer], on_bank: Judged, ours: Sequence[Answer]) -> None:
    """The figures by manner, and what hostile answers of the first kind were credited for."""
    family = np.array([answers[n].family for n in judged.data.answers])
    style = np.array([answers[n].style for n in judged.data.answers])
    hostile = np.char.startswith(style.astype(str), "adversarial")
    unmet = np.flatnonzero(hostile & (judged.data.labels >= m.MISSING))
    said = "Hostile answers of the first kind, credited for a point they do not make"
    print(f"\n{said}: {credited_among(judged.chances, unmet):.1%}")
    print(heading(STYLED))
    for name in FAMILIES:
        for each in np.unique(style[family == name]):
            print(line(f"{name}: {each}", judged.of((family == name) & (style == each)), STYLED))
    bank_style = np.array([ours[n].style for n in on_bank.data.answers])
    for each in np.unique(bank_style):
        print(line(f"bank: {each}", on_bank.of(bank_style == each), STYLED))


def write_card(on_bank: Judged) -> None:
    """Write the card of our judge into the project; what else was measured of the same judge stays in it."""
    name = StateJudge.name_of(load())
    made = card_of(on_bank, name, catalogue.EMBEDDED.name, left_out=False)
    same = [known for known in trust_card.cards() if (known.judge, known.model) == (made.judge, made.model)]
    kept = {"second": same[0].second, "others": same[0].others} if same else {}
    trust_card.save(made.model_copy(update=kept))


def card_of(judged: Judged, judge: str, model: str, *, left_out: bool) -> TrustCard:
    """The card of a judge measured on answers to the bank."""
    return TrustCard(
        judge=judge,
        model=model,
        answers=len(np.unique(judged.data.answers[judged.rows])),
        questions=len({judged.data.questions[n] for n in judged.rows}),
        criteria=len(judged.rows),
        coverage=coverage(judged),
        figures={name: figure(judged, compute) for name, compute in (FIGURES | FURTHER).items()},
        left_out=left_out,
    )


def bank_body(keep: Path | None, count: int | None) -> Body:
    """Our answers to the bank, as our judge sees them; only those asked about where that saves time."""
    answers, head = read_bank_answers(), load()
    kept = kept_states(answers, keep)
    if kept is None or not kept.exists():
        answers = [answers[n] for n in prompted.sampled(answers, count)]
    (data,) = read((("answers to the bank", answers),), keep)
    return Body("bank", tuple(answers), on(data, head, answers))


def on(data: Table, head: Head, answers: Sequence[Answer]) -> Judged:
    """Samples as a head judges them."""
    chances = m.silenced(as_in_interviews(fit_state_head.predict(head, data)), silent_rows(data, answers))
    return Judged(data, chances, np.arange(len(data.labels)), head.spread)


def silent_rows(data: Table, answers: Sequence[Answer]) -> np.ndarray:
    """Which samples are of answers that claim nothing, [n]."""
    return np.array([claims(answer.text, answer.question).silent for answer in answers])[data.answers]


def chosen(body: Body, count: int | None) -> Body:
    """So many answers of a body."""
    numbers = np.unique(body.judged.data.answers[body.judged.rows])
    places = prompted.sampled(body.answers, count)
    rows = np.isin(body.judged.data.answers, numbers[places])
    return Body(body.name, tuple(body.answers[n] for n in places), body.judged.of(rows))


def model_figures(bodies: Sequence[Body], model: str, name: str | None, keep: Path | None) -> None:
    """Ask a model in words, print what it comes to beside our judge, and keep its calibration and card."""
    tables = [
        body.judged.data.rows(np.isin(np.arange(len(body.judged.data.labels)), body.judged.rows)) for body in bodies
    ]
    everything = functools.reduce(fit_state_head.joined, tables)
    print(f"\n{prompted.ahead([answer for body in bodies for answer in body.answers])}", flush=True)
    with shown("Asking the model") as tell, prompted.served(model, name, tell) as (client, called):
        ways, odds = prompted.measure(bodies, everything, client, called, keep, tell)
    print(f"\n{called}, asked in words, beside our judge on the same answers:")
    print(heading(FIGURES))
    prompted.print_table(bodies, everything, ways, FIGURES)
    print(heading(FURTHER))
    prompted.print_table(bodies, everything, ways, FURTHER)
    for way in ways:
        if way.cost:
            print(f"- {way.name}: {way.cost}")
    bank = np.arange(len(bodies[0].judged.rows))
    fitted = fit_prompt_calibration.fit(called, odds[bank], tables[0])
    held = Judged(tables[0], fit_prompt_calibration.held_out(odds[bank], tables[0]), bank, fitted.spread)
    made = card_of(held, PromptJudge.name_of(fitted), called, left_out=True)
    file = prompt_calibration.save(prompt_calibration.Measured(calibration=fitted, card=made), paths.judges())
    print(f"\nTrust card of {called}, judging by prompt with its calibration:")
    print("\n".join(f"- {sentence}" for sentence in made.sentences))
    print(f"\nKept in {file}; interviews with this model use it from now on.")


if __name__ == "__main__":
    main()

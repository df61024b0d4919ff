"""Measures what statements made by a model are worth: ``python -m tests.benchmarks.made --data folder --keep folder``.

The folder's questions with example statements that a person wrote lose them, a model writes others from the criteria
alone (``made_statements.py``), and what is told of the answers without statements, with the made ones and with the
person's is compared. All from the signals alone: the judge's own states are the same in all three. The regression that
weighs them is fitted to our answers to questions of the bank.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from interviewer.cli.container import Container
from interviewer.cli.output import shown
from rubric.grading.state_head import CLASSES, Head, Linear
from rubric.model import Criterion, Examples
from rubric.training import fit_state_head
from rubric.training.fit_state_head import Table
from rubric.training.labeled_answers import BANK_ANSWERS, Answer, read_answers
from serving.arrays import FloatArray
from serving.llm.client import TextClient
from tests.benchmarks import made_statements as made
from tests.benchmarks.bank_answers import read_bank_answers
from tests.benchmarks.figures import FIGURES, FURTHER, Judged, heading, line
from tests.benchmarks.prompted import sampled, served
from tests.benchmarks.states import signals_of


class NoStates:
    """Stands where the judge's model would be asked."""

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """See ``StateClient.states``; one number that tells nothing."""
        return np.zeros((len(prompts), 1), dtype=np.float32)


_BLIND = Linear(np.zeros(1), np.ones(1), np.zeros((len(CLASSES), 1)), np.zeros(len(CLASSES)))
NOTHING = Head(_BLIND, _BLIND, _BLIND, 1.0, "none")
"""A head that says nothing of the state; what weighs is fitted."""


def written(answers: Sequence[Answer], client: TextClient, keep: Path) -> dict[str, list[tuple[str, ...]]]:
    """What the model wrote for each criterion by its text: what meets it, what contradicts it; kept as it comes."""
    keep.parent.mkdir(parents=True, exist_ok=True)
    lines = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
    found = {row["point"]: [tuple(row["met"]), tuple(row["contradicted"])] for row in map(json.loads, lines)}
    asked = {answer.question: answer.criteria for answer in answers}
    with shown("Writing statements") as tell, keep.open("a", encoding="utf-8") as file:
        for number, (question, criteria) in enumerate(asked.items()):
            tell(f"question {number + 1} of {len(asked)}", number / len(asked))
            due = [item for item in criteria if item.text not in found]
            chats = [chat for item in due for chat in made.requests(question, item)]
            replies = [made.statements_in(reply.text) for reply in client.replies(chats, made.MOST_TOKENS)]
            for item, met, contradicted in zip(due, replies[::2], replies[1::2], strict=True):
                found[item.text] = [met, contradicted]
                file.write(json.dumps({"point": item.text, "met": met, "contradicted": contradicted}) + "\n")
    return found


def checked(container: Container, item: Criterion, found: Sequence[tuple[str, ...]]) -> Examples:
    """Those of the statements that pass; none where too few do."""
    met, contradicted = found
    read = container.cross_encoder.read(made.pairs(item, [*met, *contradicted]))
    return made.checked(item, met, contradicted, read)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the answers and statements")
    parser.add_argument("--keep", type=Path, required=True, help="folder to keep what was written in")
    parser.add_argument("--model", default="embedded", help="URL of a server, folder of a checkpoint, or `embedded`")
    parser.add_argument("--name", help="which of the models that the URL serves")
    parser.add_argument("--sample", type=int, help="so many answers only")
    arguments = parser.parse_args()
    told = [each for each in read_answers(arguments.data) if any(item.examples.met for item in each.criteria)]
    told = [told[place] for place in sampled(told, arguments.sample)]
    with served(arguments.model, arguments.name, lambda *_: None) as (client, _):
        found = written(told, client, arguments.keep / "made-statements.jsonl")
    container = Container()
    container.embedding_model()

    criteria = {item.text: item for each in told for item in each.criteria}
    raw = {text: Examples(met=met, contradicted=contradicted) for text, (met, contradicted) in found.items()}
    passed = {text: checked(container, item, found[text]) for text, item in criteria.items()}

    def table(name: str, answers: Sequence[Answer]) -> Table:
        return signals_of(container, name, answers, NoStates())

    def variant(name: str, examples: Mapping[str, Examples]) -> Table:
        def of(item: Criterion) -> Criterion:
            return item.model_copy(update={"examples": examples.get(item.text, Examples())})

        return table(name, [each.model_copy(update={"criteria": tuple(map(of, each.criteria))}) for each in told])

    head = fit_state_head.fit(table("our answers to fit with", read_bank_answers(BANK_ANSWERS)), NOTHING)
    tables = {
        "without statements": variant("answers without statements", {}),
        "made, as they came": variant("answers with made statements", raw),
        "made and checked": variant("answers with checked statements", passed),
        "a person's": table("answers with a person's statements", told),
    }
    for figures in (FIGURES, FURTHER):
        print(heading(figures))
        for name, data in tables.items():
            print(
                line(
                    name,
                    Judged(data, fit_state_head.predict(head, data), np.arange(len(data.labels)), head.spread),
                    figures,
                )
            )
    wrote = sum(len(each) for text in criteria for each in found[text])
    kept = sum(len(each.met) + len(each.contradicted) for each in passed.values())
    have = sum(bool(each.met) for each in passed.values())
    print(f"\n{wrote} statements for {len(criteria)} criteria; {kept} are kept, {have} criteria have some.")


if __name__ == "__main__":
    main()

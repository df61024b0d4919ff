"""Fits the head that reads statements by themselves: ``python -m interviewer.cli.fit_claim_head`` (half an hour).

Needs the judge's server. It is fitted to the bank's statements without its stories, of which nothing is true or false.
What was read is kept with ``--keep``, and an interrupted reading goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from interviewer.cli.container import Container
from interviewer.cli.output import err
from knowledge.bank.parser import load_bank
from knowledge.model import Kind, Question
from rubric.fitted_weights import CLAIM_HEAD
from rubric.grading.judges.claim_head import save
from rubric.training.fit_claim_head import EACH, Statement, area, fit, read, statements
from serving import paths
from serving.models.adapter import version_of
from serving.models.catalogue import JUDGE_ADAPTER


def statements_of(questions: Iterable[Question], each: int = EACH) -> list[Statement]:
    """The statements of questions; see ``rubric.training.fit_claim_head.statements``."""
    told = (
        (held.id, held.text, held.rubric.criteria)
        for held in questions
        if held.rubric is not None and held.kind is not Kind.BEHAVIORAL
    )
    return statements(told, each)


def main() -> None:
    """Read, fit, store, and tell how well questions that are left out are told."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, default=paths.home() / "claim-states.npy", help="file of the states")
    wanted = parser.parse_args()
    given = statements_of(load_bank())
    container = Container()
    try:
        container.judge()
        states = read(container.judge_service.client, given, wanted.keep)
    finally:
        container.close()
    save(CLAIM_HEAD, fit(states, [each.false for each in given], version_of(JUDGE_ADAPTER)))
    err.print(f"{len(given)} statements; area on questions left out: {area(states, given):.3f}")


if __name__ == "__main__":
    main()

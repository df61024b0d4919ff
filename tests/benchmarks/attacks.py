"""What hostile answers gain over their honest content: ``make attack-bench``; prints a line for each family.

All 155 of the suite (``tests/rubric/attacks``), or those of the families that are named, with the judge that this
machine has. The tests hold the families that are withstood to it, over a sixth of the questions.
"""

from __future__ import annotations

import sys

from interviewer.cli.container import Container
from interviewer.cli.output import shown
from knowledge.bank.parser import load_bank
from tests.rubric.grading.attacks.marks import Marks, lines
from tests.rubric.grading.attacks.suite import Family, attacks


def main(families: set[Family]) -> None:
    """Print the table."""
    chosen = [attack for attack in attacks() if attack.family in families]
    container = Container()
    try:
        container.embedding_model()
        container.judge()
        marks = Marks(container.grader, {question.id: question for question in load_bank()})
        gains = []
        with shown("Grading") as tell:
            for number, attack in enumerate(chosen):
                gains += marks.gains([attack])
                tell(f"{number + 1} of {len(chosen)}", (number + 1) / len(chosen))
    finally:
        container.close()
    print("| family | gained more than 0.1 | mean gain | worst |\n|---|---|---|---|")
    print("\n".join(lines(gains)))


if __name__ == "__main__":
    main({Family(name) for name in sys.argv[1:]} or set(Family))

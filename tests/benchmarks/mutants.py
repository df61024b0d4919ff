"""How the bank's coding questions tell right from wrong: ``make mutants-bench``; prints a Markdown table.
``python -m tests.benchmarks.mutants 5`` looks at every fifth question only.

Of every mutant: which kind of test was the first to fail. Examples are all that a person sees who presses Run, so the
share that they miss is what the hidden tests are for.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from knowledge.bank.parser import load_bank
from knowledge.bank.validation.forked_runner import ForkedRunner
from knowledge.bank.validation.tasks import SECONDS, wrong
from rubric.coding.result import CodeResult, CodeStatus
from rubric.coding.task import CodeTestKind, CodingTask, read_tests
from rubric.coding.verifier import Verifier

KINDS = (CodeTestKind.EXAMPLE, CodeTestKind.PROPERTY, CodeTestKind.GRADIENT, CodeTestKind.RESOURCE)


def killed_by(result: CodeResult) -> str:
    """The kind of the first test that failed; empty where none did."""
    bad = next((test for test in result.tests if test.status is not CodeStatus.PASSED), None)
    return str(bad.kind) if bad else ("" if result.status is CodeStatus.PASSED else "start")


def mutants_of(task: CodingTask, verifier: Verifier) -> Counter[str]:
    """What killed the mutants of a task."""
    sources = [source for _, source in list(wrong(task))[1:] if isinstance(source, str)]
    return Counter(killed_by(result) for result in verifier.verify_each(task, sources))


def main(every: int) -> None:
    """Print the table, of every n-th question."""
    verifier = Verifier(ForkedRunner(), seconds=SECONDS)
    questions: Counter[str] = Counter()
    tests: dict[str, Counter[str]] = defaultdict(Counter)
    killed: dict[str, Counter[str]] = defaultdict(Counter)
    for question in [question for question in load_bank() if question.task is not None][::every]:
        if question.task is None:
            continue
        for topic in (question.topic, "all"):
            questions[topic] += 1
            tests[topic].update(str(test.kind) for test in read_tests(question.task.tests))
        found = mutants_of(question.task, verifier)
        for topic in (question.topic, "all"):
            killed[topic] += found
    verifier.close()
    heads = " | ".join(f"{kind} tests" for kind in KINDS)
    print(f"\n| topic | questions | {heads} | mutants | alive | " + " | ".join(f"by {kind}" for kind in KINDS) + " |")
    print("|" + "---|" * (5 + 2 * len(KINDS)))
    for topic in sorted(questions, key=lambda name: (name == "all", name)):
        cells = [questions[topic], *(tests[topic][kind] for kind in KINDS)]
        cells += [killed[topic].total(), killed[topic][""], *(killed[topic][kind] for kind in KINDS)]
        print(f"| {topic} | " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

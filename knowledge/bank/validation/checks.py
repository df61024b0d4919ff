"""Quality of the bank: what a parser cannot see. ``python -m knowledge.bank.validation [FILE...]`` prints problems.

The code of references, proofs and tasks is executed in the sandbox; some of it starts processes, which only bubblewrap
can hold.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from pathlib import Path

from knowledge.bank.parser import load_bank, load_file
from knowledge.bank.validation.design_rounds import CRITERIA, is_round, problems_of_round, problems_of_rounds
from knowledge.bank.validation.proofs import problems_when_read, problems_when_run
from knowledge.bank.validation.sample_runner import SampleRunner
from knowledge.model import Question
from rubric.coding.task import CodingTask
from rubric.model import AskedBy, Criterion
from rubric.spelling import american, british
from serving.errors import InterviewerError

_LEAST = {"met": 5, "contradicted": 4, "near": 2}
_LEAST_OF_WEIGHT_3 = _LEAST | {"contradicted": 6}
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1`*\s*$", re.MULTILINE | re.DOTALL)
_UNSPOKEN = re.compile(r"[`*_#=<>\[\]{}|\\/+~^&@$%…•→×]|[^\W\d]\.\w|\w\.[^\W\d]")
_TWO_QUESTIONS = re.compile(r"\?.*\?|, and (?:what|which|when|where)\b")
_AS_WELL = re.compile(r", and (?:why|how)\b")
"""A probe may ask why or how as well, as people do; a question that opens asks for one thing."""
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_RUN_TESTS = """

for _name, _test in list(globals().items()):
    if _name.startswith("test_") and callable(_test):
        _test()
"""


def check(questions: Sequence[Question], *, run_code: bool = True) -> list[str]:
    """Problems of bank questions, each one line that names the file, the line and the id.

    Args:
        questions: entries of the bank; questions without a rubric are a problem.
        run_code: whether to execute the code of references and tasks, in a process of its own each.

    """
    problems = [*_repeated(questions)]
    for question in questions:
        problems += [_place(question) + problem for problem in _wording(question)]
    if run_code:
        # Two at a time: more would only fight over memory.
        with ThreadPoolExecutor(max_workers=2) as pool:
            for found in pool.map(_code_of_all, (0, 1), (questions[0::2], questions[1::2])):
                problems += found
    return problems


def main(arguments: Sequence[str]) -> int:
    """Checks the files named, or the whole bank; the exit status is 1 where there is any problem."""
    try:
        questions = [q for name in arguments for q in load_file(Path(name))] if arguments else load_bank()
    except InterviewerError as error:
        print(error)
        return 1
    problems = check(questions)
    if not arguments:
        problems += problems_of_rounds(questions)
    for problem in problems:
        print(problem)
    print(f"{len(questions)} questions, {len(problems)} problems", file=sys.stderr)
    return 1 if problems else 0


def _place(question: Question) -> str:
    return f"{question.source.path}, line {question.source.line}: {question.id}: "


def _repeated(questions: Sequence[Question]) -> Iterator[str]:
    for question_id, count in Counter(question.id for question in questions).items():
        if count > 1:
            places = ", ".join(str(q.source.path) for q in questions if q.id == question_id)
            yield f"{places}: the id {question_id} stands there {count} times"
    bags = [frozenset(re.findall(r"\w+", question.spoken.lower())) for question in questions]
    for (one, one_bag), (other, other_bag) in combinations(zip(questions, bags, strict=True), 2):
        if len(one_bag & other_bag) / max(1, len(one_bag | other_bag)) >= 0.7:
            yield _place(other) + f"asks nearly the same as {one.id} ({one.source.path})"


def _wording(question: Question) -> Iterator[str]:
    if symbols := sorted(set(_UNSPOKEN.findall(question.spoken))):
        yield f"the spoken form holds what nobody can say: {' '.join(symbols)}"
    words = len(_FENCE.sub("", question.reference).split())
    of_round = is_round(question)
    most = 450 if of_round else 250
    if not 80 <= words <= most:
        yield f"the reference has {words} words without code, not 80 to {most}"
    criteria = question.rubric.criteria if question.rubric else ()
    for word in dict.fromkeys(word for text in _prose(question, criteria) for word in british(text)):
        yield f"“{word}” is British; American: “{american(word)}”"
    count = CRITERIA if of_round else range(4, 8)
    if len(criteria) not in count:
        yield f"{len(criteria)} criteria, not {count.start} to {count.stop - 1}"
    told = [each.said for each in question.requirements]
    if symbols := sorted(set(_UNSPOKEN.findall(" ".join([question.change, *question.deep_dives, *told])))):
        yield f"the change, a deep dive, or a requirement holds what nobody can say: {' '.join(symbols)}"
    yield from problems_of_round(question)
    yield from _opening(question.spoken, criteria)
    by_opening = [criterion.asked_by is AskedBy.OPENING for criterion in criteria]
    if not any(criterion.stage for criterion in criteria) and by_opening != sorted(by_opening, reverse=True):
        yield "a point that the opening asks for stands behind one that a probe asks for"
    for criterion in criteria:
        for problem in _criterion(criterion):
            yield f"criterion {criterion.id}: {problem}"


def _prose(question: Question, criteria: Sequence[Criterion]) -> Iterator[str]:
    """All that is read or said of an entry."""
    yield from (question.title, question.text, question.spoken, question.reference, question.hint)
    yield from (question.misconception, question.why_it_matters, question.step_down, question.follow_on)
    yield from (each.said for each in question.requirements)
    for criterion in criteria:
        said = criterion.examples
        yield from (criterion.text, criterion.probe, *said.met, *said.contradicted, *said.near)
    if question.task:
        yield from (mutant.name for mutant in question.task.mutants)


def _opening(spoken: str, criteria: Sequence[Criterion]) -> Iterator[str]:
    """What is wrong with how a question opens."""
    if criteria and AskedBy.OPENING not in {criterion.asked_by for criterion in criteria}:
        yield "the opening asks for no point: all are left to probes"
    if (sentences := len(_SENTENCE_END.findall(spoken))) > 2:
        yield f"the spoken form has {sentences} sentences, more than 2"
    if (marks := spoken.count("?")) != 1:
        yield f"the spoken form has {marks} question marks, not 1"
    elif _TWO_QUESTIONS.search(spoken) or _AS_WELL.search(spoken):
        yield "the spoken form asks two questions in one"


def _criterion(criterion: Criterion) -> Iterator[str]:
    if not 1 <= criterion.weight <= 3:
        yield f"weight {criterion.weight:g} is not 1 to 3"
    if not criterion.probe:
        yield "no probe"
    if _TWO_QUESTIONS.search(criterion.probe):
        yield "the probe asks two questions"
    if criterion.proof:
        yield from problems_when_read(criterion.proof)
    examples = criterion.examples
    for name, least in (_LEAST_OF_WEIGHT_3 if criterion.weight == 3 else _LEAST).items():
        if (count := len(getattr(examples, name))) < least:
            yield f"{count} statements “{name}”, fewer than {least}"
    said = Counter(text.lower() for text in (*examples.met, *examples.contradicted, *examples.near))
    for text, count in said.items():
        if count > 1:
            yield f"the statement “{text}” stands there {count} times"


def _code_of_all(worker: int, questions: Sequence[Question]) -> list[str]:
    return [_place(question) + problem for question in questions for problem in _code(question, _samples(worker))]


@cache
def _samples(worker: int) -> SampleRunner:
    """The process of that number, started when it is needed first."""
    return SampleRunner()


def _code(question: Question, samples: SampleRunner) -> Iterator[str]:
    reference = "\n\n".join(block.text for block in question.code if block.language == "python")
    if reference and (error := samples.run(reference).error):
        yield f"the reference's code fails: {error}"
    for criterion in question.rubric.criteria if question.rubric else ():
        if criterion.proof:
            for problem in problems_when_run(criterion.proof, samples):
                yield f"criterion {criterion.id}: {problem}"
    if question.task:
        yield from _task(question.task, samples)


def _task(task: CodingTask, samples: SampleRunner) -> Iterator[str]:
    if not re.search(r"^def test_", task.checks, re.MULTILINE):
        yield "Checks define no test_ function"
        return
    if error := samples.run(f"{task.solution}\n\n{task.checks}{_RUN_TESTS}").error:
        yield f"the solution fails its checks: {error}"
    try:
        compile(task.starter, "starter", "exec")
    except SyntaxError as error:
        yield f"the starter is not valid Python: {error}"

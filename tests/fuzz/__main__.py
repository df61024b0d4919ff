"""Fuzzes one target: ``python -m tests.fuzz TARGET --minutes N --seed S``, or one input with ``--input FILE``.

Prints what became of the inputs. An input that found something is written to build/fuzz/TARGET/; move it to
tests/fuzz/regressions/TARGET/ with the fix, and every test run feeds it again. Ends with status 1 after a finding.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.fuzz.campaign import Tally, keep, regressions, run
from tests.fuzz.registry import TARGETS, opened
from tests.fuzz.target import FoundError, Target

FOUND = Path(__file__).parents[2] / "build" / "fuzz"


def main() -> int:
    """Run the campaign that the command line names."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("target", choices=sorted(TARGETS))
    ask.add_argument("--minutes", type=float, default=10.0)
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--input", type=Path, nargs="+", default=(), help="feed these files and nothing else")
    given = ask.parse_args()
    with opened(given.target) as target:
        tally = fed(target, given.input or regressions(given.target))
        if not given.input:
            new = run(target, given.seed, seconds=60 * given.minutes)
            tally.outcomes.update(new.outcomes)
            tally.found += new.found
    for outcome, count in tally.outcomes.most_common():
        print(f"{count:8} {outcome}")
    for kind, count in tally.kinds.most_common():
        first = next(data for data, finding in tally.found if str(finding).startswith(kind))
        print(f"\nFOUND {count} times: {next(str(finding) for data, finding in tally.found if data is first)}")
        print(f"  {keep(first, FOUND / given.target)}")
    return 1 if tally.found else 0


def fed(target: Target, files: list[Path]) -> Tally:
    """Feed files to a target."""
    tally = Tally()
    for path in files:
        data = path.read_bytes()
        try:
            tally.outcomes[target.check(data)] += 1
        except FoundError as finding:
            tally.outcomes["finding"] += 1
            tally.found.append((data, finding))
    return tally


if __name__ == "__main__":
    sys.exit(main())

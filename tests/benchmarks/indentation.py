"""How much indentation comes back: ``python -m tests.benchmarks.indentation``.

Code loses its indentation and blank lines; what the search makes of it is compared statement by statement. The
standard library and every second document of the bank took no part in fitting the weights.
"""

from __future__ import annotations

import random
import sysconfig
from collections import defaultdict
from pathlib import Path

from knowledge.bank.parser import BANK, load_file
from knowledge.code.reconstruction.indentation import best, restored, weights
from knowledge.training.fit_indentation import Sample, length_class, pieces, sample

MOST = 200


def main() -> None:
    """Prints a table."""
    draw = random.Random(3)
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    draw.shuffle(files)
    library = [made for text in pieces(files[:60], draw) if (made := sample(text, spaced=False))][:MOST]
    texts = [block.text for file in sorted(BANK.glob("*.md"))[1::2] for q in load_file(file) for block in q.code]
    bank = [made for text in texts if (made := sample(text, spaced=False))][:MOST]
    for name, samples in (("standard library", library), ("bank, held out", bank)):
        show(name, samples)


def show(name: str, samples: list[Sample]) -> None:
    """Prints one row a length: pieces, share that parses, share exactly as it was, share of statements in place."""
    rows: dict[str, list[tuple[bool, bool, int, int]]] = defaultdict(list)
    for item in samples:
        ways = best(item.found, item.around, [None] * len(item.found), weights())
        got = [way.depth for way in ways] if ways else []
        flat = "\n".join(line.strip() for line in item.text.split("\n"))
        right = sum(a == b for a, b in zip(got, item.truth, strict=False))
        row = (restored(flat) is not None, got == item.truth, right, len(item.truth))
        for key in (length_class(len(item.found)), "all"):
            rows[key].append(row)
    print(f"{name}: statements | pieces | parse | exact | statements in place")
    for key, values in rows.items():
        count, placed, of = len(values), sum(v[2] for v in values), sum(v[3] for v in values)
        parse, exact = sum(v[0] for v in values) / count, sum(v[1] for v in values) / count
        print(f"  {key:10} | {count} | {parse:.2f} | {exact:.2f} | {placed / of:.3f}")


if __name__ == "__main__":
    main()

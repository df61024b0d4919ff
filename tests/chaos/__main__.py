"""Kills the app, the model server, its guardian, a sandbox worker and the browser in the middle of whole interviews.

``python -m tests.chaos --moments 50 --seed 1`` holds one interview for each random moment, on the page, in a browser
and on the command line, goes on with it after the kill, and compares its marks with those of an interview that nothing
was killed in. The model server is a stand-in that marks the same text the same way, or the real one with ``--real``.
Ends with status 1 where anything differs, or a process outlives its owner.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.chaos.campaign import Campaign
from tests.chaos.moments import EVERY, Way, moments
from tests.chaos.stage import Stage


def main() -> int:
    """Hold the interviews."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--moments", type=int, default=50)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--real", action="store_true", help="with the real model server; nothing is killed in a browser")
    given = ask.parse_args()
    kinds = [kind for kind in EVERY if not given.real or kind[0] is not Way.BROWSER]
    wrong = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        stage = Stage(Path(folder), real=given.real)
        try:
            for number, result in enumerate(
                Campaign(stage, given.seed).hold(moments(given.moments, given.seed, kinds)), 1
            ):
                print(f"{number:3}  {result}", flush=True)
                wrong += bool(result.wrong)
            if wrong:
                print((stage.folder / "app.log").read_text(errors="replace")[-4000:])
        finally:
            outlived = stage.close()
    print(f"{wrong} of {given.moments} interviews came out otherwise. {len(outlived)} processes outlived their owner.")
    print("\n".join(outlived))
    return 1 if wrong or outlived else 0


if __name__ == "__main__":
    sys.exit(main())

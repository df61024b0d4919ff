"""Runs a command: ``python app.py COMMAND``; ``python app.py --help`` lists them."""

from __future__ import annotations

import sys

from interviewer.cli.main import main
from serving.leaving import Leaving

if __name__ == "__main__":
    leaving = Leaving()
    leaving.status = main()
    sys.exit(leaving.status)

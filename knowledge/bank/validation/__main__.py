"""``python -m knowledge.bank.validation.checks``."""

import sys

from knowledge.bank.validation.checks import main

sys.exit(main(sys.argv[1:]))

"""``python -m knowledge.check``."""

import sys

from knowledge.check import main

sys.exit(main(sys.argv[1:]))

"""Paths of the fitted weights in ``rubric/weights``."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "weights"

ADAPTER = _FOLDER / "statement-encoder.npz"
"""Adapter of the sentence encoder (``make adapt``)."""

CROSS_ENCODER = _FOLDER / "cross-encoder.npz"
"""Adapter of the cross-encoder (``make adapt``)."""

STATE_HEAD = _FOLDER / "state-head.npz"
"""Head that reads the judge's hidden states (``make calibrate``)."""

CLAIM_HEAD = _FOLDER / "claim-head.npz"
"""Head that tells false statements by the judge's states (``python -m interviewer.cli.fit_claim_head``)."""

TRUST_CARD = _FOLDER / "trust-card.json"
"""How far the judge's marks can be trusted, as measured (``make grade-bench``)."""

PARITY = _FOLDER / "parity.json.gz"
"""What the judge makes of some answers on a CPU, which cards are compared with (``make parity``)."""

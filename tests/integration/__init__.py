"""The parts together, with the real model."""

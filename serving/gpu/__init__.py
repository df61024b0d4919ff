"""NVIDIA cards: what there is, what it is good for, and what is run on it.

Standard library alone: the Makefile asks before anything is installed. What talks to the driver is ``nvml.py``,
``nvidia_smi.py`` and ``probe.py``; the rest is pure.
"""

"""Hearing and speaking on this machine: recognition, voice activity, synthesis."""

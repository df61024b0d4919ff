"""Sandbox backends: ways of starting a process that code nobody vouches for may run in.

``base.py`` is the protocol, ``bubblewrap.py`` and ``landlock.py`` implement it, ``registry.py`` lists them, best first.
"""

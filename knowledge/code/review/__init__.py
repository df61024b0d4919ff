"""Faults in a document's code: outdated API, wrong patterns, claims that can be tested."""

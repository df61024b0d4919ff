"""The wording of reports, shared by all formats."""

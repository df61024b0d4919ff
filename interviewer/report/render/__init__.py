"""A report as HTML, PDF, Markdown and JSON."""

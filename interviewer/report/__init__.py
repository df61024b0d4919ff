"""Events to findings (pure), findings to HTML, Markdown and JSON."""

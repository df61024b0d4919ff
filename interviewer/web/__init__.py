"""The Gradio page, one file a panel."""

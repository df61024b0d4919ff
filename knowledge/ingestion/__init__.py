"""Documents into the index: pipeline, manifest, contradictions, explanation."""

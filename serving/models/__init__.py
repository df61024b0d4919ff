"""Models on disk: catalogue, download, quantization, adapters."""

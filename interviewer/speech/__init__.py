"""Text for the ear and from the ear: transcription, normalization, endpointing, delivery."""

"""The vLLM server: its process, its guardian, clients, and the judge behind it."""

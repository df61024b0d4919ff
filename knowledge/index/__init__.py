"""Search over questions: disk store, lexical and vector retrieval, rank fusion, near-duplicates."""

"""Code out of documents that lost its layout: statements, indentation, repair."""

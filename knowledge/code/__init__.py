"""Code in documents: put together again, marked by what it needs, executed, and checked for what is dated or wrong."""

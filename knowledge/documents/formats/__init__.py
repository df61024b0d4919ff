"""Files of other formats than text -> Markdown with its places in the file, one module a format.

Each is read in a process of its own (``child`` starts it, ``__main__`` is it), since the libraries that do so were
not made for files that mean harm.
"""

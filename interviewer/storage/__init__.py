"""What is kept on disk: the journal and its migrations, archives, recordings."""

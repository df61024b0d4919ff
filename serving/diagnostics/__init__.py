"""What this machine can run, and advice on what it lacks."""

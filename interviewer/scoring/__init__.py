"""What counts: grade requests, assistance, self-assessment, overrides, disputes. Pure functions."""

"""Sign-in by an OpenID Connect provider, in place of names and passwords of our own."""

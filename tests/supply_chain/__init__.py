"""What the product is made of: known flaws of its packages, and their licenses."""

"""What the terms of the field mean."""

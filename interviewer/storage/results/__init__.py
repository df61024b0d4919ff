"""What was made of many interviews at once, kept until it is asked for."""

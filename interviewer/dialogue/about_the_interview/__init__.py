"""What is told of the interview itself."""

"""What happens next in a session: pure functions from state to action."""

"""The event-sourced model of a session: plan, events, state, reducer, queries."""

"""What follows from a state, computed once and remembered by the columns it came from."""
